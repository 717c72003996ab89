/**
 * main.js: makes the player out of its parts and connects them to the page. The player is one object: the parts by name, and
 * state, the only state of all: the story, the beat, the picked node, whether it plays. What the parts do with it is in show.js.
 */

import { set, write } from './base/dom.js';
import { createCharts } from './page/charts.js';
import { createControls } from './page/controls.js';
import { createFrame } from './page/frame.js';
import { PRESSES, chosenBefore, focusPrompt, mindControls, mindDrawer, watchTheme } from './page/gradio.js';
import { withFiles } from './page/files.js';
import { createMethods } from './page/methods.js';
import { createCard, createHelp } from './page/panels.js';
import { createPresenter } from './page/present.js';
import { createShare } from './page/share.js';
import { createStatus } from './page/status.js';
import { createTabs } from './page/tabs.js';
import { createDock } from './stage/dock.js';
import { createClocks } from './stage/draw-clocks.js';
import { createFoot } from './stage/foot.js';
import { createGuide } from './stage/guide.js';
import { createMotion } from './stage/motion.js';
import { createStage } from './stage/draw.js';
import { createVocabulary } from './stage/vocabulary.js';
import { createPlaying } from './stage/playing.js';
import { words } from './stage/words.js';
import { createLabs } from './tabs/labs.js';
import { createLosslessness } from './tabs/losslessness/tab.js';
import { createRacing } from './tabs/race/tab.js';
import { createFeed } from './trace/feed.js';
import { drawCharts, explain, grow, move, openRest, pickOrExplain, play, redraw, render, reveal, show } from './show.js';
import { keyWants, pageWants, startGuide } from './wants.js';
export { surroundings } from './page/widgets.js';

/**
 * root: the element to fill. port: { read(): newest delta, watch(react), fetch(request): Promise of messages,
 * wants(react) to the page's own buttons; charts, row, prove, race and lab(request), to be answered in a remark; leave(ask);
 * opened() once the first run is on stage; start() to join the queue for a run; save(run): Promise of a trace as JSON; adopt(config)
 * sets the page's controls; alive(): Promise whether the server answers }: the page it lives in.
 */
export function mount(root, port) {
  set(root, { role: 'region', 'aria-label': words.region });
  document.documentElement.toggleAttribute('data-sv-framed', window.self !== window.top);
  const player = {
    root,
    // The run on stage, where in it, whether it plays and whether for rounds that are not there yet; the redraw they wait for.
    state: { story: null, at: 0, picked: null, playing: false, waiting: false, frame: 0 },
    stillness: window.matchMedia('(prefers-reduced-motion: reduce)'),
    before: chosenBefore(), // takes precedence over the settings of the first run on stage
  };
  const opened = port.read();
  addStage(player);
  player.port = withFiles(root, port);
  addTransport(player);
  addPanels(player);
  addTabs(player);
  connect(player, opened);
}

function addStage(player) {
  player.frame = createFrame(player.root);
  player.stage = createStage(player.frame.round, {
    redraw: () => render(player),
    pick: (index, node, onChip) => pickOrExplain(player, index, node, onChip),
    explain: (node) => explain(player, node),
    seek: (beat) => move(player, beat),
    ask: (topic, node) => player.card.topic(topic, node),
    rest: () => openRest(player),
    showMe: () => startGuide(player),
    runYourOwn: focusPrompt,
  });
}

function addTransport(player) {
  const { root, frame, state, stage: { parts } } = player;
  const controls = createControls(root, keyWants(player));
  const dock = createDock(parts.dock, () => render(player, null));
  const foot = createFoot(controls.parts.scrub);
  frame.foot.append(controls.parts.buttons, foot.plot, foot.kv, dock.toggles);
  parts.pace.append(controls.parts.pace);
  const playing = createPlaying(state, controls.pace, (at, speed) => show(player, at, speed));
  const motion = createMotion(root, { ...parts, kv: foot.kv, cells: foot.cells });
  Object.assign(player, { controls, dock, foot, playing, motion });
}

/** What lies over the stage or around it. */
function addPanels(player) {
  const { root, port, frame, state } = player;
  player.card = createCard(root, (at) => reveal(player, at), () => render(player, null));
  player.help = createHelp(root, () => startGuide(player));
  player.share = createShare(root, { save: port.save, open: () => PRESSES.open(), trace: () => state.story?.trace });
  player.methods = createMethods(root, port.drafters, port.acceptance);
  player.status = createStatus(frame, {
    play: () => state.story && !state.playing && play(player),
    fetch: port.fetch,
    news: (delta) => player.feed(delta),
    alive: port.alive,
    story: () => state.story,
  });
  player.charts = createCharts(port.charts);
  player.vocabulary = createVocabulary(root, port.row);
}

function addTabs(player) {
  const { root, port, frame, controls, state, stillness, stage: { parts } } = player;
  const losslessness = createLosslessness(port);
  const labs = createLabs(port, () => redraw(player));
  const racing = createRacing({ ask: port.race, fetch: (run, n) => player.feed({ run, n, j: null }), messages: port.fetch, shipped: port.shipped, still: () => stillness.matches });
  const tabs = createTabs(root, frame.hold({ race: racing.node, losslessness: losslessness.node, ...labs.panels }), () => {
    if (tabs.shown() !== 'race') racing.leave();
    render(player, null);
  });
  frame.who.before(tabs.node);
  const presenter = createPresenter(root, controls.parts, () => render(player));
  const clocks = createClocks(parts.clocks);
  const guide = createGuide(root, { story: () => state.story, seek: (at) => move(player, at), play: (at) => move(player, at, true), race: () => tabs.show('race') });
  Object.assign(player, { losslessness, labs, racing, tabs, presenter, clocks, guide });
}

/** Joins the player to what the page and the server say. opened: what the page has to show already. */
function connect(player, opened) {
  const { port, before, state, stage: { parts }, status, vocabulary, losslessness, racing, labs, tabs } = player;
  parts.ribbon.addEventListener('click', ({ target }) => target.closest('[data-sv="token"]') && explain(player, target.closest('[data-sv="token"]')));
  const answers = { row: vocabulary.hear, proof: losslessness.hear, race: racing.hear, lab: labs.hear, turn: (seconds) => status.turn(seconds, port.start) };
  const remark = (kind, text, run) => (answers[kind] ? answers[kind](text, run) : status.remark(kind, text, run));
  const feed = createFeed(port.fetch, { trace: (trace) => grow(player, trace), remark, lost: () => status.refuse(words.lost) });
  player.feed = feed;
  write(parts.headline, opened ? words.loading : words.empty);
  port.watch(() => feed(port.read()));
  const wants = pageWants(player);
  port.wants((name) => wants[name]?.());
  watchTheme(() => state.story && drawCharts(player));
  window.addEventListener('resize', () => render(player, null));
  mindDrawer();
  mindControls();
  feed(opened).finally(() => {
    port.opened();
    tabs.show(tabs.before());
    if (before) port.adopt(before);
  });
}

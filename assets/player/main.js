/**
 * main.js: makes the player out of its parts and connects them to the page. The player is one object: the
 * parts by name, and state, the only state of all: the story, the beat, the picked node, whether it plays.
 * What the parts do with it is in render.js.
 */

import { articleLink, createArticle } from './article/article.js';
import { set, write } from './base/dom.js';
import { createExamples } from './page/examples.js';
import { PRESSES, chosenBefore, fillDrawer, mindControls, mindDrawer, showTheme } from './page/gradio.js';
import { createConversation } from './page/conversation.js';
import { withFiles } from './page/files.js';
import { languageIn } from './page/link.js';
import { createDiffer } from './page/differ.js';
import { createLooks } from './page/looks.js';
import { createMethods } from './page/methods.js';
import { createHelp } from './page/panels.js';
import { createPresenter } from './page/present.js';
import { createShare } from './page/share.js';
import { createStatus } from './page/status.js';
import { createTabs } from './page/tabs.js';
import { createClocks } from './stage/draw/draw-clocks.js';
import { words } from './stage/words.js';
import { createCard } from './stage/panes/card.js';
import { createLabs } from './tabs/labs.js';
import { fastestOn } from './tabs/methods/fastest.js';
import { createLosslessness } from './tabs/losslessness/tab.js';
import { createRacing } from './tabs/race/tab.js';
import { createFeed } from './trace/feed.js';
import { addGuides, addStage, addTransport } from './player.js';
import { addEnding } from './ending.js';
import { addLesson, addScreens } from './classroom.js';
import { addArrival, follow, placeOf, showRecorded } from './url-state.js';
import { explain, grow, play, render, reveal } from './render.js';
import { pageWants } from './shortcuts.js';
export { surroundings } from './page/widgets.js';

/**
 * root: the element to fill. port: { read(): newest delta, watch(react), fetch(request): Promise of
 * messages, wants(react) to the page's own buttons; row, prove, race and lab(request), to be
 * answered in a remark; leave(ask); opened() once the first run is on stage; start() to join the queue for
 * a run; save(run): Promise of a trace as JSON; shell(): see share.js; adopt(config) sets the page's
 * controls; alive(): Promise whether the server answers; check(gzip): Promise of what contradicts itself in a
 * file }: the page it lives in.
 */
export function mount(root, port) {
  set(root, { role: 'region', 'aria-label': words.region });
  document.documentElement.toggleAttribute('data-sv-framed', window.self !== window.top);
  const player = {
    root,
    // The run on stage, where in it, what a hand does to it, whether it plays and whether for rounds that are not
    // there yet, and whether its first screen was left; the redraw they wait for.
    state: {
      story: null,
      at: 0,
      picked: null,
      u: null,
      playing: false,
      waiting: false,
      begun: false,
      frame: 0,
    },
    stillness: window.matchMedia('(prefers-reduced-motion: reduce)'),
    presses: PRESSES,
  };
  const opened = port.read();
  addStage(player);
  player.differ = createDiffer(root, port.lab);
  player.port = withFiles(root, port, player.differ);
  addArrival(player);
  const linked = player.arrival.read(location.hash);
  // takes precedence over the settings of the first run on stage
  player.before = linked?.recorded ? null : (linked?.config ?? chosenBefore());
  addTransport(player);
  addPanels(player);
  addEnding(player);
  addTabs(player);
  connect(player, opened, linked);
}

/** What lies over the stage or around it. */
function addPanels(player) {
  const { root, port, frame, state } = player;
  player.card = createCard(
    root,
    (at) => reveal(player, at),
    () => render(player, null),
  );
  player.help = createHelp(root, articleLink());
  player.article = createArticle(root, port);
  frame.foot.append(articleLink());
  player.share = createShare(root, {
    trace: () => state.story?.trace,
    save: port.save,
    shell: port.shell,
    open: port.open,
    lesson: () => player.lesson.open(),
    link: (more) => player.arrival.link({ ...placeOf(player), ...more }, state.story.trace),
  });
  addLesson(player, addScreens(player));
  const [usual] = port.acceptance;
  player.methods = createMethods(root, port.drafters, port.acceptance, (pair) =>
    fastestOn(port.recordedLab, usual.name, pair),
  );
  player.status = createStatus(frame, {
    play: () => state.story && !state.playing && play(player),
    fetch: port.fetch,
    news: (delta) => player.feed(delta),
    alive: port.alive,
    checkFile: port.check,
    open: port.open,
    story: () => state.story,
    differ: player.differ,
  });
  player.conversation = createConversation(frame.check, () => state.story?.trace);
}

function addTabs(player) {
  const {
    root,
    port,
    frame,
    controls,
    stillness,
    stage: { parts },
  } = player;
  const losslessness = createLosslessness(port);
  const labs = createLabs(port);
  const racing = createRacing({
    ask: port.race,
    fetch: (run, n) => player.feed({ run, n, j: null }),
    still: () => stillness.matches,
    more: labs.panels.race,
  });
  const tabs = createTabs(
    root,
    frame.hold({ race: racing.node, losslessness: losslessness.node, methods: labs.panels.methods }),
    () => {
      if (tabs.shown() !== 'race') racing.leave();
      render(player, null);
    },
  );
  frame.who.before(tabs.node);
  const presenter = createPresenter(root, controls.parts, () => {
    if (!presenter.on()) {
      player.screens.stop();
      set(root, { 'data-follows': null });
    }
    render(player);
  });
  const clocks = createClocks(parts.clocks);
  Object.assign(player, { losslessness, labs, racing, tabs, presenter, clocks });
  addGuides(player);
}

/**
 * Joins the player to what the page and the server say. opened: what the page has to show already; linked:
 * where a link leads instead.
 */
function connect(player, opened, linked) {
  const {
    port,
    before,
    stage: { parts },
    status,
    losslessness,
    racing,
    labs,
    tabs,
  } = player;
  parts.ribbon.addEventListener(
    'click',
    ({ target }) =>
      target.closest('[data-sv="token"]') && explain(player, target.closest('[data-sv="token"]')),
  );
  const answers = {
    proof: losslessness.onReport,
    race: (text) => [racing, player.timing].forEach((part) => part.onReport(text)),
    lab: (text) => [labs, player.differ].forEach((part) => part.onReport(text)),
    turn: (seconds) => status.turn(seconds, port.start),
  };
  const feed = createFeed(port.fetch, {
    onTrace: (trace) => grow(player, trace),
    onRemark: (kind, text, run) =>
      answers[kind] ? answers[kind](text, run) : status.remark(kind, text, run),
    onLost: () => status.refuse(words.lost),
  });
  player.feed = feed;
  write(parts.headline, opened ? words.loading : words.empty);
  port.watch(() => feed(port.read()));
  const wants = pageWants(player);
  port.wants((name) => wants[name]?.());
  fillDrawer(
    createExamples(port, (name) => showRecorded(player, name)),
    createLooks(),
  );
  showTheme();
  window.addEventListener('resize', () => render(player, null));
  mindDrawer();
  mindControls((why) => status.remark('refusal', why));
  window.addEventListener('hashchange', ({ oldURL, newURL }) => {
    if (languageIn(oldURL) !== languageIn(newURL))
      location.reload(); // all words are fetched before the page is drawn
    else follow(player, player.arrival.read(location.hash));
    player.article.follow(location.hash);
  });
  feed(linked?.recorded ? null : opened).finally(() => {
    port.opened();
    tabs.show(tabs.before());
    player.article.follow(location.hash);
    if (linked) follow(player, linked);
    else if (before) port.adopt(before);
  });
}

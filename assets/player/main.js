/**
 * main.js: mounts the player and keeps its only state: the story, the beat, the picked node, whether it plays.
 */

import { set, write } from './base/dom.js';
import { createArrival } from './page/arrival.js';
import { createCharts } from './page/charts.js';
import { createControls } from './page/controls.js';
import { createFrame } from './page/frame.js';
import { PRESSES, chosenBefore, focusPrompt, mark, mindControls, mindDrawer, putDrawerAway, putMoreAway, stagedAs, toggleDark, toggleDrawer, toggleMore, watchTheme } from './page/gradio.js';
import { withFiles } from './page/files.js';
import { createMethods } from './page/methods.js';
import { createCard, createHelp } from './page/panels.js';
import { createPresenter } from './page/present.js';
import { createShare } from './page/share.js';
import { createStatus } from './page/status.js';
import { createTabs } from './page/tabs.js';
import { createDock } from './stage/dock.js';
import { createClocks } from './stage/draw-clocks.js';
import { createFoot, walkCells } from './stage/foot.js';
import { createGuide } from './stage/guide.js';
import { createMotion } from './stage/motion.js';
import { createStage } from './stage/draw.js';
import { createVocabulary } from './stage/vocabulary.js';
import { createPlaying } from './stage/playing.js';
import { scene } from './stage/scene.js';
import { shownBy, walk } from './stage/draw-ribbon.js';
import { why } from './stage/why.js';
import { words } from './stage/words.js';
import { createLabs } from './tabs/labs.js';
import { createLosslessness } from './tabs/losslessness/tab.js';
import { createRacing } from './tabs/race/tab.js';
import { goTo, here, linkable } from './place.js';
import { createFeed } from './trace/feed.js';
import { extend, roundStep, storyOf } from './trace/story.js';
import { guessOf } from './trace/timeline.js';
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
  const stillness = window.matchMedia('(prefers-reduced-motion: reduce)');
  const opened = port.read();
  // The run on stage, where in it, whether it plays and whether for rounds that are not there yet; the redraw they wait for.
  const state = { story: null, at: 0, picked: null, playing: false, waiting: false, frame: 0 };
  const frame = createFrame(root);
  const stage = createStage(frame.round, {
    redraw: () => render(),
    pick: (index, node, onChip) => {
      const looked = node.getAttribute('aria-selected') === 'true';
      card.close();
      pick(index);
      if (looked || onChip) explain(stage.slot(index) ?? node);
    },
    explain: (node) => explain(node),
    seek: (beat) => move(beat),
    ask: (topic, node) => card.topic(topic, node),
    rest: () => openRest(),
    showMe: () => want.guide(),
    runYourOwn: focusPrompt,
  });
  const { parts } = stage;
  port = withFiles(root, port);
  const arrival = createArrival(linkable(port), {
    recorded: bring, adopt: port.adopt, run: () => PRESSES.run(), save: port.save, open: (bytes, name) => !port.show(bytes, name),
    go: (place) => goTo(player(), place), say: (...said) => status.tell(...said),
  });
  const linked = arrival.read(location.hash);
  const before = linked?.recorded ? null : linked?.config ?? chosenBefore(); // takes precedence over the settings of the first run on stage
  const want = {
    step: (direction) => move(state.at + direction, direction > 0),
    round: (direction) => state.story && move(roundStep(state.story, state.at, direction)),
    seek: (at) => move(at),
    toggle: () => (state.playing ? move(state.at) : play()),
    slot: turn,
    branch: (name) => pick(stage.turned(name)),
    row: (way) => pick(stage.rowBeside(way), false),
    cell: (strip, way) => {
      walkCells(strip, way);
      render(null);
    },
    token: (direction) => walk(parts.ribbon, direction),
    why: explain,
    paced: () => {
      if (state.playing) playing.begin();
      render(null);
    },
    press: (name) => presenter.on() || PRESSES[name](), // the keys do nothing to buttons that Present hides
    view: (target) => (target.closest('[data-pane]')?.querySelector('[data-turns]') ?? parts.view).click(),
    dock: (name) => dock.toggle(name),
    guide: () => {
      tabs.show('round');
      guide.start();
    },
    share: () => share.toggle(),
    help: () => help.open(),
    letters: () => help.letters(),
    present: () => presenter.enter(),
    presenting: () => presenter.on(),
    blank: () => presenter.blank(),
    notes: () => presenter.notes(),
    leave: () => card.close() || share.close() || methods.close() || putDrawerAway() || status.close() || guide.stop() || dock.close() || presenter.leave(),
    guided: (event) => guide.on() && guide.key(event),
    tab: (place) => tabs.turn(place),
    instead: () => (tabs.shown() === 'race' && racing.raced() ? racing.want : presenter.on() && tabs.shown() !== 'round' ? { step: tabs.page } : {}),
  };
  const controls = createControls(root, want);
  const dock = createDock(parts.dock, () => render(null));
  const foot = createFoot(controls.parts.scrub);
  frame.foot.append(controls.parts.buttons, foot.plot, foot.kv, dock.toggles);
  parts.pace.append(controls.parts.pace);
  const playing = createPlaying(state, controls.pace, show);
  const motion = createMotion(root, { ...parts, kv: foot.kv, cells: foot.cells });
  const card = createCard(root, (at) => reveal(at), () => render(null));
  const help = createHelp(root, () => want.guide());
  const share = createShare(root, { link: () => arrival.link(here(player()), state.story.trace), save: port.save, open: () => PRESSES.open(), trace: () => state.story?.trace });
  const methods = createMethods(root, port.drafters, port.acceptance);
  const status = createStatus(frame, { play: () => state.story && !state.playing && play(), fetch: port.fetch, news: (delta) => feed(delta), alive: port.alive, story: () => state.story });
  const charts = createCharts(port.charts);
  const vocabulary = createVocabulary(root, port.row);
  const losslessness = createLosslessness(port);
  const labs = createLabs(port, redraw);
  const racing = createRacing({ ask: port.race, fetch: (run, n) => feed({ run, n, j: null }), messages: port.fetch, shipped: port.shipped, still: () => stillness.matches });
  const tabs = createTabs(root, frame.hold({ race: racing.node, losslessness: losslessness.node, ...labs.panels }), () => {
    if (tabs.shown() !== 'race') racing.leave();
    render(null);
  });
  frame.who.before(tabs.node);
  const presenter = createPresenter(root, controls.parts, () => render());
  const clocks = createClocks(parts.clocks);
  const guide = createGuide(root, { story: () => state.story, seek: (at) => move(at), play: (at) => move(at, true), race: () => tabs.show('race') });
  parts.ribbon.addEventListener('click', ({ target }) => target.closest('[data-sv="token"]') && explain(target.closest('[data-sv="token"]')));
  const answers = { row: vocabulary.hear, proof: losslessness.hear, race: racing.hear, lab: labs.hear, turn: (seconds) => status.turn(seconds, port.start) };
  const remark = (kind, text, run) => (answers[kind] ? answers[kind](text, run) : status.remark(kind, text, run));
  const feed = createFeed(port.fetch, { trace: grow, remark, lost: () => status.refuse(words.lost) });
  write(parts.headline, opened ? words.loading : words.empty);
  port.watch(() => feed(port.read()));
  const wants = {
    run: asked, stop: status.stopped, 'row-failed': vocabulary.broke, 'proof-failed': losslessness.broke, 'race-failed': racing.broke, 'lab-failed': labs.broke, settings: toggleDrawer, more: toggleMore,
    share: () => share.toggle(), help: () => help.open(), dark: () => toggleDark(), present: () => presenter.enter(), 'run-failed': status.broken, adopted: () => requestAnimationFrame(() => [mark, methods.show, arrival.adopted].forEach((hear) => hear())),
  };
  port.wants((name) => wants[name]?.());
  watchTheme(() => state.story && drawCharts());
  window.addEventListener('resize', () => render(null));
  mindDrawer();
  mindControls();
  window.addEventListener('hashchange', () => follow(arrival.read(location.hash)));
  feed(linked?.recorded ? null : opened).finally(() => {
    port.opened();
    tabs.show(tabs.before());
    if (linked) follow(linked);
    else if (before) port.adopt(before);
  });

  /** A run was asked for. It needs the models, so sampling stops. */
  function asked() {
    [losslessness, labs].forEach((part) => part.drop());
    guide.stop();
    tabs.show('round');
    putMoreAway();
    status.asked();
  }

  /** Shows a trace that grew. A trace without rounds has nothing to show, so the stage stays as it is. */
  function grow(trace) {
    status.grew(trace);
    if (!trace.rounds.length) return;
    const isNew = trace !== state.story?.trace;
    if (isNew) open(trace);
    extend(state.story);
    if (isNew && state.playing) state.at = state.story.rounds[0].beat;
    if (isNew) redraw();
    else state.frame ||= requestAnimationFrame(redraw);
    drawCharts();
    arrival.grew(trace);
    if (!state.playing) return;
    if (isNew) playing.begin();
    else playing.grew();
  }

  function player() {
    return { state, stage, tabs, dock, guide, move, pick };
  }

  function follow(place) {
    if (place) arrival.begin(place, state.story?.trace);
  }

  /** Puts a recorded run on stage. */
  async function bring(run) {
    const messages = await port.fetch({ run, start: 0, stop: Infinity });
    messages.forEach((j, n) => feed({ run, n, j }));
  }

  /** Draws what a longer trace changes; the beat on stage keeps moving. */
  function redraw() {
    cancelAnimationFrame(state.frame);
    state.frame = 0;
    foot.drawRun(state.story);
    clocks.draw(state.story);
    render(null);
  }

  /** A run takes the stage: the one just asked for plays by itself, a recorded one waits at rest. */
  function open(trace) {
    playing.pause();
    motion.stop();
    charts.forget();
    guide.stop();
    const live = status.open(trace);
    frame.name(trace);
    stagedAs(trace.info.config);
    if (!live && (state.story || !before)) port.adopt(trace.info.config);
    Object.assign(state, { story: storyOf(trace), at: 0, picked: null, waiting: false, playing: live });
    if (live) root.scrollIntoView({ block: 'nearest' });
    card.close();
    vocabulary.close();
    [losslessness, racing, labs].forEach((part) => part.open());
  }

  /** Draws the beat. speed: how fast it arrives, 0 for a cut, null to leave a running motion alone. Returns how long it moves. */
  function render(speed = 0) {
    if (!state.story) return 0;
    const { story, at } = state;
    const { trace, beats } = story;
    if (speed !== null) motion.stop();
    const now = scene(story, at, state.picked);
    const round = trace.rounds[now.round];
    set(parts.headline, { 'aria-live': state.playing && now.kind !== 'trim' ? 'off' : 'polite' });
    dock.draw(now, story);
    stage.draw(now);
    foot.draw(now);
    set(root, {
      'data-ready': 'true', 'data-round': now.round, 'data-phase': now.kind, 'data-step': at, 'data-steps': beats.length,
    });
    controls.show({ ...now.scrub, playing: state.playing });
    presenter.note(() => why(trace, beats, at, { round: now.round, slot: now.focus }).sentence);
    if (tabs.shown() === 'losslessness') losslessness.look(story, at, guessOf(round, now.focus, now.settled));
    else if (tabs.shown() === 'race') racing.look(story);
    else if (tabs.shown() !== 'round') labs.look(tabs.shown(), story);
    status.refresh();
    frame.tellAhead(trace.stop ? 0 : trace.rounds.length - 1 - now.round);
    charts.mark(now.round);
    return speed && !stillness.matches && state.picked === null ? motion.play(now, speed) : 0;
  }

  function show(at, speed) {
    if (!state.story) return 0;
    state.at = Math.max(0, Math.min(state.story.beats.length - 1, at));
    state.picked = null;
    card.close();
    return render(speed);
  }

  /** Stops playing and goes to a beat; one step on may move there. */
  function move(at, moves = false) {
    if (!state.story) return;
    playing.pause();
    show(at, moves ? playing.speed() : 0);
  }

  function play() {
    if (!state.story) return;
    guide.stop();
    playing.play();
  }

  /** Shows a node, whatever the beat; `goes` says whether it takes the keyboard focus. */
  function pick(index, goes = true) {
    if (!state.story) return;
    playing.pause();
    state.picked = index;
    render();
    if (goes) stage.slot(index)?.focus();
  }

  function turn(direction) {
    const many = stage.slots().querySelectorAll('[data-sv="slot"]').length;
    pick((stage.focused() + direction + many) % many);
  }

  /** Opens the figure's last row: the whole vocabulary at the position on show. */
  function openRest() {
    playing.pause();
    render();
    const { story, at, picked } = state;
    const { round, focus, settled } = scene(story, at, picked);
    vocabulary.open(story.trace, round, guessOf(story.trace.rounds[round], focus, settled));
  }

  /** Opens the why-card of a node or of a token of the text. */
  function explain(target) {
    playing.pause();
    render();
    const { trace, beats } = state.story;
    const slot = target.closest('[data-node]');
    const token = slot ? null : shownBy(target)?.token ?? shownBy(target);
    const where = slot ? { round: beats[state.at].round, slot: Math.min(Number(slot.dataset.node), trace.rounds[beats[state.at].round].verdicts.length) } : token.at;
    const reason = why(trace, beats, state.at, where);
    card.why({ ...reason, token: reason.token ?? token?.text ?? null }, target);
  }

  /** Shows a judged token of any round in the figure. */
  function reveal({ round, slot }) {
    tabs.show('round');
    const here = state.story.beats[state.at];
    if (here.round !== round || here.kind === 'rest') state.at = state.story.rounds[round + 1].beat - 1;
    pick(slot);
  }

  function drawCharts() {
    charts.show(state.story.trace, () => state.story.beats[state.at]?.round ?? 0);
  }
}

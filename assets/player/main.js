/**
 * main.js: mounts the player and keeps its only state: the story, the beat, the picked slot, whether it plays.
 * Player time is a chain of timeouts; the model's clock never enters, and the model never waits for it.
 */

import { createCharts } from './page/charts.js';
import { createControls } from './page/controls.js';
import { PRESSES, mindDrawer, toggleDark, toggleDrawer, watchTheme } from './page/gradio.js';
import { createStage } from './stage/draw.js';
import { shownBy, walk } from './stage/draw-ribbon.js';
import { walkCells } from './stage/draw-strips.js';
import { set, write } from './base/dom.js';
import { createLabs } from './tabs/labs.js';
import { lanes, roundAt } from './stage/lanes.js';
import { withFiles } from './page/files.js';
import { createFeed } from './trace/feed.js';
import { createLosslessness } from './tabs/losslessness/tab.js';
import { arrive } from './stage/motion.js';
import { createCard, createHelp } from './page/panels.js';
import { createPresenter } from './page/present.js';
import { createRacing } from './tabs/race/tab.js';
import { scene } from './stage/scene.js';
import { createStatus } from './page/status.js';
import { extend, roundStep, storyOf } from './trace/story.js';
import { createTabs } from './page/tabs.js';
import { moving, passed, stay, still, teaches } from './trace/timeline.js';
import { createVocabulary } from './stage/vocabulary.js';
import { why } from './stage/why.js';
import { words } from './stage/words.js';
export { surroundings } from './page/gradio.js';

/**
 * root: the element to fill. port: { read(): newest delta, watch(react), fetch(request): Promise of messages,
 * wants(react) to the page's own buttons; charts, row, prove, race and lab(request), to be answered in a remark; leave(ask);
 * opened() once the first run is on stage; again() to join the queue for a run }: the page it lives in.
 */
export function mount(root, port) {
  set(root, { role: 'region', 'aria-label': words.region });
  document.documentElement.toggleAttribute('data-sv-framed', window.self !== window.top);
  const stillness = window.matchMedia('(prefers-reduced-motion: reduce)');
  const wide = window.matchMedia('(min-width: 1100px)'); // narrower, Algorithm 1 waits to be asked for
  const opened = port.read();
  // The run on stage, where in it, when the next beat is due, and whether there is none yet; the redraw that new rounds
  // wait for; whether Algorithm 1 was asked for, null where the pace decides.
  const state = { story: null, at: 0, picked: null, playing: false, timer: 0, due: 0, waiting: false, frame: 0, algorithm: null };
  const stage = createStage(root, {
    redraw: () => render(),
    pick: (slot, node, onToken) => {
      const looked = node.getAttribute('aria-selected') === 'true';
      pick(slot);
      if (looked || onToken) explain(node);
    },
    ask: (topic, node) => {
      want.seek(state.at);
      card.topic(topic, node);
    },
    jump: (lane, x) => state.story && move(state.story.rounds[roundAt(state.story, lane, x)].beat),
  });
  const { parts } = stage;
  port = withFiles(root, port);
  const want = {
    step: (direction) => move(state.at + direction, direction > 0),
    round: (direction) => state.story && move(roundStep(state.story, state.at, direction)),
    seek: (at) => move(at),
    toggle: () => (state.playing ? move(state.at) : play()),
    slot: turn,
    cell: (strip, way) => {
      walkCells(strip, way);
      render(null);
    },
    token: (direction) => walk(parts.ribbon, direction),
    why: explain,
    paced: () => {
      if (state.playing) schedule();
      render();
    },
    press: (name) => presenter.on() || PRESSES[name](), // what is out of sight is out of reach
    view: () => parts.view.click(),
    algorithm: () => {
      state.algorithm = !showsAlgorithm();
      render();
    },
    help: () => help.open(),
    letters: () => help.letters(),
    present: () => presenter.enter(),
    presenting: () => presenter.on(),
    blank: () => presenter.blank(),
    notes: () => presenter.notes(),
    leave: () => card.close() || presenter.leave(),
    tab: (place) => tabs.turn(place),
    instead: () => (tabs.shown() === 'race' && racing.raced() ? racing.want : {}),
  };
  const controls = createControls(root, parts.caption, want);
  const card = createCard(root, (at) => reveal(at));
  const help = createHelp(root);
  const status = createStatus(parts, () => state.story && !state.playing && play(), port.fetch, (delta) => feed(delta));
  const charts = createCharts(port.charts);
  const vocabulary = createVocabulary(root, port.row);
  const losslessness = createLosslessness(port);
  const labs = createLabs(port, redraw);
  const main = root.querySelector('[data-sv="main"]');
  const racing = createRacing({ ask: port.race, fetch: (run, n) => feed({ run, n, j: null }), still: () => stillness.matches });
  main.after(racing.node, losslessness.node, ...Object.values(labs.panels));
  root.querySelector('[data-sv="toolbar"]').before(racing.bar);
  const tabs = createTabs(root, { round: main, race: racing.node, losslessness: losslessness.node, ...labs.panels }, () => {
    if (tabs.shown() !== 'race') racing.leave();
    render(null);
  });
  parts.about.before(tabs.node);
  const presenter = createPresenter(root, controls.parts, () => render());
  parts.ribbon.addEventListener('click', ({ target }) => target.matches('[data-sv="token"]') && explain(target));
  parts.bars.addEventListener('click', ({ target }) => target.matches('[data-sv="open-rest"]') && openRest());
  const answers = { row: vocabulary.hear, proof: losslessness.hear, race: racing.hear, lab: labs.hear, turn: (seconds) => status.turn(seconds, port.again) };
  const remark = (kind, text, run) => (answers[kind] ? answers[kind](text, run) : status.remark(kind, text, run));
  const feed = createFeed(port.fetch, { trace: grow, remark, lost: () => status.refuse(words.lost) });
  write(parts.caption, opened ? words.loading : words.empty);
  port.watch(() => feed(port.read()));
  port.wants((name) => ({ run: asked, stop: status.stopped, unlooked: vocabulary.broke, unproved: losslessness.broke, unraced: racing.broke, untried: labs.broke, settings: toggleDrawer, help: () => help.open(), dark: () => toggleDark(), present: () => presenter.enter(), cut: () => status.remark('cut') })[name]?.());
  watchTheme(() => state.story && drawCharts());
  window.addEventListener('resize', () => render());
  mindDrawer();
  feed(opened).finally(port.opened);

  /** A run is on its way, and needs the models that a sample would keep from it. */
  function asked() {
    [losslessness, labs].forEach((part) => part.drop());
    status.asked();
  }

  /** The trace grew. One without rounds has nothing to show: what is on stage stays. */
  function grow(trace) {
    status.grew(trace);
    if (!trace.rounds.length) return;
    const isNew = trace !== state.story?.trace;
    if (isNew) open(trace);
    extend(state.story);
    if (isNew && !state.playing) state.at = still(state.story.beats, trace.rounds);
    if (isNew) redraw();
    else state.frame ||= requestAnimationFrame(redraw);
    drawCharts();
    if (!state.playing) return;
    if (isNew) schedule();
    else if (state.waiting) tick();
  }

  /** What growing changes on screen; the beat on stage goes on moving. */
  function redraw() {
    cancelAnimationFrame(state.frame);
    state.frame = 0;
    stage.drawLanes(lanes(state.story));
    render(null);
  }

  /** A run takes the stage: the one just asked for plays by itself, a recorded one waits on its still. */
  function open(trace) {
    clearTimeout(state.timer);
    charts.forget();
    const live = status.open(trace);
    Object.assign(state, { story: storyOf(trace), at: 0, picked: null, waiting: false, playing: live });
    if (live) root.scrollIntoView({ block: 'nearest' });
    card.close();
    vocabulary.close();
    [losslessness, racing, labs].forEach((part) => part.open());
  }

  function showsAlgorithm() {
    return state.algorithm ?? (wide.matches && (presenter.on() || teaches(controls.pace(), 0)));
  }

  /** Draws the beat; time is how long it may take to arrive, null to leave what moves alone. */
  function render(time = 0) {
    if (!state.story) return;
    const { story, at } = state;
    const { trace, beats } = story;
    const now = scene(story, at, state.picked);
    const motion = stillness.matches ? 0 : time;
    const shown = showsAlgorithm();
    if (time !== null) root.style.setProperty('--move', `${motion}ms`);
    set(parts.caption, { 'aria-live': state.playing && now.kind !== 'trim' ? 'off' : 'polite' });
    stage.draw(now);
    if (time !== null) arrive(parts, now, motion);
    presenter.note(() => why(trace, beats, at, { round: now.round, slot: now.focus }).sentence);
    if (tabs.shown() === 'losslessness') losslessness.look(story, at, now.focus);
    else if (tabs.shown() === 'race') racing.look(story);
    else labs.look(tabs.shown(), story);
    status.refresh();
    controls.show({ ...now.scrub, playing: state.playing });
    set(controls.parts.algorithm, { 'aria-pressed': String(shown) });
    write(parts.source, words.run({ ...trace.info.config, target: trace.info.target }));
    const ahead = trace.stop ? 0 : trace.rounds.length - 1 - now.round;
    write(parts.ahead, words.ahead(ahead));
    set(parts.ahead, { hidden: ahead < 1 });
    charts.mark(now.round);
    set(root, {
      'data-ready': 'true', 'data-round': now.round, 'data-phase': now.kind, 'data-step': at, 'data-steps': beats.length, 'data-algorithm': String(shown),
    });
  }

  function show(at, time) {
    if (!state.story) return;
    state.at = Math.max(0, Math.min(state.story.beats.length - 1, at));
    state.picked = null;
    card.close();
    render(time);
  }

  /** Stops playing and goes to a beat; one step on may move there. */
  function move(at, moves = false) {
    if (!state.story) return;
    pause();
    show(at, moves && state.story.beats[at] ? moving(state.story.beats[at], controls.pace()) : 0);
  }

  function play() {
    if (!state.story) return;
    const { beats, trace } = state.story;
    state.playing = true;
    if (trace.stop && state.at === beats.length - 1) show(0);
    render();
    schedule();
  }

  function pause() {
    clearTimeout(state.timer);
    state.playing = false;
  }

  /** Gives the beat on screen its time from now on. */
  function schedule() {
    clearTimeout(state.timer);
    state.due = performance.now() + stay(state.story, state.at, controls.pace());
    state.timer = setTimeout(tick, state.due - performance.now());
  }

  /** Goes on. Only real time may owe several beats at once; a live run's next round is waited for, see grow(). */
  function tick() {
    const { story, at } = state;
    const now = performance.now();
    const next = passed(story, at, controls.pace(), now - state.due);
    state.waiting = next.at === at && !story.trace.stop;
    if (next.at === at) {
      if (!state.waiting) want.toggle();
      return;
    }
    show(next.at, moving(story.beats[next.at], controls.pace()));
    state.due = now + next.left;
    state.timer = setTimeout(tick, next.left);
  }

  /** Looks at a slot, whatever the beat. */
  function pick(slot) {
    if (!state.story) return;
    pause();
    state.picked = slot;
    render();
    parts.lane.children[slot].focus();
  }

  /** The slot on show, picked or followed. */
  function focused() {
    return [...parts.lane.children].findIndex((slot) => slot.getAttribute('aria-selected') === 'true');
  }

  function turn(direction) {
    const many = parts.lane.childElementCount;
    pick((focused() + direction + many) % many);
  }

  /** Opens the figure's last row: the whole vocabulary at the slot on show. */
  function openRest() {
    pause();
    render();
    vocabulary.open(state.story.trace, state.story.beats[state.at].round, focused());
  }

  /** Opens the why-card of a slot or of a token of the ribbon. */
  function explain(target) {
    pause();
    render();
    const { trace, beats } = state.story;
    const slot = target.closest('[data-sv="slot"]');
    const token = slot ? null : shownBy(target);
    const where = slot ? { round: beats[state.at].round, slot: [...parts.lane.children].indexOf(slot) } : token.at;
    const told = why(trace, beats, state.at, where);
    card.why({ ...told, token: told.token ?? token?.text ?? null }, target);
  }

  /** Shows a judged token of any round in the figure. */
  function reveal({ round, slot }) {
    tabs.show('round');
    const here = state.story.beats[state.at];
    if (here.round !== round) state.at = Math.max(state.story.rounds[round].beat, state.story.rounds[round + 1].beat - 2);
    pick(slot);
  }

  function drawCharts() {
    charts.show(state.story.trace, () => state.story.beats[state.at]?.round ?? 0);
  }
}

/**
 * main.js: mounts the player and keeps its only state: the trace, the beat, the picked slot, whether it plays.
 * Player time is a chain of timeouts; the model's clock never enters, and the model never waits for it.
 */

import { createControls } from './controls.js';
import { createStage } from './draw.js';
import { set, write } from './dom.js';
import { createFeed } from './live.js';
import { scene } from './scene.js';
import { DURATION, extend, roundStep, still } from './timeline.js';
import { words } from './words.js';

/** Milliseconds between redraws of the charts in a live run: each costs the browser more than many beats. */
const CHARTS_EVERY = 5000;

/**
 * root: the element to fill. port: { read(): newest delta, watch(react), fetch(request): Promise of messages,
 * asked(react) to the Run button, charts(request) }: the page it lives in.
 */
export function mount(root, port) {
  set(root, { role: 'region', 'aria-label': words.region });
  const opened = port.read();
  const state = {
    trace: null, beats: [], at: 0, picked: null, playing: false, timer: 0, // the trace on stage, and where in it
    awaited: null, pending: '', live: false, // the run asked for, what became of it so far, and whether it is on stage
    chartsAt: 0, chartsTimer: 0,
  };
  const stage = createStage(root, (slot) => pick(slot));
  const { parts } = stage;
  const controls = createControls(root, parts.caption, {
    step: (direction) => move(state.at + direction),
    round: (direction) => move(roundStep(state.beats, state.at, direction)),
    seek: (at) => move(at),
    toggle: () => (state.playing ? move(state.at) : play()),
    slot: (direction) => turn(direction),
  });
  const feed = createFeed(port.fetch, { trace: grow, remark, lost: () => refuse(words.lost) });
  write(parts.caption, opened ? words.loading : words.empty);
  port.watch(() => feed(port.read()));
  port.asked(() => pend(words.asked));
  feed(opened);

  function grow(trace, isNew) {
    if (isNew) open(trace);
    const waiting = state.at >= state.beats.length - 1;
    extend(state.beats, trace.rounds);
    if (isNew && !state.playing) state.at = still(state.beats, trace.rounds);
    render();
    charts();
    if (state.playing && waiting) schedule();
  }

  /** A run takes the stage: the one just asked for plays by itself, a recorded one waits on its still. */
  function open(trace) {
    clearTimeout(state.timer);
    clearTimeout(state.chartsTimer);
    const live = trace.run === state.awaited;
    Object.assign(state, { trace, beats: [], at: 0, picked: null, playing: live, live, chartsAt: 0, chartsTimer: 0 });
    if (live) {
      pend('');
      root.scrollIntoView({ block: 'nearest' });
    }
    set(parts.refusal, { hidden: true });
  }

  /** "note": a run is coming. "refusal": it is not. "idle": the page is done with it, whatever happened. */
  function remark(kind, text, run) {
    if (kind === 'refusal') refuse(words.refused(text));
    else if (kind === 'idle') pend('');
    else {
      state.awaited = run;
      set(parts.refusal, { hidden: true });
      pend(text);
    }
  }

  function refuse(text) {
    pend('');
    set(parts.refusal, { hidden: false });
    write(parts.refusal, text);
    parts.refusal.scrollIntoView({ block: 'nearest' });
  }

  function pend(text) {
    state.pending = text;
    write(parts.note, text || provenance());
  }

  function provenance() {
    if (!state.trace) return '';
    if (!state.live) return words.recorded(state.trace.info.recorded);
    return state.trace.stop ? words.done : words.live;
  }

  function render() {
    const { trace, beats } = state;
    if (!beats.length) return;
    const now = scene(trace, beats, state.at, state.picked);
    const kind = beats[state.at].kind;
    set(parts.caption, { 'aria-live': state.playing && kind !== 'trim' ? 'off' : 'polite' });
    stage.draw(now);
    pend(state.pending);
    controls.show({ ...now.scrub, playing: state.playing });
    write(parts.source, words.run({ ...trace.info.config, target: trace.info.target }));
    const ahead = trace.stop ? 0 : trace.rounds.length - 1 - beats[state.at].round;
    write(parts.ahead, words.ahead(ahead));
    set(parts.ahead, { hidden: ahead < 1 });
    set(root, { 'data-ready': true });
  }

  function show(at) {
    state.at = Math.max(0, Math.min(state.beats.length - 1, at));
    state.picked = null;
    render();
  }

  function move(at) {
    pause();
    show(at);
  }

  function play() {
    state.playing = true;
    if (state.trace?.stop && state.at === state.beats.length - 1) show(0);
    render();
    schedule();
  }

  function pause() {
    clearTimeout(state.timer);
    state.playing = false;
  }

  /** Arms the next beat; at the end of a live run there is none yet, and grow() comes back here. */
  function schedule() {
    clearTimeout(state.timer);
    const beat = state.beats[state.at];
    if (beat) state.timer = setTimeout(advance, DURATION[beat.kind] / controls.pace());
  }

  function advance() {
    const last = state.at === state.beats.length - 1;
    if (last && !state.trace.stop) return;
    if (last) pause();
    show(last ? state.at : state.at + 1);
    if (!last) schedule();
  }

  function pick(slot) {
    pause();
    state.picked = slot;
    render();
    parts.lane.children[slot].focus();
  }

  function turn(direction) {
    const many = parts.lane.childElementCount;
    const here = [...parts.lane.children].findIndex((slot) => slot.getAttribute('aria-selected') === 'true');
    pick((here + direction + many) % many);
  }

  /** Asks for the charts: at once when the run is complete, else now and then. */
  function charts() {
    clearTimeout(state.chartsTimer);
    const { run, stop } = state.trace;
    const wait = stop ? 0 : Math.max(0, state.chartsAt + CHARTS_EVERY - Date.now());
    state.chartsTimer = setTimeout(() => {
      state.chartsAt = Date.now();
      port.charts({ run, dark: document.body.classList.contains('dark') });
    }, wait);
  }
}

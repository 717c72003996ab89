/**
 * status.js: the line that says what the run on stage is, and the alert when one was not made or broke off.
 */

import { PRESSES, mend, showGone, showRunning, watchQueue } from './gradio.js';
import { el, set, write } from '../base/dom.js';
import { explainRefusal } from './refusal.js';
import { createWatchdog } from './watchdog.js';
import { fieldOf } from './widgets.js';
import { words } from './words.js';

/** Milliseconds between two checks whether the server answers, while something is expected of it. */
const EVERY = 1500;

/**
 * { broken(), close(), asked(), stopped(), turn(seconds, join), remark(kind, text, run), refuse(text), tell(text, offer, act), grew(trace), open(trace), refresh() } over
 * the frame's elements. play(): what is on stage, while a run is waited for. fetch and news: see watchdog.js. alive():
 * Promise whether the server answers. story(): what is on stage.
 */
export function createStatus({ pill, refusal, meanwhile }, { play, fetch, news, alive, story }) {
  let asking = false; // true from Run until the run has its place in the queue
  let awaited = null; // the run that was asked for
  let pending = ''; // how far that run has come
  let shown = null; // the trace on stage
  let live = false;
  let cut = null; // a trace that broke off
  let pace = 0; // seconds a run takes here, 0 where nobody knows
  let expecting = false; // whether the server still owes a message
  let gone = false;
  watchQueue((place, size) => pending.startsWith(words.asked) && say(words.place(place, size, pace * place), true));
  meanwhile.addEventListener('click', play);
  const watchdog = createWatchdog(fetch, { news, gone: () => broken() });
  watch();

  /** Asks whether the server is there while something is expected of it, and after it was gone until it is back. */
  async function watch() {
    if (expecting || gone) {
      const there = await alive();
      if (!there && !gone && expecting) lost();
      else if (there && gone) back();
    }
    setTimeout(watch, EVERY);
  }

  function lost() {
    gone = true;
    showGone(true);
    broken();
    const { rounds = [] } = story()?.trace ?? {};
    alarm(rounds.length ? words.gone(rounds.length) : words.goneEmpty, words.retry, async () => (await alive()) && back());
  }

  function back() {
    gone = false;
    showGone(false);
    set(refusal, { hidden: true });
  }

  function say(text, waits = false) {
    pending = text;
    set(meanwhile, { hidden: !waits || !shown });
    refresh();
  }

  function refresh() {
    write(pill, pending || provenance());
  }

  function provenance() {
    if (!shown) return '';
    if (shown.file) return words.file.opened(shown.file);
    if (!live) return words.recorded(shown.info.recorded);
    if (shown.repeats) return words.repeated(shown.info.recorded);
    if (shown.stop) return words.done(shown.stop);
    return shown === cut ? words.cut : words.live;
  }

  /** Marks the run under way as broken off. */
  function broken() {
    cut = live ? shown : null;
    idle();
  }

  function idle() {
    expecting = false;
    showRunning(false);
    say('');
  }

  function refuse(text) {
    idle();
    alarm(text, words.retry, PRESSES.run);
  }

  /** Shows a refusal under the field it concerns, with a value that would be accepted. */
  function refused(line) {
    idle();
    const { text, field, value } = explainRefusal(line);
    const place = fieldOf(field)?.getBoundingClientRect();
    if (value === null) alarm(text, words.retry, PRESSES.run, place);
    else alarm(text, words.mend(value), () => mend(field, value), place);
    fieldOf(field)?.focus({ preventScroll: true });
  }

  function alarm(text, offer, act, place = null) {
    const offered = offer ? [el('button', { type: 'button' }, offer)] : [];
    offered.forEach((button) => button.addEventListener('click', act));
    const closing = el('button', { type: 'button', 'aria-label': words.dismiss }, '×');
    closing.addEventListener('click', () => set(refusal, { hidden: true }));
    refusal.replaceChildren(el('span', {}, text), ...offered, closing);
    const right = place?.left > window.innerWidth / 2; // there is no room to the right of it
    set(refusal, { hidden: false, 'data-end': right, style: place?.width && !right ? `left: ${Math.max(12, place.left)}px; transform: none` : null });
  }

  function coming(text) {
    expecting = true;
    showRunning(true);
    set(refusal, { hidden: true });
    say(text);
  }

  return {
    broken,
    refuse,
    refresh,
    tell: (text, offer, act) => alarm(text, offer, act),
    /** Closes the alert and says whether there was one. */
    close() {
      const there = !refusal.hidden && !gone;
      if (there) set(refusal, { hidden: true });
      return there;
    },
    asked() {
      asking = true;
      awaited = null;
      coming(words.asked);
    },
    stopped() {
      asking = false;
    },
    /** A place in the queue is there to be taken, by join(), unless Stop came first; runs take so many seconds. */
    turn(seconds, join) {
      pace = Number(seconds);
      if (asking) join();
      asking = false;
    },
    /** What the page says of a run beside its messages. */
    remark(kind, text, run) {
      const acts = {
        note() {
          awaited = run;
          coming(text);
        },
        refusal: () => refused(text),
        failure: () => refuse(words.failed(text)),
        unopened: () => alarm(text, words.file.another, PRESSES.open),
        idle,
        left: () => run === awaited && idle(),
      };
      acts[kind]?.();
    },
    /** A trace grew, on stage or not yet. */
    grew(trace) {
      const { run, live: made, stop, rounds } = trace;
      watchdog.heard(trace);
      if (made && trace !== shown) awaited ??= run; // its note was lost
      if (!stop || run !== awaited) return;
      expecting = false;
      showRunning(false);
      if (!rounds.length) say(words.nothing);
    },
    /** A trace takes the stage; true when it is the run that was asked for. */
    open(trace) {
      shown = trace;
      live = trace.run === awaited;
      set(refusal, { hidden: true });
      say('');
      return live;
    },
  };
}

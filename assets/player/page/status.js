/**
 * status.js: the line that says what the run on stage is, and the alert when one was not made or broke off.
 */

import { PRESSES, showRunning, watchQueue } from './gradio.js';
import { el, set, write } from '../base/dom.js';
import { createSilence } from './silence.js';
import { words } from './words.js';

/**
 * { asked(), stopped(), turn(seconds, join), remark(kind, text, run), refuse(text), grew(trace), open(trace), refresh() } over its elements.
 * play(): what is on stage, while a run is waited for. fetch and news: see silence.js.
 */
export function createStatus({ note, refusal, meanwhile }, play, fetch, news) {
  let asking = false; // until a run that is asked for may wait for its turn
  let awaited = null; // the run that was asked for
  let pending = ''; // what became of it so far
  let shown = null; // the trace on stage
  let live = false;
  let cut = null; // the trace whose end will not come
  let pace = 0; // seconds a run takes here, 0 where nobody knows
  watchQueue((place, size) => pending.startsWith(words.asked) && say(words.place(place, size, pace * place), true));
  meanwhile.addEventListener('click', play);
  const silence = createSilence(fetch, { news, gone: broken });

  function say(text, waits = false) {
    pending = text;
    set(meanwhile, { hidden: !waits || !shown });
    refresh();
  }

  function refresh() {
    write(note, pending || provenance());
  }

  function provenance() {
    if (!shown) return '';
    if (shown.file) return words.file.opened(shown.file);
    if (!live) return words.recorded(shown.info.recorded);
    if (shown.repeats) return words.repeated(shown.info.recorded);
    if (shown.stop) return words.done(shown.stop);
    return shown === cut ? words.cut : words.live;
  }

  /** Nothing more will come of the run under way. */
  function broken() {
    cut = live ? shown : null;
    idle();
  }

  function idle() {
    showRunning(false);
    say('');
  }

  function refuse(text) {
    idle();
    alarm(text, words.retry, PRESSES.run);
  }

  function alarm(text, offer, act) {
    const again = el('button', { type: 'button' }, offer);
    again.addEventListener('click', act);
    refusal.replaceChildren(el('span', {}, text), again);
    set(refusal, { hidden: false });
    refusal.scrollIntoView({ block: 'nearest' });
  }

  function coming(text) {
    showRunning(true);
    set(refusal, { hidden: true });
    say(text);
  }

  return {
    refuse,
    refresh,
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
        refusal: () => refuse(words.refused(text)),
        failure: () => refuse(words.failed(text)),
        unopened: () => alarm(text, words.file.another, PRESSES.open),
        idle,
        cut: broken,
        left: () => run === awaited && idle(),
      };
      acts[kind]?.();
    },
    /** A trace grew, on stage or not yet. */
    grew(trace) {
      const { run, live: made, stop, rounds } = trace;
      silence.heard(trace);
      if (made && trace !== shown) awaited ??= run; // its note was lost
      if (!stop || run !== awaited) return;
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

/**
 * status.js: the line that says what the run on stage is, or how far the next one has come, and what the
 * page does when a run is refused or breaks off.
 */

import { PRESSES, showRunning, watchQueue } from './gradio.js';
import { createAlarm } from './alarm.js';
import { watchServer } from './server.js';
import { set, write } from '../base/dom.js';
import { explainFailure, explainRefusal } from './refusal.js';
import { within } from './loading.js';
import { createWatchdog } from './watchdog.js';
import { tell, words } from '../words/words.js';

/**
 * { broken(), close(), asked(), stopped(), turn(seconds, join), remark(kind, text, run), refuse(text),
 * tell(text, offer, act), grew(trace), open(trace), refresh() } over the frame's elements. play(): what is
 * on stage, while a run is waited for. fetch and news: see watchdog.js. alive(): Promise whether the server
 * answers. story(): what is on stage.
 */
export function createStatus({ pill, refusal, meanwhile }, { play, fetch, news, alive, story }) {
  const alarm = createAlarm(refusal);
  const line = createLine(pill, meanwhile);
  const place = createPlace(line);
  const progress = createProgress(line, alarm);
  let awaited = null; // the run that was asked for
  meanwhile.addEventListener('click', play);
  const watchdog = createWatchdog(fetch, { news, gone: progress.broken });
  const server = watchServer(alive, { needed: progress.expected, lost, back: alarm.hide });

  function lost() {
    progress.broken();
    const { rounds = [] } = story()?.trace ?? {};
    alarm.show(
      rounds.length ? words.gone({ round: rounds.length }) : words.goneEmpty,
      words.retry,
      server.retry,
    );
  }

  const acts = {
    note: (text, run) => {
      awaited = run;
      progress.coming(tell(text));
    },
    refusal: (line) => progress.refused(explainRefusal(line)),
    failure: (line) => progress.refused(explainFailure(line)),
    unopened: (text) => alarm.show(text, words.file.another, PRESSES.open),
    idle: progress.idle,
    left: (text, run) => run === awaited && progress.idle(),
  };

  return {
    broken: progress.broken,
    refuse: progress.refuse,
    refresh: line.refresh,
    tell: alarm.show,
    stopped: place.giveUp,
    turn: place.turn,
    /** Closes the alert and says whether there was one. */
    close: () => !server.gone() && alarm.hide(),
    asked() {
      place.want();
      awaited = null;
      progress.coming(words.asked);
    },
    /** What the page says of a run beside its messages. */
    remark: (kind, text, run) => acts[kind]?.(text, run),
    /** A trace grew, on stage or not yet. */
    grew(trace) {
      const { run, live, stop, rounds } = trace;
      watchdog.heard(trace);
      if (live && trace !== line.shown()) awaited ??= run; // its note was lost
      if (stop && run === awaited) progress.made(rounds.length);
    },
    /** A trace takes the stage; true when it is the run that was asked for. */
    open(trace) {
      alarm.hide();
      return line.open(trace, trace.run === awaited);
    },
  };
}

/** The run that was asked for: whether the server still owes a message, and what is said of how it ended. */
function createProgress(line, alarm) {
  let expecting = false;

  function expect(more) {
    expecting = more;
    showRunning(more);
  }

  function idle() {
    expect(false);
    line.say('');
  }

  function refuse(text) {
    idle();
    alarm.show(text, words.retry, PRESSES.run);
  }

  return {
    idle,
    refuse,
    expected: () => expecting,
    /** A refusal, or why a run broke off: see refusal.js. */
    refused(reason) {
      idle();
      alarm.refuse(reason);
    },
    coming(text) {
      expect(true);
      alarm.hide();
      line.say(text);
    },
    /** Marks the run under way as broken off. */
    broken() {
      line.cut();
      idle();
    },
    /** All of it arrived. */
    made(rounds) {
      expect(false);
      if (!rounds) line.say(words.nothing);
    },
  };
}

/** A place in the queue: { want(), giveUp(), turn(seconds, join) }. */
function createPlace(line) {
  let waiting = false; // true from Run until the run has its place
  let pace = 0; // seconds a run takes here, 0 where nobody knows
  watchQueue(
    (place, size) =>
      line.waits() &&
      line.say(words.place({ place, size, wait: pace ? within(words.wait, pace * place) : null }), true),
  );
  return {
    want() {
      waiting = true;
    },
    giveUp() {
      waiting = false;
    },
    /** A place is there to be taken, by join(), unless Stop came first; runs take so many seconds. */
    turn(seconds, join) {
      pace = Number(seconds);
      if (waiting) join();
      waiting = false;
    },
  };
}

/** The line itself: how far the run that was asked for has come, or what the one on stage is. */
function createLine(pill, meanwhile) {
  let pending = ''; // how far the run that was asked for has come
  let placed = false; // whether that is its place in the queue
  let shown = null; // the trace on stage
  let live = false; // whether that was asked for here
  let brokenOff = null; // a trace that broke off

  function say(text, waits = false) {
    [pending, placed] = [text, waits];
    set(meanwhile, { hidden: !waits || !shown });
    refresh();
  }

  function refresh() {
    write(pill, pending || provenance());
  }

  function provenance() {
    if (!shown) return '';
    if (shown.file) return words.file.opened(shown.file);
    if (!live) return words.recorded;
    if (shown.repeats) return words.repeated({ time: shown.info.recorded.slice(11, 16) });
    if (shown.stop) return words.done({ stop: shown.stop });
    return shown === brokenOff ? words.cut : words.live;
  }

  return {
    say,
    refresh,
    waits: () => placed || pending === words.asked,
    shown: () => shown,
    cut() {
      brokenOff = live ? shown : null;
    },
    open(trace, asked) {
      [shown, live] = [trace, asked];
      say('');
      return live;
    },
  };
}

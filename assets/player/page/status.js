/**
 * status.js: the line that says what the run on stage is, or how far the next one has come, and what the
 * page does when a run is refused or breaks off.
 */

import { PRESSES, showPending, showRunning, watchQueue } from './gradio.js';
import { createAlarm } from './alarm.js';
import { watchServer } from './server.js';
import { set, write } from '../base/dom.js';
import { clean } from '../base/format.js';
import { explainFailure, explainRefusal } from './refusal.js';
import { within } from './loading.js';
import { createWatchdog } from './watchdog.js';
import { tell, words } from '../words/words.js';

/**
 * @typedef {object} Status
 * @property {() => void} broken the run under way broke off, or the server did not take it
 * @property {() => boolean} close closes the alert, and says whether there was one
 * @property {() => void} onRunRequested a run was asked for
 * @property {() => void} stopped Stop was pressed
 * @property {(seconds: string, join: () => void) => void} turn a place in the queue is there to be taken
 * @property {(kind: string, text: string, run: string) => void} remark what the page says of a run
 * @property {(text: string) => void} refuse
 * @property {(text: string, offer: string, act: () => void) => void} tell
 * @property {(trace: object) => void} onTrace a trace grew, on stage or not yet
 * @property {(trace: object) => boolean} open a trace takes the stage; whether it is the one that was asked for
 * @property {() => void} refresh
 * @property {() => boolean} expects whether a run is waited for, or under way
 */

/**
 * The status over the frame's elements. play(): what is on stage, while a run is waited for. fetch and news:
 * see watchdog.js. alive(): Promise whether the server answers. story(): what is on stage. checkFile(run): see
 * check in files.js; open() asks for another one.
 * @returns {Status}
 */
export function createStatus(
  { pill, refusal, meanwhile, check },
  { play, fetch, news, alive, story, checkFile, open, differ },
) {
  const alarm = createAlarm(refusal);
  const line = createLine(pill, meanwhile, check);
  const [place, progress] = [createPlace(line), createProgress(line, alarm)];
  let awaited = null; // the run that was asked for
  meanwhile.addEventListener('click', play);
  check.addEventListener('click', () =>
    alarm.show(words.file.sends, words.file.send, () => checkNumbers(line, alarm, checkFile)),
  );
  const watchdog = createWatchdog(fetch, { news, gone: progress.broken });
  const needed = () => progress.expected() || differ.waits();
  const server = watchServer(alive, { needed, lost, back: alarm.hide });

  function lost() {
    differ.close(); // it would lie over what is said
    progress.broken();
    alarm.show(saysGone(story()), words.retry, server.retry);
  }

  const acts = {
    note: (text, run) => {
      awaited = run;
      progress.wait(tell(text));
    },
    refusal: (line) => progress.refused(explainRefusal(line)),
    failure: (line) => progress.refused(explainFailure(line)),
    unopened: (text) => alarm.show(text, words.file.another, open),
    idle: progress.idle,
    left: (text, run) => run === awaited && progress.idle(),
  };

  return {
    broken: progress.failed,
    refuse: progress.refuse,
    refresh: line.refresh,
    expects: progress.expected,
    tell: alarm.show,
    stopped: place.giveUp,
    turn: place.turn,
    close: () => !server.gone() && alarm.hide(),
    onRunRequested() {
      place.want();
      awaited = null;
      progress.wait(words.waiting);
    },
    remark: (kind, text, run) => acts[kind]?.(text, run),
    onTrace(trace) {
      watchdog.watch(trace);
      if (trace.live && trace !== line.shown()) awaited ??= trace.run; // its note was lost
      if (trace.run === awaited) progress.came(trace.stop, trace.rounds.length);
    },
    open(trace) {
      alarm.hide();
      return line.open(trace, trace.run === awaited);
    },
  };
}

/** That the server is gone, and how much of the run on stage is there. */
function saysGone(story) {
  const round = story?.trace.rounds.length;
  return round ? words.gone({ round }) : words.goneEmpty;
}

/** The run that was asked for: whether the server still owes a message, and what is said of how it ended. */
function createProgress(line, alarm) {
  let expecting = false;
  let begun = false; // whether any of the run came

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

  function broken() {
    line.cut();
    idle();
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
    wait(text) {
      begun = false;
      expect(true);
      alarm.hide();
      line.say(text);
    },
    /** Marks the run under way as broken off. */
    broken,
    /** Gradio says that it failed: while it was made, or because the server did not take it. */
    failed: () => (begun ? broken() : expecting && refuse(words.untaken)),
    /** How many of its rounds arrived; with the last comes why it stopped. */
    came(stop, rounds) {
      begun = true;
      if (!stop) return;
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
    /** A place is there to be taken, by join(), unless Stop came first; runs take that many seconds. */
    turn(seconds, join) {
      pace = Number(seconds);
      if (waiting) join();
      waiting = false;
    },
  };
}

/** Has the server check the numbers of the file on stage, and says what it found. */
async function checkNumbers(line, alarm, checkFile) {
  const { run, file } = line.shown();
  const become = (checked) => {
    file.checked = checked;
    line.refresh();
  };
  alarm.hide();
  become('asked');
  const report = await checkFile(run);
  become(!report ? 'no' : report.count ? 'broken' : 'sound');
  if (line.shown().run !== run) return;
  if (!report) alarm.show(words.file.unchecked);
  else if (report.count) {
    const heading = words.file.contradictions({ name: file.name, count: report.count });
    alarm.show([heading, ...report.first.map(clean)].join('\n'));
  }
}

/** The line itself: how far the run that was asked for has come, or what the one on stage is. */
function createLine(pill, meanwhile, check) {
  let pending = ''; // how far the run that was asked for has come
  let placed = false; // whether that is its place in the queue
  let shown = null; // the trace on stage
  let live = false; // whether that was asked for here
  let brokenOff = null; // a trace that broke off

  function say(text, waits = false) {
    [pending, placed] = [text, waits];
    showPending(text);
    set(meanwhile, { hidden: !waits || !shown });
    refresh();
  }

  function refresh() {
    write(pill, pending || provenance());
    set(check, { hidden: pending !== '' || shown?.file?.checked !== 'no' });
  }

  function provenance() {
    if (!shown) return '';
    if (shown.file) return words.file.opened(shown.file);
    if (shown.info.loop) return words.fromLoop({ loop: clean(shown.info.loop) });
    if (!live) return words.recorded;
    if (shown.repeats) return words.repeated({ time: shown.info.recorded.slice(11, 16) });
    if (shown.stop) return words.done({ stop: shown.stop });
    return shown === brokenOff ? words.cut : words.live;
  }

  return {
    say,
    refresh,
    waits: () => placed || pending === words.waiting,
    shown: () => shown,
    cut() {
      brokenOff = live ? shown : null;
    },
    open(trace, isOurs) {
      [shown, live] = [trace, isOurs];
      say('');
      return live;
    },
  };
}

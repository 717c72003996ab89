/**
 * tab.js: the race of the run on stage. Two lanes type, on one clock, what was measured while nothing was
 * drawn; the result is said when both have finished. Below is what makes the speed.
 */

import { tell } from '../../words/words.js';
import { button, el, set, write } from '../../base/dom.js';
import { clean, count, number } from '../../base/format.js';
import { createJob } from '../../page/job.js';
import { estimate, isSameText, raceOf, tokensOf, unraceable } from '../../trace/race.js';
import { placesOf } from '../../trace/timeline.js';
import { createPlayback } from './playback.js';
import { words } from '../words.js';

/**
 * ask(question) asks the page, fetch(run, n) gets a message of the run on stage, still() is whether nothing
 * may move, more is what is below: bars about the run. { node, want, raced(), look(story), onReport(text),
 * open(), broke(), leave() }: want is its keys while one is on show; look shows the tab, onReport takes the
 * text of a "race" remark, open makes room for another run, broke hears that the engine did, leave stops
 * playing.
 */
export function createRacing({ ask, fetch, still, more }) {
  const node = el('div', { 'data-sv': 'race' });
  const playback = createPlayback(node, still);
  const parts = createParts(() => story && question.start(story.trace.run, race !== null));
  const question = createQuestion(ask, parts.note, { onChange: () => story && look(story), timed: fetch });
  const why = el('section', { 'data-sv': 'race-bars' }, el('h3', {}, words.speed.title), playback.fall, more);
  node.append(parts.head, parts.about, parts.note, playback.node, why);
  let story = null; // the run on stage
  let race = null; // its race, as drawn

  function look(onStage) {
    if (story !== onStage) [story, race] = [onStage, null];
    const before = race;
    race = raceOf(story.trace);
    if (race && race !== before) playback.draw(story);
    [playback.node, playback.fall].forEach((part) =>
      set(part, { hidden: !race, 'data-stale': question.busy() }),
    );
    set(node, paint(parts, question, story, race));
    if (race) playback.begin();
  }

  function open() {
    playback.forget();
    [story, race] = [null, null];
    question.forget();
  }

  return {
    node,
    look,
    want: playback.want,
    raced: () => race !== null,
    onReport: (text) => question.onReport(text, playback.focus),
    open,
    broke: question.broke,
    leave: playback.leave,
  };
}

/**
 * The question for a run's times. note says what became of it; onChange() is called when that changes; timed(run,
 * at) takes the times in. { start(run, again), onReport(text, done), broke(), forget(), busy(), refusal(),
 * measured(run) }: done() hears that the times are in, measured is whether a run was timed since the page
 * was opened.
 */
function createQuestion(ask, note, { onChange, timed }) {
  const texts = words.race;
  const job = createJob(ask, () => {}, Math.random().toString(36).slice(2));
  const timedRuns = new Set();
  let [awaited, refusal] = [null, '']; // the run whose times are awaited; why there are none

  function settle(text, refused = false) {
    refusal = refused ? text : '';
    write(note, clean(text));
    onChange();
  }

  function fail(text) {
    awaited = null;
    settle(text, true);
  }

  async function arrive(at, done) {
    const run = awaited;
    awaited = null;
    timedRuns.add(run);
    await timed(run, at);
    settle('');
    done();
  }

  return {
    start(run, again) {
      if (awaited) return;
      awaited = run;
      job.start({ run, again });
      settle(texts.waiting);
    },
    onReport(text, done) {
      const report = job.onReport(JSON.parse(text));
      if (!report) return;
      if (report.error !== undefined) fail(texts.refused({ reason: tell(report.error) }));
      else if (report.at !== undefined) arrive(report.at, done);
      else write(note, tell(report.note));
    },
    broke: () => job.cancel() && fail(texts.broke),
    forget() {
      job.cancel();
      [awaited, refusal] = [null, ''];
      write(note, '');
    },
    busy: () => awaited !== null,
    refusal: () => refusal,
    measured: (run) => timedRuns.has(run),
  };
}

/** Everything above the race: what it is of, and the button that measures it. */
function createParts(start) {
  const texts = words.race;
  const measure = button({ 'data-sv': 'race-start' }, start);
  const pill = el('span', { 'data-sv': 'pill' });
  const [facts, how] = [el('strong'), el('span')];
  return {
    measure,
    pill,
    facts,
    how,
    head: el('header', { 'data-sv': 'lab-head' }, el('h2', {}, texts.title), pill, measure),
    about: el('p', { 'data-sv': 'race-about' }, facts, how),
    note: el('p', { role: 'status', 'data-sv': 'race-note' }),
  };
}

/** Draws what is above the race. Returns the attributes of the whole tab. */
function paint({ measure, note, facts, how, pill }, question, { trace }, race) {
  const texts = words.race;
  const [busy, refusal] = [question.busy(), question.refusal()];
  const hindrance = unraceable(trace);
  set(measure, { hidden: Boolean(hindrance), 'aria-disabled': busy ? 'true' : null });
  write(measure, race ? texts.remeasure : texts.start);
  set(note, { 'data-refused': Boolean(refusal), hidden: !note.textContent });
  write(facts, race || hindrance === 'making' ? '' : factsLine(trace));
  write(
    how,
    race
      ? texts.sourceNotes[isSameText(trace) ? 'equal' : 'other']
      : hindrance
        ? texts.unraceable[hindrance]
        : aboutLine(estimate(trace)),
  );
  write(pill, race ? pillOf(race.where, trace.live || question.measured(trace.run)) : '');
  set(pill, { hidden: !race });
  return {
    'data-state': busy
      ? 'busy'
      : race
        ? 'ready'
        : refusal || (hindrance && hindrance !== 'making')
          ? 'refused'
          : 'none',
  };
}

/** What is known of a run that was not timed. */
function factsLine({ rounds }) {
  const [made, passes] = [tokensOf({ rounds }), rounds.length];
  const judged = rounds.flatMap(placesOf);
  return words.race.facts({
    made,
    passes,
    perPass: number(made / passes),
    tested: judged.length,
    kept: count(judged.filter(({ verdict }) => verdict === 'accepted').length),
  });
}

/** What measuring is, and how long it takes: seconds. */
function aboutLine(seconds) {
  const short = seconds < 90;
  return words.race.about({ time: short ? seconds : Math.round(seconds / 60), unit: short ? 's' : 'min' });
}

/** Where a race was timed. */
function pillOf({ device, ...where }, here) {
  const { pills, machine } = words.head;
  return words.race.pill({
    pill: pills[here ? 'here' : 'recorded'],
    machine: machine({ machine: device, ...where }),
  });
}

/**
 * tab.js: the race. Two lanes type, on one clock, what was measured while nothing was drawn; the result is
 * said when both have finished. It opens on a race in which both write the same text; a person can choose
 * the run on stage instead.
 */

import { tell } from '../../words/words.js';
import { button, el, set, write } from '../../base/dom.js';
import { clean } from '../../base/format.js';
import { createJob } from '../../page/job.js';
import { storyOf } from '../../trace/story.js';
import { traceOf } from '../../trace/feed.js';
import { estimate, raceOf, unraceable } from '../../trace/race.js';
import { createPlayback } from './playback.js';
import { words } from '../words.js';

/** The shipped run whose text is plain decoding's own, token for token. */
const SAME = 'tale-small-model-shared-noise';

/**
 * ask(question) asks the page, fetch(run, n) gets a message of the run on stage, messages({ run, start,
 * stop }) those of any run, shipped are the runs there always are, still() is whether nothing may move. {
 * node, want, raced(), look(story), onReport(text), open(), broke(), leave() }: want is its keys while one is
 * on show; look shows the tab, onReport takes the text of a "race" remark, open makes room for another run,
 * broke hears that the engine did, leave stops playing.
 */
export function createRacing({ ask, fetch, messages, shipped, still }) {
  const node = el('div', { 'data-sv': 'race' });
  const playback = createPlayback(node, still);
  const parts = createParts({ start: () => story && question.start(story.trace.run, race !== null), select });
  const question = createQuestion(ask, parts.note, { onChange: () => stage && look(stage), timed });
  node.append(parts.head, parts.about, parts.note, playback.node);
  let stage = null; // the run on stage
  let poster = null; // the run with the same text in both lanes
  let chosen = null; // which of the two a person chose
  let story = null; // the one on show
  let race = null; // its race, as drawn
  loadPoster(messages, shipped).then((loaded) => {
    poster = loaded;
    if (stage && !node.parentElement.hidden) look(stage);
  });

  function select(name) {
    chosen = name;
    playback.pause();
    look(stage);
  }

  function look(onStage) {
    stage = onStage;
    const source = chosen ?? (poster && !stage.trace.live ? 'same' : 'run');
    const next = source === 'same' ? poster : stage;
    if (story !== next) [story, race] = [next, null];
    const before = race;
    race = raceOf(story.trace);
    if (race && race !== before) playback.draw(story);
    set(parts.sources, { hidden: !poster });
    set(playback.node, { hidden: !race, 'data-stale': question.busy() });
    set(node, paint(parts, question, { story, race, source }));
    if (race) playback.begin();
  }

  /** Takes the new times in: they are message `at` of a run. */
  async function timed(run, at) {
    if (run === poster?.trace.run && story === poster) poster = await withTimes(messages, run, at);
    else await fetch(run, at);
  }

  function open() {
    playback.forget();
    [stage, story, race, chosen] = [null, null, null, null];
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

/** The story of the run with the same text in both lanes; null where it is not shipped or does not come. */
async function loadPoster(messages, shipped) {
  if (!shipped.includes(SAME)) return null;
  const all = await messages({ run: SAME, start: 0, stop: 1e6 }).catch(() => null);
  return all && storyOf(traceOf(SAME, all));
}

/** The story of a run whose times are message `at` now. */
async function withTimes(messages, run, at) {
  const [before, [last]] = await Promise.all([
    messages({ run, start: 0, stop: at }),
    messages({ run, start: at, stop: at + 1 }),
  ]);
  return storyOf(traceOf(run, [...before.filter((_, index) => index < at), last]));
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

/**
 * Everything above the race: what it is of, and the button that measures it. acts: start(), select(source).
 */
function createParts({ start, select }) {
  const texts = words.race;
  const measure = button({ 'data-sv': 'race-start' }, start);
  const choices = ['same', 'run'].map((name) =>
    button({ 'data-source': name, 'aria-pressed': 'false' }, () => select(name), texts.sources[name]),
  );
  const sources = el(
    'div',
    { 'data-sv': 'race-sources', role: 'group', 'aria-label': texts.title },
    ...choices,
  );
  const pill = el('span', { 'data-sv': 'pill' });
  return {
    measure,
    choices,
    sources,
    pill,
    head: el('header', { 'data-sv': 'lab-head' }, el('h2', {}, texts.title), sources, pill, measure),
    about: el('p', { 'data-sv': 'race-about' }),
    note: el('p', { role: 'status', 'data-sv': 'race-note' }),
  };
}

/** Draws what stands above the race. Returns the attributes of the whole tab. */
function paint({ measure, choices, note, about, pill }, question, { story, race, source }) {
  const texts = words.race;
  const [busy, refusal] = [question.busy(), question.refusal()];
  const hindrance = unraceable(story.trace);
  choices.forEach((choice) => set(choice, { 'aria-pressed': String(choice.dataset.source === source) }));
  set(measure, { hidden: Boolean(hindrance), 'aria-disabled': busy ? 'true' : null });
  write(measure, race ? texts.remeasure : texts.start);
  set(note, { 'data-refused': Boolean(refusal), hidden: !note.textContent });
  write(
    about,
    race
      ? texts.sourceNotes[sameText(story) ? (source === 'same' ? 'same' : 'equal') : 'other']
      : hindrance
        ? texts.unraceable[hindrance]
        : aboutLine(estimate(story.trace)),
  );
  write(pill, race ? pillOf(race.where, story.trace.live || question.measured(story.trace.run)) : '');
  set(pill, { hidden: !race });
  return {
    'data-state': busy
      ? 'busy'
      : race
        ? 'ready'
        : refusal || (hindrance && hindrance !== 'making')
          ? 'refused'
          : 'none',
    'data-source': source,
  };
}

function sameText({ trace }) {
  const made = trace.rounds.flatMap(({ path, verdicts, extra }) => [
    ...path.map((at) => verdicts[at].token),
    ...(extra ? [extra.token] : []),
  ]);
  return made.join() === trace.race.tokens.join();
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

/**
 * tab.js: the race: two lanes type on one clock what was measured off the page; what it came to is said when both are in.
 * It opens on a race in which both write the same text; the run on stage is the other one. Under it, where the speed-up goes.
 */

import { createCost } from './draw-cost.js';
import { createWaterfall, createResult, createText, createTracks } from './draw.js';
import { el, set, write } from '../../base/dom.js';
import { clean } from '../../base/format.js';
import { createJob } from '../../page/job.js';
import { storyOf } from '../../trace/story.js';
import { traceOf } from '../../trace/feed.js';
import { headline } from './figures.js';
import { costsOf, estimate, raceOf, resultOf, unraceable } from '../../trace/race.js';
import { createRaceBar } from './draw-bar.js';
import { createClock } from './clock.js';
import { come, momentsOf, neighbour, raceLanes } from './sums-lanes.js';
import { waterfall } from './sums-waterfall.js';
import { words } from './words.js';

/** The shipped run whose text is plain decoding's own, token for token. */
const SAME = 'tale-small-model-shared-noise';

/**
 * ask(question) asks the page, fetch(run, n) gets a message of the run on stage, messages({ run, start, stop }) those of any
 * run, shipped are the runs there always are, still() is whether nothing may move. { node, want, raced(), look(story),
 * hear(text), open(), broke(), leave() }: want is its keys while one is on show; look shows the tab, hear takes the text of
 * a "race" remark, open makes room for another run, broke hears that the engine did, leave stops playing.
 */
export function createRacing({ ask, fetch, messages, shipped, still }) {
  const texts = words.race;
  const job = createJob(ask, () => {}, Math.random().toString(36).slice(2));
  const clock = createClock({ now: () => performance.now(), next: (react) => requestAnimationFrame(react), cancel: (frame) => cancelAnimationFrame(frame) }, place);
  const lines = { plain: createText('plain'), speculative: createText('speculative') };
  const [result, tracks, cost, fall] = [createResult(), createTracks(seek, lines), createCost(), createWaterfall()];
  const bar = createRaceBar({ toggle, seek, slow: clock.slow });
  const button = el('button', { type: 'button', 'data-sv': 'race-start' });
  const note = el('p', { role: 'status', 'data-sv': 'race-note' });
  const choose = Object.fromEntries(['same', 'run'].map((name) => {
    const node = el('button', { type: 'button', 'data-source': name, 'aria-pressed': 'false' }, texts.sources[name]);
    node.addEventListener('click', () => select(name));
    return [name, node];
  }));
  const sources = el('div', { 'data-sv': 'race-sources', role: 'group', 'aria-label': texts.title }, ...Object.values(choose));
  const [pill, about, answer, why] = [el('span', { 'data-sv': 'pill' }), el('p', { 'data-sv': 'race-about' }), el('strong', { 'data-sv': 'race-answer' }), el('span', { 'data-sv': 'race-why' })];
  const head = el('header', { 'data-sv': 'lab-head' }, el('h2', {}, texts.title), sources, pill, button);
  const shown = el('div', { 'data-sv': 'race-shown', hidden: true }, tracks.node, el('p', { 'data-sv': 'race-verdict', role: 'status' }, answer, ' ', why), bar.node, fall.node,
    el('section', { 'data-sv': 'race-details', 'aria-label': texts.details }, el('h3', {}, texts.details), result.node, cost.node));
  const node = el('div', { 'data-sv': 'race' }, head, about, note, shown);
  let stage = null; // the run on stage
  let poster = null; // the run with the same text in both lanes
  let chosen = null; // which of the two a person chose
  let story = null; // the one on show
  let race = null; // its race, as drawn
  let drawn = null; // lanes and moments of that race
  let awaited = null; // the run whose times are waited for
  let refusal = '';
  const here = new Set(); // runs that were timed since the page was opened
  let seen = false; // whether this race was played from its start
  button.addEventListener('click', start);
  if (shipped.includes(SAME)) {
    messages({ run: SAME, start: 0, stop: 1e6 }).then((found) => {
      poster = storyOf(traceOf(SAME, found));
      if (stage && !node.parentElement.hidden) look(stage);
    }, () => null); // without it the tab shows the run on stage
  }

  function select(name) {
    chosen = name;
    clock.pause();
    look(stage);
  }

  function start() {
    if (awaited || !story) return;
    awaited = story.trace.run;
    job.start({ run: awaited, again: race !== null });
    settle(texts.waiting);
  }

  /** Says what became of the question so far. */
  function settle(text, refused = false) {
    refusal = refused ? text : '';
    write(note, clean(text));
    if (stage) look(stage);
  }

  function look(given) {
    stage = given;
    const source = chosen ?? (poster && !stage.trace.live ? 'same' : 'run');
    const next = source === 'same' ? poster : stage;
    if (story !== next) [story, race] = [next, null];
    const found = raceOf(story.trace);
    if (found && found !== race) draw(found);
    race = found;
    const hindrance = unraceable(story.trace);
    const busy = awaited !== null;
    set(node, { 'data-state': busy ? 'busy' : race ? 'ready' : refusal || (hindrance && hindrance !== 'making') ? 'refused' : 'none', 'data-source': source });
    set(sources, { hidden: !poster });
    Object.entries(choose).forEach(([name, each]) => set(each, { 'aria-pressed': String(name === source) }));
    set(shown, { hidden: !race, 'data-stale': busy });
    set(button, { hidden: Boolean(hindrance), 'aria-disabled': busy ? 'true' : null });
    write(button, race ? texts.remeasure : texts.start);
    set(note, { 'data-refused': Boolean(refusal), hidden: !note.textContent });
    write(about, race ? texts.sourceNotes[sameText(story) ? (source === 'same' ? 'same' : 'equal') : 'other'] : hindrance ? texts.unraceable[hindrance] : texts.about(estimate(story.trace)));
    write(pill, race ? texts.pill(story.trace.live || here.has(story.trace.run), race.where) : '');
    set(pill, { hidden: !race });
    if (race && !seen) {
      seen = true;
      if (!still()) clock.play();
    }
  }

  function sameText({ trace }) {
    const made = trace.rounds.flatMap(({ path, verdicts, extra }) => [...path.map((at) => verdicts[at].token), ...(extra ? [extra.token] : [])]);
    return made.join() === trace.race.tokens.join();
  }

  function draw(found) {
    const lanes = raceLanes(story);
    const costs = costsOf(story.trace);
    const measured = resultOf(story.trace);
    drawn = { ...lanes, moments: momentsOf(lanes), summary: headline(measured), measured };
    result.draw(measured, costs);
    tracks.draw(lanes);
    cost.draw(found, costs);
    fall.draw(waterfall(story.trace), story.trace.race, Boolean(costs.siblings));
    Object.entries(lines).forEach(([name, line]) => line.draw(lanes.lanes[name]));
    seen = false;
    clock.open(lanes.total);
  }

  /** Shows where the clock stands; where nothing may move, only what has come to be. */
  function place() {
    if (!drawn) return;
    const { lanes, moments, total } = drawn;
    const now = clock.at();
    const at = still() && clock.playing() ? moments[come(moments, now) - 1] ?? 0 : now;
    tracks.place(at);
    Object.entries(lines).forEach(([name, line]) => line.place(at));
    say(at >= total);
    const made = Object.fromEntries(Object.entries(lanes).map(([name, { arrivals }]) => [name, come(arrivals, at)]));
    bar.show(at, total, clock.playing(), made);
    set(node, { 'data-at': at, 'data-playing': String(clock.playing()) });
  }

  /** The answer, once both lanes are in. */
  function say(over) {
    const { summary, measured: { speedup } } = drawn;
    const { won } = texts;
    const verdict = summary.close ? won.close : speedup < 1 ? won.slower : won.faster;
    write(answer, over ? verdict(summary.times) : texts.running);
    write(why, over ? `${summary.range}. ${result.node.querySelector('[data-sv="race-reason"]').textContent}` : '');
    set(answer, { 'data-over': over, 'data-slower': speedup < 1 });
  }

  /** A slider hands back fewer digits than it was given: its end is the race's. */
  function seek(at) {
    const end = drawn?.total ?? 0;
    clock.seek(at >= end * (1 - 1e-9) ? end : at);
  }

  function toggle() {
    if (clock.playing()) clock.pause();
    else clock.play();
  }

  function step(moments, direction) {
    clock.pause();
    seek(neighbour(moments, clock.at(), direction));
  }

  /** The new times are message `at` of the run that was asked about. */
  async function timed(at) {
    const run = awaited;
    awaited = null;
    here.add(run);
    if (run === poster?.trace.run && story === poster) {
      const [before, [last]] = await Promise.all([messages({ run, start: 0, stop: at }), messages({ run, start: at, stop: at + 1 })]);
      poster = storyOf(traceOf(run, [...before.filter((_, index) => index < at), last]));
    } else await fetch(run, at);
    settle('');
    bar.focus();
  }

  return {
    node,
    want: {
      toggle, seek, faster: bar.faster,
      step: (direction) => step(drawn.moments, direction),
      round: (direction) => step(drawn.lanes.speculative.steps, direction),
    },
    raced: () => race !== null,
    look,
    hear(text) {
      const report = job.hear(JSON.parse(text));
      if (!report) return;
      if (report.error !== undefined) {
        awaited = null;
        settle(texts.refused(report.error), true);
      }
      else if (report.at !== undefined) timed(report.at);
      else write(note, clean(report.note));
    },
    open() {
      job.cancel();
      clock.pause();
      [stage, story, race, drawn, awaited, refusal, chosen, seen] = [null, null, null, null, null, '', null, false];
      write(note, '');
    },
    broke() {
      if (!job.cancel()) return;
      awaited = null;
      settle(texts.broke, true);
    },
    leave: () => clock.playing() && clock.pause(),
  };
}

/**
 * clocks.js: a run and plain decoding on one clock, as bars in milliseconds. Pure: from the race recorded
 * with the run; where there is none, from the run's own times, and plain decoding stays open. Without times the passes
 * are counted: each is as long as any other.
 */

import { count, duration, factor, number } from '../../base/format.js';
import { median, sum } from '../../base/statistics.js';
import { cachedLine } from '../../trace/cached.js';
import { onMachine } from '../../trace/machine.js';
import { costsOf, isSameText, raceOf, resultOf, tokensOf } from '../../trace/race.js';
import { words } from '../words.js';

/** With more passes than this the bars touch, so no line is drawn between them. */
const MANY = 240;

/**
 * { title, total, lanes: [{ name, title, sum, paths: [{ kind, d }], apart, done }], verdict }. A lane runs
 * from 0 to total milliseconds across and from 0 to 1 up; done: by how much the lane that finishes first
 * does so, else ''. verdict: `faster`, `slower`, `same`, or null where nothing was
 * raced. machine: see trace/machine.js; above 0 all is computed, in plain steps.
 */
export function clocks({ trace: recorded }, machine = 0) {
  const { rounds } = recorded;
  const raced = raceOf(recorded);
  const trace = raced && machine ? { ...recorded, race: onMachine(recorded, machine) } : recorded;
  const race = raced && trace.race;
  const guessed = sum(rounds.map(({ verdicts }) => verdicts.length));
  const timings = race ? race.rounds : rounds.map(({ timing }) => timing);
  const spec = guessing(timings);
  const made = tokensOf({ rounds });
  const says = words.clocks;
  const lane = (name, times, total) => ({
    name,
    title: says.names[name],
    sum: total,
    paths: times.paths,
    apart: times.passes <= MANY,
    done: '',
  });
  if (!race) return unraced({ made, passes: rounds.length, guesses: guessed }, spec, lane);
  const plain = passing(race.passes);
  const total = Math.max(plain.end, spec.end) || 1;
  const [laps, plainLaps] = [median(race.laps), median(race.plain_laps)];
  const { verdict } = resultOf(trace);
  const time = machine ? (steps) => says.machine.steps({ steps: number(steps) }) : together;
  const lanes = [
    lane('plain', plain, says.plain({ passes: race.passes.length, time: time(plainLaps) })),
    lane('spec', spec, says.spec({ passes: race.rounds.length, guesses: guessed, time: time(laps) })),
  ];
  const times = speedUp(race, made);
  const first = lanes[spec.end <= plain.end ? 1 : 0];
  first.done = verdict === 'same' ? says.same : says.faster({ times: factor(Math.max(times, 1 / times)) });
  const title = says.title({ tokens: count(race.passes.length), same: isSameText({ rounds, race }) });
  return { title: machine ? says.machine.title({ title }) : title, total, lanes, verdict };
}

/** A run on its own clock; if that is not known either, on one that counts passes. */
function unraced({ made, passes, guesses }, spec, lane) {
  const [says, timed] = [words.clocks, spec.end > 0];
  const one = (many) => passing(Array.from({ length: many }, () => 1));
  const [time, drawn] = timed ? [together(spec.end), spec] : ['', one(passes)];
  const open = timed
    ? [{ paths: [], passes: 0 }, says.open]
    : [one(made), says.plain({ passes: made, time })];
  return {
    title: timed ? says.untimed({ tokens: count(made) }) : says.untold,
    total: timed ? spec.end : made,
    lanes: [lane('plain', ...open), lane('spec', drawn, says.spec({ passes, guesses, time }))],
    verdict: null,
  };
}

/** Why guesses could gain no more, '' where nothing was raced or that has other reasons. */
export function cachedOf(trace) {
  const race = raceOf(trace);
  return race
    ? cachedLine({ forward: race.where.forward, pair: trace.info.config.pair, check: costsOf(trace).v })
    : '';
}

/** The mean tokens of a round, and how many plain steps take as long: [tokens, steps]. */
export function exchange({ race, rounds }) {
  const made = tokensOf({ rounds });
  return [made / rounds.length, made / rounds.length / speedUp(race, made)];
}

/** Time per token in plain decoding divided by time per token in the run. */
function speedUp({ laps, plain_laps: plain, passes }, made) {
  return median(plain) / passes.length / (median(laps) / made);
}

/** A time whose unit does not go to the next line without it. */
const together = (ms) => duration(ms).replace(' ', '\u00A0');

const bar = (from, to) => `M${from.toFixed(3)} 0H${to.toFixed(3)}V1H${from.toFixed(3)}Z`;

function passing(passes) {
  let end = 0;
  const d = passes.map((ms) => bar(end, (end += ms))).join('');
  return { paths: [{ kind: 'verify', d }], end, passes: passes.length };
}

function guessing(timings) {
  const d = { draft: '', verify: '', again: '', other: '' };
  let end = 0;
  for (const { draft, verify, accept, trim, overhead, reread = 0 } of timings) {
    for (const { ms } of draft) d.draft += bar(end, (end += ms));
    d.verify += bar(end, (end += verify));
    if (reread) d.again += bar(end, (end += reread));
    d.other += bar(end, (end += accept + trim + overhead - reread));
  }
  const paths = Object.entries(d).map(([kind, path]) => ({ kind, d: path }));
  return {
    paths: paths.filter(({ kind, d: path }) => path || kind !== 'again'),
    end,
    passes: timings.length,
  };
}

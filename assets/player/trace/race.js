/**
 * race.js: how fast a run was against plain decoding, what its rounds cost, and what the formula predicts.
 * Pure. Times are milliseconds; costs are in plain passes, the median of which takes t1 milliseconds.
 */

import { median, mode, sum } from '../base/statistics.js';
import { spent } from './story.js';
import { childrenOf, levelTimes, offeredOf, placesOf } from './timeline.js';
import { breakEven, expectedTokens } from '../base/theory.js';

/** Laps of each that timing takes, the one that warms up included. */
const LAPS = 4;

/** Why a trace cannot be raced: `file`, `making`, `stopped`, `deadline` or `failed`; null if it can. */
export function unraceable({ stop, file }) {
  if (file) return 'file';
  if (!stop) return 'making';
  return ['stopped', 'deadline', 'failed'].includes(stop) ? stop : null;
}

/** A trace's race, null where there is none or it is another run's. */
export function raceOf({ race, rounds }) {
  return race && race.rounds.length === rounds.length && race.passes.length && race.laps.length ? race : null;
}

/**
 * Seconds that timing a trace is likely to take: LAPS laps of it and as many of plain decoding, at the pace
 * it was recorded.
 */
export function estimate({ rounds }) {
  const made = tokensOf({ rounds });
  const lap =
    sum(rounds.map(({ timing }) => spent(timing))) +
    made * (median(rounds.map(({ timing }) => timing.verify)) ?? 0);
  return Math.max(1, Math.ceil((LAPS * lap) / 1000));
}

/**
 * What a round costs, and what comes of it.
 * @typedef {object} Costs
 * @property {number} t1 milliseconds of a plain pass
 * @property {number} gamma the most frequent draft length, 0 only if nothing was drafted
 * @property {number} rows tokens that the pass over such a draft holds, scouts too
 * @property {number | null} draft milliseconds of a level of it, in a chain of a guess
 * @property {number} verify milliseconds of the pass over it
 * @property {number} rest milliseconds of all else in a round
 * @property {number | null} learned of these, those in which a drafter learned
 * @property {number | null} c draft, v verify, overhead rest and teaching learned, in plain passes
 * @property {number} v
 * @property {number} overhead
 * @property {number | null} teaching
 * @property {number} kept places whose guess is accepted, of `tested`
 * @property {number} tested
 * @property {number | null} alpha kept / tested
 * @property {number} expected tokens a round, by the formula
 * @property {number} cost gamma·c + v
 * @property {number} roundCost cost and overhead
 * @property {number} predicted expected / cost
 * @property {{ speculative: number, plain: number }} each milliseconds a token
 * @property {number} measured the speed-up
 * @property {number} perRound tokens a round
 * @property {{ alpha: number | null, why: string | null }} breakEven the alpha from which it is faster, see theory.js
 * @property {Siblings | null} siblings null where each place has one guess
 * @property {{ ratio: number, overhead: number, tokens: number, rest: number }} gap measured / predicted, and three
 *   factors whose product it is
 */

/**
 * What guesses beside the first of their place bring and cost.
 * @typedef {object} Siblings
 * @property {number} many
 * @property {number} all with the firsts
 * @property {number} alpha without them
 * @property {number} expected without them
 * @property {number} cost their share of the pass, each token of which is taken to cost the same
 */

/**
 * @param {import('./feed.js').Trace} trace one with a race
 * @returns {Costs}
 */
export function costsOf(trace) {
  const { race } = trace;
  const t1 = median(race.passes);
  const offered = trace.rounds.map(offeredOf);
  const gamma = mode(offered.filter(Boolean)) ?? 0;
  const read = trace.rounds.map(({ verdicts, scouts = [] }) => verdicts.length + scouts.length);
  const rows = mode(read.filter((_, index) => offered[index] === gamma)) + 1;
  const draft = median(race.rounds.flatMap((round, index) => levelTimes(round.draft, trace.rounds[index])));
  const verify = median(
    race.rounds
      .filter((_, index) => offered[index] === gamma && read[index] + 1 === rows)
      .map((round) => round.verify),
  );
  const rest = median(race.rounds.map((round) => round.accept + round.trim + round.overhead));
  const learned = trace.rounds.some(({ learning }) => learning)
    ? median(race.rounds.map(({ trim }) => trim))
    : null; // it learns while the cache is rolled back
  const [c, v, overhead] = [draft === null ? null : draft / t1, verify / t1, rest / t1];
  const judged = trace.rounds.flatMap(placesOf);
  const [kept, tested] = [judged.filter(({ verdict }) => verdict === 'accepted').length, judged.length];
  const alpha = tested ? kept / tested : null;
  const expected = expectedTokens(alpha ?? 0, gamma);
  const cost = gamma * c + v;
  const predicted = expected / cost;
  const made = tokensOf(trace);
  const each = { speculative: median(race.laps) / made, plain: median(race.plain_laps) / race.tokens.length };
  const measured = each.plain / each.speculative;
  const perRound = made / race.rounds.length;
  const ratio = measured / predicted;
  const [byTokens, byOverhead] = [perRound / expected, cost / (cost + overhead)];
  return {
    t1,
    gamma,
    rows,
    draft,
    verify,
    rest,
    learned,
    c,
    v,
    overhead,
    teaching: learned === null ? null : learned / t1,
    kept,
    tested,
    alpha,
    expected,
    cost,
    roundCost: cost + overhead,
    predicted,
    each,
    measured,
    perRound,
    breakEven: breakEven(gamma, cost + overhead),
    siblings: siblingsOf(trace, { gamma, rows, v, tested }),
    gap: { ratio, overhead: byOverhead, tokens: byTokens, rest: ratio / (byOverhead * byTokens) },
  };
}

/** @returns {Siblings | null} */
function siblingsOf({ rounds }, { gamma, rows, v, tested }) {
  const all =
    mode(rounds.filter((round) => offeredOf(round) === gamma).map(({ verdicts }) => verdicts.length)) ?? 0;
  const many = all - gamma;
  if (many <= 0 || !tested) return null;
  const firsts = sum(
    rounds.map(
      (round) =>
        round.path.filter((node, at) => childrenOf(round, round.path[at - 1] ?? -1)[0] === node).length,
    ),
  );
  const alpha = firsts / tested;
  return { many, all, alpha, expected: expectedTokens(alpha, gamma), cost: ((v - 1) * many) / (rows - 1) };
}

/**
 * @typedef {object} Lane
 * @property {number} tokens
 * @property {number} passes
 * @property {number} time milliseconds of the median lap
 * @property {number} rate tokens a second; low and high, of its slowest and its fastest lap
 * @property {number} low
 * @property {number} high
 */

/**
 * low and high: over the laps that were run in turns.
 * @typedef {object} Result
 * @property {number} speedup
 * @property {number} low
 * @property {number} high
 * @property {number} laps
 * @property {'faster' | 'slower' | 'same'} verdict `same` where laps fall on both sides of 1
 * @property {{ speculative: Lane, plain: Lane }} lanes
 */

/**
 * @param {import('./feed.js').Trace} trace one with a race
 * @returns {Result}
 */
export function resultOf(trace) {
  const { race } = trace;
  const ratios = race.laps.map((lap, index) => race.plain_laps[index] / lap);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  return {
    speedup: costsOf(trace).measured,
    low,
    high,
    laps: race.laps.length,
    verdict: low >= 1 ? 'faster' : high < 1 ? 'slower' : 'same',
    lanes: {
      speculative: lane(race.laps, tokensOf(trace), sum(trace.rounds.map(({ calls }) => calls.target))),
      plain: lane(race.plain_laps, race.tokens.length, race.passes.length),
    },
  };
}

function lane(laps, tokens, passes) {
  const rates = laps.map((lap) => (1000 * tokens) / lap);
  const time = median(laps);
  return {
    tokens,
    passes,
    time,
    rate: (1000 * tokens) / time,
    low: Math.min(...rates),
    high: Math.max(...rates),
  };
}

/** The tokens that rounds have written. */
export function writtenBy(rounds) {
  return rounds.flatMap(({ path, verdicts, extra }) => [
    ...path.map((node) => verdicts[node].token),
    ...(extra ? [extra.token] : []),
  ]);
}

/** True if plain decoding wrote the very tokens of the run, as it does at temperature 0 and under shared noise. */
export function isSameText({ rounds, race }) {
  return writtenBy(rounds).join() === race.tokens.join();
}

/** How many tokens rounds have written. */
export function tokensOf({ rounds }) {
  return sum(rounds.map(({ path, extra }) => path.length + (extra ? 1 : 0)));
}

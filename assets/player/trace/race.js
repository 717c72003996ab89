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
 * The cost panel of a trace with a race. gamma is the most frequent draft length, 0 only if nothing was
 * drafted; rows is how many tokens the pass over it holds, scouts too; c is what a level of it costs, in a
 * chain one guess; cost is gamma·c + v, whole adds the overhead. teaching is the part of the overhead in
 * which a drafter learned, null if none did. gap says where measured / predicted comes from: three factors
 * whose product it is.
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
    whole: cost + overhead,
    predicted,
    each,
    measured,
    perRound,
    breakEven: breakEven(gamma, cost + overhead),
    siblings: siblingsOf(trace, { gamma, rows, v, tested }),
    gap: { ratio, overhead: byOverhead, tokens: byTokens, rest: ratio / (byOverhead * byTokens) },
  };
}

/**
 * What guesses beside the first of their place bring and cost: { many, all, alpha, expected, cost }, all
 * with the firsts, alpha and expected without them, cost being their share of the pass, each token of which
 * is taken to cost the same. null where each place has one guess.
 */
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
 * The result: { speedup, low, high, laps, lanes: { speculative, plain } }, low and high over the laps that
 * were run in turns; each lane is { tokens, passes, time, rate, low, high }, rates in tokens per second.
 */
export function resultOf(trace) {
  const { race } = trace;
  const ratios = race.laps.map((lap, index) => race.plain_laps[index] / lap);
  return {
    speedup: costsOf(trace).measured,
    low: Math.min(...ratios),
    high: Math.max(...ratios),
    laps: race.laps.length,
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

function tokensOf({ rounds }) {
  return sum(rounds.map(({ path, extra }) => path.length + (extra ? 1 : 0)));
}

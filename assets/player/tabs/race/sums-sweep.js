/**
 * sums-sweep.js: a sweep over γ: what is asked and what the cells measured. Pure.
 */

import { mean } from '../../base/statistics.js';

/** The γ that are measured, ... */
export const GAMMAS = [0, 1, 2, 3, 4, 6, 8, 12];
/** ... each with these seeds more than the run's, ... */
const SEEDS = [0, 1, 2];
/** ... writing at most that many tokens each time. */
export const LENGTH = 64;

/** The configurations, as changes of the run's own: every γ with the first seed, then with the next. */
export function sweepOf({ seed, max_new_tokens: length }) {
  return SEEDS.flatMap((more) =>
    GAMMAS.map((gamma) => ({
      gamma,
      seed: seed + more,
      gamma_rule: 'fixed',
      gamma_params: {},
      max_new_tokens: Math.min(length, LENGTH),
    })),
  );
}

/**
 * What the cells measured: [{ gamma, runs, speedup }], speedup { mean, low, high } over the runs. raced: the
 * race of the run on stage, { gamma, speedup, low, high }, or null. It is the measurement of its γ.
 */
export function pointsOf(cells, raced = null) {
  const gammas = [...new Set(cells.map(({ config }) => config.gamma))].sort((a, b) => a - b);
  return gammas.map((gamma) => {
    const runs = cells.filter(({ config }) => config.gamma === gamma);
    if (raced?.gamma === gamma) {
      const { speedup, low, high, laps } = raced;
      return { gamma, runs: laps, speedup: { mean: speedup, low, high } };
    }
    const factors = runs.map(({ plain, draft, verify, rest }) => plain / (draft + verify + rest));
    return {
      gamma,
      runs: runs.length,
      speedup: { mean: mean(factors), low: Math.min(...factors), high: Math.max(...factors) },
    };
  });
}

/** True if a sweep came to its end: every γ with every seed. */
export function wholeSweep(cells) {
  return cells.length === GAMMAS.length * SEEDS.length;
}

/**
 * What may be said of points: { best: those whose range meets that of the fastest, worse: the others, beats:
 * whether every run of some γ was faster than plain decoding }.
 */
export function verdictOf(points) {
  const fastest = points.reduce((one, other) => (other.speedup.mean > one.speedup.mean ? other : one));
  const meets = ({ speedup: { high } }) => high >= fastest.speedup.low;
  return {
    best: points.filter(meets),
    worse: points.filter((point) => !meets(point)),
    beats: points.some(({ speedup: { low } }) => low > 1),
  };
}

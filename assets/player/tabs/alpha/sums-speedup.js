/**
 * sums-speedup.js: the predicted speed-up at each gamma, from measured costs, those of the race or none;
 * what a sweep over gamma measured; the rules of thumb. Pure. Costs are in plain steps of the target.
 */

import { mean, mode, sum } from '../../base/statistics.js';
import { costsOf, raceOf } from '../../trace/race.js';
import { isChain, offeredOf } from '../../trace/timeline.js';
import { bestGamma, expectedTokens, inSteps, speedup } from '../../base/theory.js';

/** A sweep goes from 0 to this many guesses a round, ... */
export const MOST = 12;
const SEEDS = [1, 2, 3];
/** ... writing at most so many tokens each time. */
export const LENGTH = 64;
/** The width of the pass whose cost can be changed: four guesses and the pending token. */
export const WIDTH = 5;

/**
 * The configurations of a sweep, as changes of the run's own: every gamma with the first seed, then with
 * the next.
 */
export function sweepOf({ max_new_tokens: length }) {
  const gammas = Array.from({ length: MOST + 1 }, (_, gamma) => gamma);
  return SEEDS.flatMap((seed) =>
    gammas.map((gamma) => ({
      gamma,
      seed,
      gamma_rule: 'fixed',
      gamma_params: {},
      max_new_tokens: Math.min(length, LENGTH),
    })),
  );
}

/**
 * What the cells of a sweep measured: [{ gamma, runs, speedup, tokens }], the last two { mean, low, high }
 * over the runs.
 */
export function pointsOf(cells) {
  const gammas = [...new Set(cells.map(({ config }) => config.gamma))].sort((a, b) => a - b);
  return gammas.map((gamma) => {
    const runs = cells.filter(({ config }) => config.gamma === gamma);
    return {
      gamma,
      runs: runs.length,
      speedup: range(runs.map(({ plain, draft, verify, rest }) => plain / (draft + verify + rest))),
      tokens: range(runs.map(({ tokens, gammas: rounds }) => tokens.length / rounds.length)),
    };
  });
}

/** Whether a sweep came to its end: every gamma with every seed. */
export function wholeSweep(points) {
  return points.length > MOST && points.every(({ runs }) => runs >= SEEDS.length);
}

/** Accepted / tested of the cells at a gamma; null where nothing was tested. */
export function alphaAt(cells, gamma) {
  const there = cells.filter(({ config }) => config.gamma === gamma);
  const [accepted, tested] = ['accepted', 'tested'].map((name) => sum(there.map((cell) => cell[name])));
  return tested ? accepted / tested : null;
}

/** The fastest of them; null of none. */
export function bestPoint(points) {
  return points.reduce(
    (best, point) => (best && best.speedup.mean >= point.speedup.mean ? best : point),
    null,
  );
}

/**
 * What the curve is computed from: { from, alpha, c, v(width), overhead }, in plain steps. from: `measured`
 * costs, those of the run's own race (`raced`), or `free` where there are none: c 0, v 1. Of a tree c is
 * that of a level, and rows the tokens of its pass.
 */
export function basisOf(trace, costs, alpha, tree = treeIn(trace)) {
  if (costs) {
    const { c, v, overhead } = inSteps(costs);
    return tree
      ? {
          from: 'measured',
          alpha,
          c: (c * (tree.rows - 1)) / tree.levels,
          v: flat(v(tree.rows)),
          overhead,
          rows: tree.rows,
        }
      : { from: 'measured', alpha, c, v, overhead };
  }
  const raced = raceOf(trace) && costsOf(trace);
  if (!raced || raced.gamma === 0) return { from: 'free', alpha, c: 0, v: () => 1, overhead: 0 };
  const { c, v, overhead, gamma } = raced;
  if (tree) return { from: 'raced', alpha, c, v: flat(v), overhead, rows: tree.rows };
  return { from: 'raced', alpha, c, v: (width) => 1 + ((v - 1) * (width - 1)) / gamma, overhead };
}

/** The commonest tree of a run: { levels, rows }, rows being the tokens of its pass; null of chains. */
export function treeIn({ rounds }) {
  const trees = rounds.filter((round) => !isChain(round));
  const levels = mode(trees.map(offeredOf));
  return (
    levels && {
      levels,
      rows:
        1 + mode(trees.filter((round) => offeredOf(round) === levels).map(({ verdicts }) => verdicts.length)),
    }
  );
}

/** A tree has as many guesses however deep it is, so its pass costs the same. */
const flat = (cost) => (width) => (width === 1 ? 1 : cost);

/**
 * v with another cost at WIDTH tokens: the difference is spread evenly over the extra tokens, and no token
 * costs less than nothing.
 */
export function tilted(v, cost) {
  const by = (cost - v(WIDTH)) / (WIDTH - 1);
  return by ? (width) => Math.max(Math.min(1, v(width)), v(width) + by * (width - 1)) : v;
}

/** The basis with some of its numbers replaced: { alpha, c, cost }, cost being that of a pass over WIDTH. */
export function supposed(basis, { alpha = basis.alpha, c = basis.c, cost = null }) {
  return { ...basis, alpha, c, v: cost === null ? basis.v : basis.rows ? flat(cost) : tilted(basis.v, cost) };
}

/** [{ gamma, tokens, speedup }] from 0 to most. */
export function curveOf({ alpha, c, v, overhead }, most = MOST) {
  return Array.from({ length: most + 1 }, (_, gamma) => ({
    gamma,
    tokens: expectedTokens(alpha, gamma),
    speedup: speedup(alpha, gamma, c, v(gamma + 1), overhead),
  }));
}

/** The best gamma of a basis up to most: { gamma, speedup }. */
export function bestOf({ alpha, c, v, overhead }, most = MOST) {
  return bestGamma(alpha, c, v, most, overhead);
}

/**
 * The rules of thumb with a run's numbers, each a factor: `most` = gamma + 1; `refused` = (1 + gamma) / (1
 * + refusal rate); `price` = (n + 1) / (1 + k / (n + 1)), n guesses kept of k a round.
 */
export function thumbsOf({ gamma: { usual, mean }, rates, accepted, rounds }) {
  const refusal = 1 - rates.tested.value;
  const kept = accepted / rounds;
  return {
    most: { gamma: usual, value: usual + 1 },
    refused: { gamma: usual, refusal, value: (1 + usual) / (1 + refusal) },
    price: { kept, drafted: mean, value: (kept + 1) / (1 + mean / (kept + 1)) },
  };
}

function range(values) {
  return { mean: mean(values), low: Math.min(...values), high: Math.max(...values) };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traces } from '../../../../tests/golden/traces.js';
import { costsOf } from '../../trace/race.js';
import { ratesOf } from './sums-rates.js';
import {
  basisOf,
  bestOf,
  bestPoint,
  curveOf,
  pointsOf,
  supposed,
  sweepOf,
  thumbsOf,
  tilted,
  treeIn,
} from './sums-speedup.js';

const near = (got, wanted, slack = 1e-9) =>
  assert.ok(Math.abs(got - wanted) <= slack, `${got} for ${wanted}`);
const COSTS = { draft: 0.2, rest: 0.1, widths: [1, 5, 9, 21], passes: [2, 2.2, 3, 6] };
const trace = traces().find(({ name }) => name === 'player-sampled.json');
const cell = (gamma, plain, tokens = 20, rounds = 10) => ({
  config: { gamma },
  tokens: Array(tokens),
  gammas: Array(rounds),
  draft: 2,
  verify: 6,
  rest: 2,
  plain,
});

test('a sweep takes every γ with a seed before the next seed, at a fixed γ and a short text', () => {
  const over = sweepOf({ max_new_tokens: 200 });
  assert.equal(over.length, 39);
  assert.deepEqual(
    [over[0], over[12], over[13]].map(({ gamma, seed }) => [gamma, seed]),
    [
      [0, 1],
      [12, 1],
      [0, 2],
    ],
  );
  assert.ok(over.every(({ gamma_rule: rule, max_new_tokens: length }) => rule === 'fixed' && length === 64));
  assert.equal(sweepOf({ max_new_tokens: 24 })[0].max_new_tokens, 24);
});

test('points are means and ranges over the seeds, in the order of γ, however they came', () => {
  const points = pointsOf([cell(4, 20, 30), cell(0, 10), cell(4, 10, 20), cell(4, 15, 10)]);
  assert.deepEqual(
    points.map(({ gamma, runs }) => [gamma, runs]),
    [
      [0, 1],
      [4, 3],
    ],
  );
  assert.deepEqual(points[1].speedup, { mean: 1.5, low: 1, high: 2 });
  assert.deepEqual(points[1].tokens, { mean: 2, low: 1, high: 3 });
  assert.equal(bestPoint(points).gamma, 4);
  assert.equal(bestPoint([]), null);
});

test('the curve starts from measured costs, else from the race, else from nothing, and says which', () => {
  const measured = basisOf(trace, COSTS, 0.7);
  assert.equal(measured.from, 'measured');
  near(bestOf(measured).speedup, 1.7890967741935482); // theory.speedup over costs.Costs of these numbers
  assert.equal(bestOf(measured).gamma, 4);
  near(curveOf(measured)[4].tokens, 2.7731);
  const raced = basisOf(trace, null, 0.7);
  const { c, v, gamma, overhead } = costsOf(trace);
  assert.deepEqual(
    [raced.from, raced.c, raced.v(1), raced.v(gamma + 1), raced.overhead],
    ['raced', c, 1, v, overhead],
  );
  const free = basisOf({ ...trace, race: null }, null, 0.7);
  assert.deepEqual([free.from, free.c, free.v(13), free.overhead, bestOf(free).gamma], ['free', 0, 1, 0, 12]);
});

test('a tree is as wide at every depth: its pass costs the same, and c is that of a level', () => {
  const round = {
    verdicts: [-1, -1, 0, 1, 2, 3, 4, 5].map((parent, node) => ({
      parent,
      depth: [0, 0, 1, 1, 2, 2, 3, 3][node],
    })),
    path: [],
  };
  const rounds = [round, round, { verdicts: [{ parent: -1, depth: 0 }] }];
  assert.deepEqual([treeIn({ rounds }), treeIn({ rounds: rounds.slice(2) })], [{ levels: 4, rows: 9 }, null]);
  const [tree, chain] = [basisOf({ rounds }, COSTS, 0.7), basisOf({ rounds }, COSTS, 0.7, null)];
  assert.deepEqual(
    [tree.rows, tree.c, tree.v(1), tree.v(5), tree.v(9)],
    [9, 2 * chain.c, 1, chain.v(9), chain.v(9)],
  );
  assert.deepEqual([1, 5, 9].map(supposed(tree, { cost: 2.5 }).v), [1, 2.5, 2.5]);
});

test('a supposed v(5) tilts the measured curve: itself where nothing moved, never below one token', () => {
  const { v } = basisOf(trace, COSTS, 0.7);
  assert.equal(tilted(v, v(5)), v);
  const dearer = tilted(v, 1.5);
  [
    [1, 1],
    [5, 1.5],
    [9, 1.5 + 0.8],
  ].forEach(([width, cost]) => near(dearer(width), cost));
  assert.ok([1, 5, 9, 21].every((width) => tilted(v, 0.5)(width) >= 1));
  const basis = basisOf(trace, COSTS, 0.7);
  const other = supposed(basis, { alpha: 0.9 });
  assert.deepEqual([other.alpha, other.c, other.v], [0.9, basis.c, basis.v]);
  assert.ok(bestOf(other).gamma > bestOf(basis).gamma);
});

test('rules of thumb with a run’s numbers', () => {
  const rounds = [
    [2, 2, 4],
    [0, 1, 4],
  ].map(([kept, tested, guesses]) => ({
    verdicts: Array.from({ length: guesses }, (_, depth) => ({
      node: depth,
      depth,
      parent: depth - 1,
      verdict: depth < kept ? 'accepted' : depth < tested ? 'rejected' : 'untested',
      view: { overlap: 0.5 },
    })),
    path: [...Array(kept).keys()],
    extra: { node: kept < tested ? kept : null },
  }));
  const { most, refused, price } = thumbsOf(ratesOf(rounds));
  assert.equal(most.value, 5);
  near(refused.value, 5 / (1 + 1 / 3));
  near(price.value, 2 / (1 + 4 / 2));
});

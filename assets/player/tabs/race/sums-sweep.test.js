import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAMMAS, pointsOf, sweepOf, verdictOf, wholeSweep } from './sums-sweep.js';

const cell = (gamma, plain, took) => ({
  config: { gamma },
  plain,
  draft: took / 4,
  verify: took / 2,
  rest: took / 4,
});

test('a sweep asks for every γ with three seeds, and is whole when all came', () => {
  const over = sweepOf({ seed: 1, max_new_tokens: 200 });
  assert.equal(over.length, 3 * GAMMAS.length);
  assert.deepEqual([over[0].gamma, over[0].seed, over.at(-1).seed], [0, 1, 3]);
  assert.ok(over.every(({ max_new_tokens: length }) => length === 64));
  assert.ok(!wholeSweep(over.slice(1)));
  assert.ok(wholeSweep(over));
});

test('the race of the run on stage is the measurement of its γ, so no second number stands for it', () => {
  const cells = [cell(0, 10, 10), cell(4, 30, 10), cell(4, 10, 10), cell(8, 20, 10)];
  const [none, four] = pointsOf(cells);
  assert.deepEqual([none.speedup.mean, four.speedup, four.runs], [1, { mean: 2, low: 1, high: 3 }, 2]);
  const raced = { gamma: 4, speedup: 1.9, low: 1.8, high: 2.1, laps: 3 };
  assert.deepEqual(pointsOf(cells, raced)[1], {
    gamma: 4,
    runs: 3,
    speedup: { mean: 1.9, low: 1.8, high: 2.1 },
  });
});

test('no γ is best alone where the range of another meets its own', () => {
  const point = (gamma, low, mean, high) => ({ gamma, runs: 3, speedup: { mean, low, high } });
  const close = verdictOf([point(0, 1, 1, 1), point(4, 1.5, 1.8, 2), point(12, 1.7, 2.5, 3)]);
  assert.deepEqual([close.best.map(({ gamma }) => gamma), close.beats], [[4, 12], true]);
  assert.deepEqual(
    close.worse.map(({ gamma }) => gamma),
    [0],
  );
  assert.ok(!verdictOf([point(0, 1, 1, 1), point(4, 0.5, 0.6, 0.7)]).beats);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviation, mean, median, mode, share, sum, wilson } from './statistics.js';

const near = (got, wanted, slack = 1e-9) =>
  assert.ok(Math.abs(got - wanted) <= slack, `${got} for ${wanted}`);

test('a median is the middle one, or between the two in the middle', () => {
  assert.deepEqual([median([3, 1, 2]), median([4, 1, 2, 3]), median([7]), median([])], [2, 2.5, 7, null]);
});

test('averages of nothing are null, its sum is 0', () => {
  assert.deepEqual([sum([]), mean([]), mode([])], [0, null, null]);
  assert.deepEqual([sum([1, 2, 3]), mean([1, 2, 3])], [6, 2]);
});

test('of several most frequent values the largest is the mode', () => {
  assert.deepEqual([mode([4, 2, 2]), mode([1, 4, 4, 1])], [2, 4]);
});

test('the deviation is that of a sample', () => {
  assert.deepEqual([deviation([1, 3]), deviation([5]), deviation([])], [Math.SQRT2, 0, 0]);
});

test('Wilson’s interval is the published one, and never leaves 0 to 1', () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I: 0.2553 to 0.3662
  const { low, high } = wilson(81, 263);
  near(low, 0.2553, 5e-5);
  near(high, 0.3662, 5e-5);
  assert.deepEqual([wilson(0, 5).low, wilson(5, 5).high, wilson(0, 0)], [0, 1, null]);
  assert.deepEqual(
    [share(1, 4).value, share(0, 0)],
    [0.25, { part: 0, whole: 0, value: null, low: null, high: null }],
  );
});

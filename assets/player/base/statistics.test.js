import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bestGamma, breakEven, expectedTokens, inSteps, speedup } from './theory.js';
import { deviation, mean, median, mode, share, sum, wilson } from './statistics.js';

/** Computed with fractions; tests/unit/test_config.py reads the same table for what Python computes too. */
const golden = JSON.parse(
  readFileSync(new URL('../../../tests/golden/theory.json', import.meta.url), 'utf-8'),
);
const near = (got, wanted, slack = 1e-12) =>
  assert.ok(Math.abs(got - wanted) <= slack * Math.max(1, Math.abs(wanted)), `${got} for ${wanted}`);

test('the closed forms are those of the golden table', () => {
  for (const { alpha, gamma, tokens } of golden.expected_tokens) near(expectedTokens(alpha, gamma), tokens);
  for (const { alpha, gamma, c, v, overhead, speedup: wanted } of golden.speedup)
    near(speedup(alpha, gamma, c, v, overhead), wanted);
  for (const { gamma, c, v, overhead, alpha } of golden.break_even) {
    const found = breakEven(gamma, gamma * c + v + overhead);
    if (alpha) near(found.alpha, alpha, 1e-9);
    else assert.deepEqual(found, { alpha: null, why: alpha === 0 ? 'always' : 'never' });
  }
  for (const { alpha, c, v, longest, gamma, speedup: wanted } of golden.best_gamma) {
    const best = bestGamma(alpha, c, (width) => (width > 1 ? v : 1), longest);
    assert.equal(best.gamma, gamma);
    near(best.speedup, wanted);
  }
});

test('measured costs in plain steps are those of the golden table', () => {
  for (const { draft, rest, widths, passes, c, overhead, v } of golden.costs) {
    const costs = inSteps({ draft, rest, widths, passes });
    near(costs.c, c);
    near(costs.overhead, overhead);
    for (const [width, cost] of v) near(costs.v(width), cost);
  }
});

test('where nothing is guessed no α decides', () => {
  assert.deepEqual(breakEven(0, 1.1), { alpha: null, why: 'nothing' });
});

test('averages of nothing are null; the largest of several modes is it; the deviation is that of a sample', () => {
  assert.deepEqual([[3, 1, 2], [4, 1, 2, 3], [7], []].map(median), [2, 2.5, 7, null]);
  assert.deepEqual([[1, 2, 3], []].map(sum), [6, 0]);
  assert.deepEqual([[1, 2, 3], []].map(mean), [2, null]);
  assert.deepEqual([[4, 2, 2], [1, 4, 4, 1], []].map(mode), [2, 4, null]);
  assert.deepEqual([[1, 3], [5], []].map(deviation), [Math.SQRT2, 0, 0]);
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

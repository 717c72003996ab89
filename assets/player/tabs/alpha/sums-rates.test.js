import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traces } from '../../../../tests/golden/traces.js';
import { predictedKept, gapOf, mixture, ratesOf } from './sums-rates.js';
import { sum } from '../../base/statistics.js';
import { expectedTokens } from '../../base/theory.js';

const near = (got, wanted, slack = 1e-9) =>
  assert.ok(Math.abs(got - wanted) <= slack, `${got} for ${wanted}`);

/**
 * Rounds given as [guesses kept, guesses tested, guesses, own token]; every slot overlaps by 0.5 more the
 * deeper it is.
 */
const roundsOf = (rounds) =>
  rounds.map(([kept, tested, guesses, own = true]) => ({
    verdicts: Array.from({ length: guesses }, (_, depth) => ({
      node: depth,
      depth,
      parent: depth - 1,
      verdict: depth < kept ? 'accepted' : depth < tested ? 'rejected' : 'untested',
      view: { overlap: 0.5 + 0.1 * depth },
    })),
    path: Array.from({ length: kept }, (_, depth) => depth),
    extra: own ? { node: kept < tested ? kept : null } : null,
  }));
const few = roundsOf([
  [2, 2, 2],
  [0, 1, 2],
  [1, 2, 2],
  [1, 1, 1, false],
]);

test('three rates of acceptance, each with its own denominator', () => {
  const { rates, overlap, gamma, perPass, slots, kept, emitted } = ratesOf(few);
  assert.deepEqual(
    Object.values(rates).map(({ part, whole }) => [part, whole]),
    [
      [4, 6],
      [4, 7],
      [4, 7],
    ],
  );
  assert.deepEqual([emitted, gamma, kept], [7, { usual: 2, mean: 7 / 4, low: 1, high: 2 }, [1, 2, 1]]);
  near(overlap, (4 * 0.5 + 2 * 0.6) / 6);
  assert.deepEqual(
    slots.map(({ part, whole, overlap: there }) => [part, whole, there]),
    [
      [3, 4, 0.5],
      [1, 2, 0.6],
    ],
  );
  near(perPass.mean, 7 / 4);
  near(perPass.reach, (1.959964 * Math.sqrt((1.5625 + 0.5625 + 0.0625 + 0.5625) / 3)) / 2);
});

test('a run that guessed nothing has counts and no rate', () => {
  const plain = roundsOf([
    [0, 0, 0],
    [0, 0, 0],
  ]);
  const counted = ratesOf(plain);
  assert.deepEqual(
    [
      counted.rates.tested.value,
      counted.rates.emitted.value,
      counted.overlap,
      counted.slots,
      counted.perPass,
    ],
    [null, 0, null, [], { mean: 1, reach: 0 }],
  );
  assert.equal(gapOf(plain, counted), null);
});

test('the gap falls into parts that sum to it, in every recorded trace', () => {
  const gap = gapOf(few, ratesOf(few));
  near(gap.expected, expectedTokens(4 / 6, 2));
  near(gap.byGamma, (expectedTokens(4 / 6, 1) - gap.expected) / 4);
  assert.deepEqual([gap.ended, gap.others, gap.gamma], [-0.25, 1, 2]);
  for (const { rounds } of traces()) {
    const counted = ratesOf(rounds);
    const found = gapOf(rounds, counted);
    if (found)
      near(found.expected + found.byGamma + found.ended + found.rest, counted.emitted / counted.rounds);
    near(sum(counted.kept), rounds.length);
    near(counted.rates.tested.part, sum(counted.slots.map(({ part }) => part)));
  }
});

test('one α for every guess predicts as many rounds and guesses as its formula', () => {
  const rounds = roundsOf([
    [0, 1, 3],
    [0, 1, 3],
    [0, 1, 1],
  ]);
  const predicted = predictedKept(rounds, 0.6);
  near(sum(predicted), 3);
  near(
    sum(predicted.map((many, kept) => many * (kept + 1))),
    2 * expectedTokens(0.6, 3) + expectedTokens(0.6, 1),
  );
});

test('where rounds differ, the formula is too low at their mean α and too high at the counted one', () => {
  const { mean, tokens, predicted, counted, atCounted } = mixture(0.95, 0.45, 4);
  near(mean, 0.7);
  near(tokens, (4.524_381_25 + 1.784_631_25) / 2, 1e-4); // theory.expected_tokens(0.95, 4), (0.45, 4)
  near(predicted, 2.7731, 1e-9);
  assert.ok(predicted < tokens && tokens < atCounted && counted > mean);
  assert.deepEqual(
    Object.values(mixture(0.7, 0.7, 4)).map((value) => value.toFixed(9)),
    [0.7, 2.7731, 2.7731, 0.7, 2.7731].map((value) => value.toFixed(9)),
  );
});

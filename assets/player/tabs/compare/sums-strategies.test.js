import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strategiesFigure } from './figures.js';
import { LAPS, outcomes, planOf, wholeLaps } from './sums-strategies.js';

const BASE = { seed: 5, gamma_rule: 'ema', gamma_params: { most: 3 } };
const cell = (time, plain) => ({
  tokens: [1, 2],
  gammas: [1],
  tested: 1,
  accepted: 1,
  rolled_back: 0,
  draft: 0,
  verify: time,
  rest: 0,
  plain,
});
const PLAN = planOf(BASE, 'throughput');

test('every prompt is decoded both ways with each seed, whole laps first', () => {
  assert.equal(PLAN.length, 3 * 2 * LAPS);
  assert.deepEqual(
    PLAN.slice(0, 3).map(({ prompt, way }) => [prompt, way]),
    [
      [0, 'fixed'],
      [0, 'adaptive'],
      [1, 'fixed'],
    ],
  );
  assert.deepEqual(
    PLAN.map(({ changes }) => changes.seed),
    [5, 6, 7].flatMap((seed) => Array(6).fill(seed)),
  );
  assert.deepEqual(
    PLAN.slice(0, 2).map(({ changes: { gamma, gamma_rule, gamma_params } }) => [
      gamma,
      gamma_rule,
      gamma_params,
    ]),
    [
      [4, 'fixed', {}],
      [4, 'throughput', {}],
    ],
  );
  assert.deepEqual(
    planOf(BASE, 'ema')[1].changes.gamma_params,
    { most: 3 },
    'a rule the run was tuned for stays so',
  );
});

test('medians and ranges are over the seeds, and the baseline is timed beside every run', () => {
  const cells = PLAN.map(({ way, prompt }, index) =>
    cell(way === 'fixed' ? 10 + index : 20, prompt === 2 ? 5 : 40),
  );
  const [first, , last] = outcomes(PLAN, cells);
  assert.deepEqual(first.fixed.speedup, { value: 40 / 16, low: 40 / 22, high: 4 });
  assert.deepEqual(first.baseline.rate, { value: 50, low: 50, high: 50 });
  assert.deepEqual(last.adaptive, {
    rate: { value: 100, low: 100, high: 100 },
    speedup: { value: 0.25, low: 0.25, high: 0.25 },
  });
});

test('laps given up early are left out, and the sentence follows the numbers', () => {
  const cells = PLAN.map(({ way, prompt }) => cell(way === 'fixed' ? 10 : prompt ? 5 : 25, 20)).slice(0, 11);
  assert.equal(wholeLaps(cells), 1);
  const { says, series, panels } = strategiesFigure(PLAN, cells, 'throughput');
  assert.equal(
    says,
    'Speed-up with fixed γ = 4: 2×; adaptive: 0.800 to 4× (medians of 1 seed, whiskers show all). ' +
      'Adaptive is faster on 2 of 3 prompts. Slower than plain decoding: adaptive γ on “France”.',
  );
  assert.deepEqual(
    series.map(({ panel, name }) => [panel, name]),
    [
      [0, 'plain decoding'],
      [0, 'fixed γ = 4'],
      [0, 'adaptive: throughput'],
      [1, 'fixed γ = 4'],
      [1, 'adaptive: throughput'],
    ],
  );
  assert.equal(panels[1].level, 1);
  assert.match(
    strategiesFigure(
      PLAN,
      PLAN.map(() => cell(10, 20)),
      'ema',
    ).says,
    /Their whiskers overlap on 3 of 3: too close to call there/,
  );
});

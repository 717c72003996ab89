import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traces } from '../../../../tests/golden/traces.js';
import { gapLine, keptFigure, slotsFigure, speedFigure, speedLine, tokensFigure } from './figures.js';
import { csv } from '../../base/figure.js';
import { ratesOf } from './sums-rates.js';
import { basisOf, pointsOf, supposed } from './sums-speedup.js';

const COSTS = { draft: 0.2, rest: 0.1, widths: [1, 5, 9, 21], passes: [2, 2.2, 3, 6] };
const { rounds } = traces().find(({ name }) => name === 'player-sampled.json');
const trace = { rounds, race: null };
const cells = (peak, gammas = 13) =>
  Array.from({ length: gammas }, (_, gamma) =>
    [1, 1.01, 1.02].map((luck) => ({
      config: { gamma },
      tokens: Array(20),
      gammas: Array(20 - gamma),
      draft: 5,
      verify: 5,
      rest: 0,
      plain: 10 * luck * (2 - Math.abs(gamma - peak) / 10),
    })),
  ).flat();

test('every figure of a recorded run has a sentence, and rows under its columns', () => {
  for (const { name, rounds: recorded, race, info } of traces()) {
    const counted = ratesOf(recorded);
    const basis = basisOf({ rounds: recorded, race }, COSTS, counted.rates.tested.value);
    const figures = [
      slotsFigure(counted),
      keptFigure(recorded, counted),
      tokensFigure(recorded, counted, basis, []),
      speedFigure(basis, null, []),
    ];
    if (info.config.gamma === 0) assert.deepEqual(figures, [null, null, null, null]);
    else
      for (const { says, table, title } of figures) {
        assert.doesNotMatch(says, /undefined|NaN|null|Infinity/, `${name}, ${title}`);
        assert.ok(
          table.rows.length && table.rows.every((row) => row.length === table.columns.length),
          `${name}, ${title}`,
        );
      }
  }
});

test('a run without an α still shows what a sweep measured', () => {
  const [plain, points] = [
    ratesOf(Array(3).fill({ verdicts: [], path: [], extra: { node: null } })),
    pointsOf(cells(3)),
  ];
  const basis = basisOf(trace, COSTS, null);
  const figures = [speedFigure(basis, null, points), tokensFigure([], plain, basis, points)];
  figures.forEach((figure) => assert.match(figure.says, /^Without an α of this run/));
  assert.deepEqual(figures[0].table.rows[3].slice(0, 3), [3, undefined, undefined]);
  assert.match(csv(figures[0].table), /\r\n3,,,2\.02\d*,2,2\.04,3\r\n/);
});

test('the sentence compares the best measured γ with the predicted one, once the sweep is whole', () => {
  const basis = basisOf(trace, COSTS, 0.7);
  const said =
    'Theory: α = 0.700, c = 0.100, v(5) = 1.1, overhead 0.0500 target steps per round, so γ = 4 is best, 1.79×.';
  assert.equal(speedLine(basis, null, pointsOf(cells(3, 12))), said);
  assert.equal(
    speedLine(basis, null, pointsOf(cells(3).slice(0, -1))),
    said,
    'no verdict before the last seed of the last γ',
  );
  assert.equal(
    speedLine(basis, null, pointsOf(cells(3))),
    `${said} Measured: γ = 3 is best, 2.02× (2.00× to 2.04×); theory predicts γ = 4, 1.79×.`,
  );
  assert.equal(
    speedLine(basis, null, pointsOf(cells(4))),
    `${said} Measured: γ = 4 is best, 2.02× (2.00× to 2.04×); theory predicts the same γ, 1.79×.`,
  );
  assert.match(
    speedLine(basis, null, pointsOf(cells(4).map((cell) => ({ ...cell, plain: cell.plain / 10 })))),
    /No γ measured beats plain decoding here\.$/,
  );
  assert.match(
    speedLine(basis, null, pointsOf(cells(4.5))),
    /γ = 4 is best, .* γ = 5 reaches into its range: too close to call\.$/,
  );
  assert.match(speedLine(basisOf(trace, null, 0.7), null, []), /^If drafting and wider passes were free/);
  assert.match(
    speedLine(basis, supposed(basis, { alpha: 0.9 }), []),
    / Your values α = 0\.900, c = 0\.100, v\(5\) = 1\.1: γ = \d+, \d\.\d\d×\.$/,
  );
});

test('the gap between tokens and E is told part by part, against what chance does', () => {
  const gap = {
    alpha: 0.7,
    gamma: 4,
    measured: 2.5,
    expected: 2.7731,
    byGamma: -0.1,
    ended: 0,
    rest: -0.1731,
    others: 3,
  };
  const told =
    'Measured 2.5 tokens per pass; theory predicts 2.77 at α = 0.700, γ = 4, 11 % more. ' +
    'The gap: −0.10 from 3 of 20 rounds with another γ, most often cut short by the end; −0.17 from ' +
    'taking a constant α.';
  assert.equal(
    gapLine(gap, { rounds: 20, perPass: { reach: 0.4 } }),
    `${told} Chance alone moves the measured number by ± 0.40.`,
  );
  assert.equal(
    gapLine(gap, { rounds: 20, perPass: { reach: 0.1 } }),
    `${told} That is more than chance (± 0.10): easy and hard text come in runs.`,
  );
  assert.match(
    gapLine({ ...gap, measured: 2.7731, byGamma: 0, rest: 0 }, { rounds: 20, perPass: { reach: 0.4 } }),
    /γ = 4\. Chance alone/,
  );
});

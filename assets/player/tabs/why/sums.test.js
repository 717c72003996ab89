import assert from 'node:assert/strict';
import { test } from 'node:test';
import { added } from '../cells.js';
import {
  TEXTBOOK,
  batchesOf,
  boundOf,
  genres,
  grouped,
  middle,
  passesOf,
  rowsOf,
  roofOf,
  stick,
  temperatures,
} from './sums.js';
import { batch, genre, passes, roofline, temperature, textbook } from './figures.js';

const near = (got, wanted, slack = 1e-9) =>
  assert.ok(Math.abs(got - wanted) <= slack, `${got} for ${wanted}`);
const MACHINE = {
  machine: 'made up',
  device: 'cpu',
  dtype: 'float32',
  threads: 1,
  last_cache: 32e6,
  weight_bytes: 40e6,
  flops: 20e6,
  memory: 16e9,
  again: 20e9,
  arithmetic: 50e9,
  behind: 128,
  gamma: 4,
  widths: [1, 2, 4, 8, 16, 32],
  passes: [2, 2.1, 2, 2.2, 4, 7.8].map((ms) => [ms, ms * 1.1, ms * 0.9]),
  batches: [1, 8, 32].map((rows) => ({ rows, one: [2 + rows], many: [2 + 3 * rows], draft: [0.3] })),
  done: 8,
  of: 8,
};
const cell = (more) => ({
  config: { drafter: 'ngram', gamma: 4 },
  accepted: 30,
  tested: 40,
  tokens: Array(50).fill(1),
  gammas: Array(20).fill(4),
  draft: 10,
  verify: 80,
  rest: 10,
  plain: 200,
  ...more,
});

test('weight traffic and arithmetic are bytes and operations over their speeds', () => {
  const here = roofOf(MACHINE);
  near(here.traffic, 2);
  near(here.arithmetic, 0.4);
  near(here.ridge, 5);
  const printed = roofOf(TEXTBOOK);
  near(printed.traffic, 70);
  near(printed.arithmetic, 0.449, 1e-3);
  near(printed.ridge, 156, 1e-9);
  assert.match(
    textbook().says,
    /^Weights: .* = 70 ms\. Arithmetic: .* = 0\.449 ms\. Reading takes 156 times as long.*does not fit on one card/,
  );
});

test('what bounds a pass is said by its numbers, and that nothing of the two does', () => {
  assert.deepEqual(boundOf(MACHINE), { pass: 2, share: 1, bound: 'traffic' });
  assert.equal(boundOf({ ...MACHINE, arithmetic: 8e9 }).bound, 'arithmetic');
  const slow = { ...MACHINE, passes: MACHINE.passes.map((laps) => laps.map((lap) => 5 * lap)) };
  near(boundOf(slow).share, 0.2);
  assert.equal(boundOf(slow).bound, 'steps');
  const { says, series } = roofline(slow);
  assert.match(
    says,
    /Reading 40 MB of weights takes 2 ms at 20 GB\/s \(the cache holds 32 MB; memory gives 16 GB\/s\); /,
  );
  assert.match(says, / one token 0\.400 ms at 50 GFLOP\/s/);
  assert.match(
    says,
    /A measured pass takes 10 ms; the larger of the two is 20 % of it\. Neither limits it; /,
  );
  assert.match(says, /; per-layer overhead does.* With 5 tokens: arithmetic 2 ms, the pass 10.* ms\./);
  assert.deepEqual(
    series.map(({ y }) => y[5]),
    [2, 12.8, 39],
  );
  assert.match(roofline({ ...MACHINE, last_cache: 50e6 }).says, /they fit the 50 MB cache/);
  assert.ok(
    !roofline({ ...MACHINE, widths: [], passes: [], batches: [] }).says.includes('measured pass'),
    'before passes are measured',
  );
});

test('the knee is where a flat part ends', () => {
  const x = [1, 2, 4, 8, 16, 32];
  const bent = stick(
    x,
    x.map((k) => 1 + 0.1 * Math.max(0, k - 4)),
  );
  assert.deepEqual([bent.knee, bent.level], [4, 1]);
  near(bent.slope, 0.1);
  near(bent.at(14), 2);
  assert.equal(
    stick(
      x,
      x.map((k) => k),
    ).knee,
    1,
  );
  assert.equal(
    stick(
      x,
      x.map(() => 1),
    ).slope,
    0,
  );
  assert.match(
    passes(MACHINE).says,
    /^Flat up to k = 8, at 1\.02×; then each extra token adds 0\.120\. A pass over γ \+ 1 = 5 costs 1\.02×/,
  );
  assert.deepEqual(
    passes(MACHINE).marks.map((mark) => mark.x),
    [5, 8],
  );
  assert.match(passes(MACHINE, 13).says, / A pass over this run’s tree, 13 tokens, costs 1\.6\d×/);
  assert.equal(passes({ ...MACHINE, widths: [], passes: [] }), null);
  const rounds = [
    [-1, -1, 0],
    [-1, 0],
    [-1, -1, 1],
  ].map((parents) => ({ verdicts: parents.map((parent) => ({ parent })) }));
  assert.deepEqual(
    [rowsOf({ rounds }, 4), rowsOf({ rounds: rounds.slice(1, 2) }, 4)],
    [4, 5],
    'a tree has its own, a chain γ + 1',
  );
  assert.deepEqual(
    [middle([5, 1, 9, 3, 4]), middle([2, 1])],
    [
      [3, 5],
      [1, 2],
    ],
  );
  near(passesOf(MACHINE).v(3), 1.025);
});

test('a batch pays for its guesses by its own passes', () => {
  const [one, , last] = batchesOf(MACHINE, 0.5);
  near(one.v, 5 / 3);
  near(one.speedup, 1.9375 / (4 * 0.1 + 5 / 3));
  near(last.v, 98 / 34);
  const { says, series } = batch(MACHINE, 0.5, true);
  assert.match(
    says,
    /costs 1\.67× at B = 1 and 2\.88× at B = 32 .* Predicted speed-up at α = 0\.500: 0\.94× at B = 1, /,
  );
  assert.match(says, / 0\.66× at B = 32; below 1 throughout\. The draft model is a table/);
  assert.equal(series.length, 3);
  assert.match(batch(MACHINE, 0.95, false).says, /; above 1 as far as it was measured\.$/);
  assert.match(batch(MACHINE, 0.7, false).says, /; from B = 32 on it is below 1/);
  const slowStart = {
    ...MACHINE,
    batches: MACHINE.batches.map((each) => ({ ...each, draft: [each.rows === 1 ? 3 : 0.3] })),
  };
  assert.match(batch(slowStart, 0.95, false).says, /; below 1 at B = 1\.$/);
  assert.equal(batch(MACHINE, null, false).series.length, 2, 'without α nothing is predicted');
});

test('cells of a sweep are added up by group, with an interval of their α', () => {
  const [[name, sums]] = grouped(['a', 'a'], [cell(), cell()]);
  assert.deepEqual([name, sums.runs, sums.alpha, sums.perPass, sums.speedup], ['a', 2, 0.75, 2.5, 2]);
  near(sums.low, 0.6452, 1e-4); // Wilson 1927, 60 of 80, by hand
  near(sums.high, 0.8319, 1e-4);
  assert.deepEqual([added([cell({ accepted: 0, tested: 0 })]).alpha, grouped([], [])], [null, []]);
});

test('sweeps ask for short runs of the drafter and γ on stage, greedy once', () => {
  const config = { gamma: 3, seed: 7, max_new_tokens: 500 };
  const hot = temperatures(config);
  assert.equal(hot.over.length, 1 + 7 * 3);
  assert.deepEqual(hot.over[0], { gamma: 3, max_new_tokens: 64, temperature: 0, seed: 7 });
  assert.deepEqual([hot.names.at(-1), hot.over.at(-1).seed], [1.4, 9]);
  const kinds = genres({ gamma: 0, seed: 0, max_new_tokens: 20 }, { code: ['x', 'y'], tale: ['z'] });
  assert.deepEqual(kinds.names, ['code', 'code', 'code', 'code', 'tale', 'tale']);
  assert.deepEqual(kinds.over[1], { gamma: 4, max_new_tokens: 20, prompt: 'x', seed: 1 });
});

test('a sweep says what its numbers come to, and what the whiskers do not tell apart', () => {
  const cells = [cell(), cell({ accepted: 29 }), cell({ accepted: 8 })];
  const config = cells[0].config;
  const says = (...those) => temperature(grouped([0, 0.8, 1.4], those), those, config).says;
  assert.match(says(cells[0], cells[1]), /α is 0\.750 at T = 0 and 0\.725 at T = 0\.8: too close to call/);
  assert.match(
    says(...cells),
    /0\.200 at T = 1\.4: higher temperature is harder to guess; .* Guesses by n-gram, γ = 4\.$/,
  );
  assert.match(says(cells[2], cells[0]), /easier to guess here/);
  assert.match(says(cells[0]), /no other temperature was measured/);
  assert.equal(temperature([], [], config), null);
  const kinds = genre(grouped(['code', 'tale', 'verse'], cells), cells, config);
  assert.equal(
    kinds.says,
    'Easiest to guess: code, α = 0.750, 2.00×. Hardest: verse, α = 0.200, 2.00×. Guesses by n-gram, γ = 4.',
  );
  assert.match(
    genre(grouped(['code', 'tale'], cells.slice(0, 2)), cells.slice(0, 2), config).says,
    /intervals overlap: too close to call/,
  );
  assert.deepEqual(
    kinds.series.map(({ y }) => y[0]),
    [0.75, 2.5, 2],
  );
  assert.equal(kinds.table.rows.length, 3);
});

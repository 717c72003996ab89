import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXTBOOK, batchesOf, boundOf, mixture, roofOf, thumbsOf, tilted, worth } from './sums.js';
import { expectedTokens } from '../base/theory.js';
import { EXAMPLES } from './sums-worked.js';

const near = (got, wanted, slack = 1e-9) =>
  assert.ok(Math.abs(got - wanted) <= slack, `${got} for ${wanted}`);

test('the textbook machine reads its weights 156 times as long as it computes for one token', () => {
  const { traffic, arithmetic, ridge } = roofOf(TEXTBOOK);
  near(traffic, 70);
  near(arithmetic, 0.449, 1e-3);
  near(ridge, 156);
});

test('a pass is bound by what takes most of it, or by neither', () => {
  const machine = { weight_bytes: 1e9, flops: 1e9, again: 1e12, arithmetic: 1e13 };
  assert.equal(boundOf({ ...machine, passes: [[1.1, 1.2, 1]] }).bound, 'traffic');
  assert.equal(boundOf({ ...machine, arithmetic: 1e11, passes: [[11]] }).bound, 'arithmetic');
  assert.equal(boundOf({ ...machine, passes: [[9]] }).bound, 'steps');
});

test('batches are measured against the same batch of single tokens, lap by lap', () => {
  const [{ c, v, speedup }] = batchesOf(
    { gamma: 2, batches: [{ rows: 4, one: [1, 2, 1], many: [2, 4, 2], draft: [0.5, 1, 0.5] }] },
    0.5,
  );
  assert.deepEqual([c, v], [0.5, 2]);
  near(speedup, 1.75 / 3);
});

test('what a reader sets is worth what the theory says', () => {
  const { curve, best, from, dear } = worth({ alpha: 0.8, gamma: 4, c: 0.1, v: () => 1, overhead: 0 });
  near(curve[4].speedup, expectedTokens(0.8, 4) / 1.4);
  assert.equal(best.gamma, curve.reduce((top, each) => (each.speedup > top.speedup ? each : top)).gamma);
  near(expectedTokens(from.alpha, 4), 1.4, 1e-6);
  near(expectedTokens(dear.alpha, 4) / 1.8, curve[4].speedup, 1e-6);
  assert.equal(worth({ alpha: 1, gamma: 4, c: 9, v: () => 1, overhead: 0 }).dear.why, 'never');
  const v = tilted((width) => 1 + 0.1 * (width - 1), 2);
  assert.deepEqual([v(1), v(5)], [1, 2]);
});

test('where rounds differ, the formula is too low at their mean α and too high at the counted one', () => {
  const { mean, tokens, predicted, counted, atCounted } = mixture(0.95, 0.45, 4);
  near(mean, 0.7);
  near(tokens, (4.524_381_25 + 1.784_631_25) / 2, 1e-4); // theory.expected_tokens(0.95, 4), (0.45, 4)
  near(predicted, 2.7731, 1e-9);
  assert.ok(predicted < tokens && tokens < atCounted && counted > mean);
});

test('rules of thumb promise more than theory does', () => {
  const { most, refused } = thumbsOf({ alpha: 0.7, gamma: 4 });
  near(refused, 5 / 1.3);
  assert.ok(most > refused && refused > expectedTokens(0.7, 4));
});

const solve = (name, more = {}) => {
  const { fields, solve: how } = EXAMPLES[name];
  return how({ ...Object.fromEntries(fields.map((field) => [field.name, field.value])), ...more });
};
const told = (name, more) => solve(name, more).lines.map(({ value }) => value);

test('To be or not to be: two accepted, the third refused at 0.143 against 0.71', () => {
  const { lines, says } = solve('keep');
  assert.deepEqual(
    lines.map(({ value }) => value),
    ['accepted', 'accepted', 'rejected'],
  );
  assert.equal(lines[2].formula, 'p/q = 0.05/0.35 = 0.143 vs r = 0.71');
  assert.match(lines[0].formula, /= 2\.97 ≥ 1, whatever r is$/);
  assert.match(says, /2 \+ 1 resampled = 3 tokens/);
  assert.match(solve('keep', { r3: 0.1 }).says, /All 3 accepted.* 3 \+ 1 = 4 tokens/);
  assert.deepEqual(told('keep', { p1: 0 }), ['rejected']);
});

test('48 ms against 160 ms, and what that leaves out', () => {
  assert.deepEqual(told('timing'), ['48 ms', '160 ms', '3.33×', '4.17×', '3.36', '2.80×']);
  assert.match(solve('timing').says, /5 tokens, not 4; .* at α = 0\.8 it is 2\.80×/);
  assert.equal(told('timing', { guesses: 2 })[0], '44 ms');
});

test('E[tokens] of five guesses, and of one', () => {
  assert.deepEqual(told('tokens'), ['1.97', '2.94', '3.69', '4.69', '5.30']);
  assert.equal(solve('tokens').lines[1].formula, '(1 − 0.7⁶) / (1 − 0.7)');
  assert.deepEqual(told('tokens', { guesses: 1 }), ['1.50', '1.70', '1.80', '1.90', '1.95']);
});

test('the best K for 4 ms and 40 ms', () => {
  assert.deepEqual(told('best').slice(0, 2), ['K = 6, 2.47×', 'K = 2, 1.46×']);
  assert.deepEqual(
    told('best', { draft: 40 }),
    ['K = 0, 1.00×', 'K = 0, 1.00×', 'K = 0, 1.00×'],
    'where a guess costs a pass, none pays',
  );
  assert.equal(told('best', { alpha: 0.5 }).length, 2, 'an α that is there already is not told twice');
});

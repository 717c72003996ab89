import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLES } from './sums-worked.js';

const solve = (name, more = {}) => {
  const { fields, solve: how } = EXAMPLES[name];
  return how({ ...Object.fromEntries(fields.map((field) => [field.name, field.value])), ...more });
};
const told = (name, more) =>
  solve(name, more).lines.map(({ value, printed }) => (printed ? [value, printed] : value));

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

test('E[tokens] of five guesses, where print differs beside it', () => {
  assert.deepEqual(told('tokens'), [
    '1.97',
    ['2.94', '3.16'],
    ['3.69', '3.97'],
    ['4.69', '4.87'],
    ['5.30', '5.23'],
  ]);
  assert.equal(solve('tokens').lines[1].formula, '(1 − 0.7⁶) / (1 − 0.7)');
  assert.match(solve('tokens').says, /4 of the original figures/);
  assert.deepEqual(
    told('tokens', { guesses: 1 }),
    ['1.50', '1.70', '1.80', '1.90', '1.95'],
    'nothing in print is of another K',
  );
});

test('the best K for 4 ms and 40 ms is not what is printed', () => {
  assert.deepEqual(told('best').slice(0, 2), [
    ['K = 6, 2.47×', 'K = 8, 2.71×'],
    ['K = 2, 1.46×', 'K = 3, 1.47×'],
  ]);
  assert.match(solve('best').says, /K = 3 at α = 0\.5 comes to 1\.44×, K = 8 at α = 0\.8 comes to 2\.40×/);
  assert.deepEqual(
    told('best', { draft: 40 }),
    ['K = 0, 1.00×', 'K = 0, 1.00×', 'K = 0, 1.00×'],
    'where a guess costs a pass, none pays',
  );
  assert.equal(told('best', { alpha: 0.5 }).length, 2, 'an α that is there already is not told twice');
});

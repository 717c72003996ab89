import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestGamma, breakEven, expectedTokens, inSteps, speedup } from './theory.js';

const near = (got, wanted, slack = 1e-12) => assert.ok(Math.abs(got - wanted) <= slack, `${got} for ${wanted}`);

test('E is that of theory.expected_tokens', () => {
  const known = [[0.5, 5, 1.96875], [0.7, 5, 2.9411699999999996], [0.8, 5, 3.6892800000000006], [0.9, 5, 4.68559], [0.95, 5, 5.298162187499999], [0.6, 4, 2.3056]];
  for (const [alpha, gamma, tokens] of known) near(expectedTokens(alpha, gamma), tokens);
  assert.deepEqual([expectedTokens(0, 4), expectedTokens(1, 4), expectedTokens(0.5, 1), expectedTokens(0.3, 0)], [1, 5, 1.5, 1]);
});

test('the speed-up is that of theory.speedup, and its best γ the one that a search finds', () => {
  near(speedup(1, 4, 0.1, 1.1), 3.3333333333333335);
  near(speedup(0.7, 3, 0.12, 1.2, 0.05), 1.5732919254658384);
  const free = () => 1;
  const [easy, hard] = [bestGamma(0.8, 0.1, free, 12), bestGamma(0.5, 0.1, free, 12)];
  assert.deepEqual([easy.gamma, hard.gamma], [6, 2]);
  near(easy.speedup, 2.4696400000000005);
  near(hard.speedup, 1.4583333333333335);
  assert.deepEqual(bestGamma(0, 0, free, 5), { gamma: 0, speedup: 1 });
});

test('break-even is where tokens are worth their cost, and in words where no α decides', () => {
  near(breakEven(4, 4 * 0.1 + 1.2 + 0.1).alpha, 0.419397436528135); // theory.break_even(4, 0.1, 1.2, 0.1)
  for (const [gamma, cost] of [[1, 1.5], [4, 1.7], [4, 5], [8, 2.4]]) near(expectedTokens(breakEven(gamma, cost).alpha, gamma), cost, 1e-6);
  assert.deepEqual(breakEven(4, 1), { alpha: null, why: 'always' });
  assert.deepEqual(breakEven(4, 5.001), { alpha: null, why: 'never' });
  assert.deepEqual(breakEven(0, 1.1), { alpha: null, why: 'nothing' });
});

test('measured costs come in plain steps, as costs.Costs gives them', () => {
  const { c, overhead, v } = inSteps({ draft: 0.2, rest: 0.1, widths: [1, 5, 9, 21], passes: [2, 2.2, 3, 6] });
  near(c, 0.1);
  near(overhead, 0.05);
  [[1, 1], [3, 1.05], [5, 1.1], [9, 1.5], [13, 2], [21, 3], [25, 3.5]].forEach(([width, cost]) => near(v(width), cost));
  near(bestGamma(0.7, c, v, 12, overhead).speedup, 1.7890967741935482);
  assert.equal(inSteps({ draft: 0.2, rest: 0, widths: [1], passes: [2] }).v(5), 1);
});

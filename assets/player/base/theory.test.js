import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bestGamma, breakEven, expectedTokens, inSteps, speedup } from './theory.js';

const near = (got, wanted, slack = 1e-12) => assert.ok(Math.abs(got - wanted) <= slack, `${got} for ${wanted}`);

const TABLE = JSON.parse(readFileSync(new URL('../../../tests/golden/theory/table.json', import.meta.url), 'utf-8'));

test('the closed forms give the table that specviz/theory.py is held to as well', () => {
  for (const { alpha, gamma, c, v, overhead, tokens, speedup: times, break_even: least, best_gamma: best } of TABLE) {
    near(expectedTokens(alpha, gamma), tokens);
    near(speedup(alpha, gamma, c, v, overhead), times);
    if (gamma) near(breakEven(gamma, gamma * c + v + overhead).alpha, least);
    assert.equal(bestGamma(alpha, c, () => 1, 12).gamma, best);
  }
  assert.deepEqual([expectedTokens(0, 4), expectedTokens(1, 4), expectedTokens(0.5, 1), expectedTokens(0.3, 0)], [1, 5, 1.5, 1]);
});

test('the best γ is the one that a search finds', () => {
  const free = () => 1;
  const [easy, hard] = [bestGamma(0.8, 0.1, free, 12), bestGamma(0.5, 0.1, free, 12)];
  assert.deepEqual([easy.gamma, hard.gamma], [6, 2]);
  near(easy.speedup, 2.4696400000000005);
  near(hard.speedup, 1.4583333333333335);
  assert.deepEqual(bestGamma(0, 0, free, 5), { gamma: 0, speedup: 1 });
});

test('break-even is where tokens are worth their cost, and in words where no α decides', () => {
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mindLengths } from '../base/lengths.js';
import { runName } from './head.js';
import { lengthOf } from './words.js';

test('where a drafter leaves no length to choose, no γ is named', () => {
  const config = {
    prompt: 'Once',
    drafter: 'lookahead',
    gamma: 4,
    gamma_rule: 'fixed',
    rule: 'rejection',
    temperature: 0.8,
    seed: 1,
  };
  assert.equal(lengthOf(config), ', γ = 4', 'as long as nobody says so');
  mindLengths([
    { name: 'lookahead', sized: false },
    { name: 'ngram', sized: true },
  ]);
  assert.equal(lengthOf(config), '');
  assert.equal(runName(config), '“Once”, lookahead, T = 0.8, seed 1');
  assert.equal(lengthOf({ ...config, drafter: 'ngram', gamma_rule: 'entropy-stop' }), ', γ by entropy stop');
  mindLengths([]);
});

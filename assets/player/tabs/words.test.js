import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mindLengths } from '../base/lengths.js';
import { runName } from './head.js';
import { described, lengthOf } from './words.js';

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
  assert.equal(described(config), 'lookahead, γ = 4, T = 0.8', 'as long as nobody says so');
  mindLengths([
    { name: 'lookahead', sized: false },
    { name: 'ngram', sized: true },
  ]);
  assert.equal(described(config), 'lookahead, T = 0.8');
  assert.equal(runName(config), '“Once”, lookahead, T = 0.8, seed 1');
  assert.equal(lengthOf({ ...config, drafter: 'ngram', gamma_rule: 'entropy-stop' }), ', γ by entropy stop');
  mindLengths([]);
});

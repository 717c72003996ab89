import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entropyOf, reasonOf, summaryOf } from './gammas.js';

const guess = (entropy, depth) => ({ q_entropy: entropy, depth });
const round = (index, entropies, kept, more = {}) => ({
  index,
  verdicts: entropies.map(guess),
  path: [...Array(kept).keys()],
  extra: {},
  glances: [],
  halt: null,
  budget: { reason: 'all 2 accepted: 2 more', signal: 2 },
  ...more,
});

test('a round’s entropy is that of its guesses, as the rule saw it', () => {
  assert.equal(entropyOf(round(0, [1, 3], 1)), 2);
  assert.equal(
    entropyOf(
      round(0, [0, 0], 1, {
        glances: [
          { entropy: 1, q: 1 },
          { entropy: 2, q: 1 },
          { entropy: 6, q: null },
        ],
      }),
    ),
    3,
  );
  assert.equal(entropyOf(round(0, [], 0)), null);
});

test('what stopped a round within counts before what it was allowed', () => {
  const halted = round(3, [1], 1, { halt: { reason: 'q = 0.2 is below 0.4', signal: 0.2 } });
  assert.equal(reasonOf(halted), 'q = 0.2 is below 0.4');
  assert.equal(reasonOf(round(3, [1], 1)), 'all 2 accepted: 2 more');
  assert.match(summaryOf(halted), /^Round 4: 1 guessed, 1 accepted\. .*q = 0\.2 is below 0\.4.* H/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entropyOf, ghostFigure, reasonOf, summaryOf } from './gammas.js';

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
  assert.match(summaryOf(halted, null), /^Round 4: 1 guessed, 1 accepted\. .*q = 0\.2 is below 0\.4.* H/);
});

test('another rule’s answer is told beside the round’s own, and an open one as “at most”', () => {
  const ghost = {
    name: 'heuristic',
    asked: [
      [6, 'to begin with', null, false],
      [20, 'up to 20', null, true],
    ],
  };
  assert.match(summaryOf(round(0, [1, 1], 2), ghost), /heuristic would have guessed 6: to begin with/);
  assert.match(summaryOf(round(1, [1, 1], 2), ghost), /heuristic would have guessed up to 20/);
});

test('a ghost is drawn beside the run and counted in a sentence', () => {
  const ghost = {
    name: 'heuristic',
    asked: [
      [2, 'to begin with', null, false],
      [4, 'all 2 accepted: 2 more', 2, false],
      [20, 'up to 20', null, true],
    ],
  };
  const figure = ghostFigure([round(0, [1, 1], 2), round(1, [1, 1], 2), round(2, [1, 1], 0)], ghost, 'fixed');
  assert.deepEqual(
    figure.series.map(({ y }) => y),
    [
      [2, 2, 2],
      [2, 4, 20],
    ],
  );
  assert.match(figure.says, /8\.67 .*where fixed guessed 2.*same in 1 of 3 rounds.*In 1/);
  assert.deepEqual(figure.table.rows[1], [2, 2, 4, false, 'all 2 accepted: 2 more']);
});

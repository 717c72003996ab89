import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory } from './memory.js';

const guess = (node, parent, token, counts) => ({ node, parent, token, law: 'point', source: { counts } });
const own = { context: 1, seen: 0, own: 1 };

/** Two rounds behind the prompt 5, 7: the first keeps one of two guesses, the second neither. */
function story(counts = own) {
  const rounds = [
    { position: 2, path: [0], verdicts: [guess(0, -1, 300, counts), guess(1, 0, 9, counts)] },
    { position: 4, path: [], verdicts: [guess(0, -1, 9, counts), guess(1, -1, 300, counts)] },
  ];
  return {
    trace: { info: { vocab_size: 4096 }, prompt: [5, 7], rounds },
    text: [5, 7, 300, 8, 6].map((id) => ({ id })),
  };
}
const said = (found) => [found.says, ...found.key.map(({ text }) => text)];

test('a round teaches its rows once it is over: the pending token and every guess, kept or not', () => {
  const told = story();
  assert.deepEqual(said(memory(told, { round: 0, order: 1 })), [
    '1 of 4,096 tokens remembered',
    '1 from the text',
    '0 from guesses not accepted',
  ]);
  assert.deepEqual(said(memory(told, { round: 0, order: 6 })), [
    '4 of 4,096 tokens remembered',
    '3 from the text',
    '1 from guesses not accepted',
  ]);
  assert.deepEqual(said(memory(told, { round: 1, order: 0 })), said(memory(told, { round: 0, order: 6 })));
  assert.deepEqual(said(memory(told, { round: 1, order: 6 })), [
    '5 of 4,096 tokens remembered',
    '3 from the text',
    '2 from guesses not accepted',
  ]);
});

test('a cell is as hot as its row was learned often, in the colour of what taught it last', () => {
  const { width, height, paths } = memory(story(), { round: 1, order: 6 });
  assert.deepEqual([width, height], [128, 32]);
  assert.deepEqual(
    paths.map(({ kind, heat }) => [kind, heat]),
    [
      ['fresh', 0],
      ['rejected', 1],
      ['text', 0],
    ],
  );
  assert.equal(paths[1].d, 'M44 2h1v1h-1zM9 0h1v1h-1z');
  assert.equal(paths[2].d, 'M5 0h1v1h-1zM7 0h1v1h-1zM8 0h1v1h-1z');
});

test('tokens of a large vocabulary share cells, and other drafters have no such memory', () => {
  const large = story();
  large.trace.info.vocab_size = 152_000;
  assert.equal(memory(large, { round: 1, order: 6 }).height, 32);
  assert.equal(memory(story(null), { round: 0, order: 6 }), null);
  assert.equal(memory(story({ context: 1, seen: 4, own: 0 }), { round: 0, order: 6 }), null);
});

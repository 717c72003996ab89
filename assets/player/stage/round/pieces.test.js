import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piecesOf } from './pieces.js';

const [mark, own, letter, end] = [
  { state: 'prompt', template: true },
  { state: 'prompt' },
  { state: 'prompt', template: true, many: 3 },
  { state: 'accepted', template: true },
];
const TEXT = [mark, letter, own, own, mark, end];
const shapes = (pieces) => pieces.map(({ at, token, many, open }) => (token ? at : { at, many, open }));

test('a stretch of the template is one piece that counts its tokens, and what is guessed is never folded', () => {
  assert.deepEqual(shapes(piecesOf(TEXT, new Set(), 72, 12)), [
    { at: 0, many: 4, open: false },
    2,
    3,
    { at: 4, many: 1, open: false },
    5,
  ]);
});

test('an open fold stands before its tokens', () => {
  assert.deepEqual(shapes(piecesOf(TEXT, new Set([0]), 72, 12)), [
    { at: 0, many: 4, open: true },
    ...[0, 1, 2, 3],
    { at: 4, many: 1, open: false },
    5,
  ]);
});

test('of a long text the last pieces are drawn, and opening a fold takes no piece away', () => {
  const long = [...Array(50).fill(own), ...Array(30).fill(mark), ...Array(45).fill(own)];
  const closed = piecesOf(long, new Set(), 72, 12);
  assert.deepEqual([closed.length, closed[0].at], [96 - 24, 24]);
  const open = piecesOf(long, new Set([50]), 72, 12);
  assert.deepEqual([open.length, open[0].at], [72 + 30, 24]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold, markOf, room, zoom } from './fold.js';
import { piecesOf } from './pieces.js';

const row = (token, p, q, marks = {}) => ({
  token,
  label: `t${token}`,
  p,
  q,
  overlap: Math.min(p, q),
  residual: Math.max(0, p - q),
  rest: false,
  dart: null,
  ...marks,
});
const REST = {
  token: null,
  label: '',
  count: 90,
  p: 0.2,
  q: 0.3,
  overlap: 0.1,
  residual: 0.1,
  rest: true,
  dart: null,
};
const ROWS = [
  row(1, 0.4, 0.1),
  row(2, 0.2, 0.3),
  row(3, 0.1, 0.15),
  row(4, 0.06, 0.05),
  row(5, 0.04, 0.1, { drafted: true }),
  REST,
];
const total = (rows, name) => rows.reduce((sum, each) => sum + each[name], 0);

test('what does not fit joins the rest, and no column changes its sum', () => {
  for (const most of [1, 2, 3, 4, 5, 9]) {
    const shown = fold(ROWS, most);
    assert.equal(shown.length, Math.min(most, 5) + 1);
    assert.equal(shown.at(-1).count, 90 + 6 - shown.length);
    for (const name of ['p', 'q', 'overlap', 'residual'])
      assert.ok(Math.abs(total(shown, name) - total(ROWS, name)) < 1e-12);
  }
});

test('the token a beat is about stays, however small', () => {
  assert.deepEqual(
    fold(ROWS, 3).map(({ token }) => token),
    [1, 2, 5, null],
  );
});

test('what is not known stays unknown', () => {
  const rows = [
    row(1, null, 0.5, { overlap: null }),
    row(2, null, 0.2, { overlap: null }),
    { ...REST, p: null, overlap: null, residual: null },
  ];
  const [, rest] = fold(rows, 1);
  assert.equal(rest.p, null);
  assert.equal(rest.overlap, null);
  assert.equal(rest.q, 0.5);
});

test('rows take 1.12 lines each and never fewer than four stand', () => {
  assert.equal(room(168, 15, 'both'), 9);
  assert.equal(room(10, 15, 'both'), 4);
  assert.equal(room(900, 15, 'q'), 7);
});

test('bars stand at the largest round multiple of the ruler that fits the largest named token', () => {
  assert.equal(zoom([row(1, 0.322, 0.117), REST], 540, 1200), 1);
  assert.equal(zoom([row(1, 0.115, 0.1), REST], 540, 1200), 3);
  assert.equal(zoom([row(1, 0.999, 0.1), REST], 540, 1200), 0.4);
  assert.ok(Math.abs(zoom([row(1, 1, 0), REST], 60, 1200) - 0.05) < 1e-12);
});

test('the scale of the bars is marked at a round share that has room', () => {
  assert.deepEqual([2, 1, 0.3, 0.183, 0.012, 0.001].map(markOf), [1, 0.5, 0.2, 0.1, 0.01, null]);
});

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

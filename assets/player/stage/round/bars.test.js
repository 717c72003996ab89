import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lawsOf } from './bars.js';

const RANKS = { p: [[1, 0.9]], q: [[1, 0.5]] };
const RAW = {
  rows: [
    [4, ' b', 0.3, 0.4],
    [7, ' a', 0.2, 0],
  ],
  ranks: { p: [[1, 0.3]], q: [[1, 0.4]] },
};
const ANSWER = {
  rows: [
    [7, ' a', 0.9, 0],
    [4, ' b', 0.1, 0.5],
  ],
  ranks: RANKS,
  raw: RAW,
};

test('the laws decided on come with the chance that a guess is kept, where one could be drawn', () => {
  assert.deepEqual(lawsOf(ANSWER, false, true), {
    rows: [
      [7, ' a', 0.9, 0, null],
      [4, ' b', 0.1, 0.5, 0.2],
    ],
    ranks: RANKS,
  });
});

test('no chance is given where it is not min(1, p/q) that keeps a guess', () => {
  assert.deepEqual(
    lawsOf(ANSWER, false, false).rows.map((row) => row[4]),
    [null, null],
  );
});

test('raw laws are shown when asked for, and nothing is kept by them', () => {
  assert.deepEqual(lawsOf(ANSWER, true, true), {
    rows: [
      [4, ' b', 0.3, 0.4, null],
      [7, ' a', 0.2, 0, null],
    ],
    ranks: RAW.ranks,
  });
});

test('an answer without raw laws shows those decided on, asked for or not', () => {
  const answer = { ...ANSWER, raw: null };
  assert.deepEqual(lawsOf(answer, true, true), lawsOf(answer, false, true));
});

test('a row after the last guess has no q in either', () => {
  const last = { rows: [[7, ' a', 0.9, null]], ranks: { p: RANKS.p, q: null } };
  for (const raw of [false, true])
    assert.deepEqual(lawsOf({ ...last, raw: last }, raw, true), {
      rows: [[7, ' a', 0.9, null, null]],
      ranks: last.ranks,
    });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pourOf } from './pour.js';

const check = { kind: 'verify' };
const round = (many) => ({ verdicts: Array(many).fill({}) });
const info = (size, dtype, more = {}) => ({ target: { size, ...more }, dtype });

test('a pass reads all weights once, for one token as for a round of guesses', () => {
  const pour = pourOf(info('16 M', 'float32'), round(4), check);
  assert.deepEqual(
    pour.lanes.map(([, tokens]) => tokens),
    [1, 5],
  );
  assert.match(pour.says, /16 M weights once, 64 MB at 4 bytes each: for one token as for 5\./);
  assert.match(pourOf(info('1.7 B', 'float16'), round(1), check).says, /3\.4 GB at 2 bytes/);
  const read = info('135 M', 'float32', { stored: 'Q4_1', kept: 'float16' });
  assert.match(
    pourOf(read, round(2), check).says,
    /270 MB at 2 bytes/,
    'as it is kept, not as it was stored',
  );
});

test('nothing is poured where the trace does not say how much, nothing was guessed, or no pass runs', () => {
  assert.equal(pourOf({ target: 'made-up target', dtype: 'float64' }, round(4), check), null);
  assert.equal(pourOf(info('16 M', 'int3'), round(4), check), null);
  assert.equal(pourOf(info('16 M', 'float32'), round(0), check), null);
  assert.equal(pourOf(info('16 M', 'float32'), round(4), { kind: 'dart' }), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { progress } from './loading.js';

const of = (done, total, seconds) => progress({ done, total, seconds });

test('bytes, rate and remaining time come from what was counted', () => {
  assert.deepEqual(of(300e6, 1.2e9, 12), { percent: 25, text: '300 MB of 1.2 GB · 25 MB/s · 36 s left' });
  assert.deepEqual(of(1e9, 41e9, 50), { percent: 2, text: '1 GB of 41 GB · 20 MB/s · 33 min left' });
});

test('what is not known yet is not told', () => {
  assert.deepEqual(of(0, 5e8, 0), { percent: 0, text: '0 B of 500 MB' });
  assert.deepEqual(of(0, 5e8, 3), { percent: 0, text: '0 B of 500 MB' });
  assert.deepEqual(of(7e6, 5e8, 0), { percent: 1, text: '7 MB of 500 MB' });
});

test('without a total there is no share, and without bytes not a word', () => {
  assert.deepEqual(of(3e6, 0, 2), { percent: null, text: '3 MB · 1.5 MB/s' });
  assert.deepEqual(of(0, 0, 9), { percent: null, text: '' });
});

test('more than was announced is the whole, with no time left', () => {
  assert.deepEqual(of(6e8, 5e8, 60), { percent: 100, text: '600 MB of 500 MB · 10 MB/s' });
});

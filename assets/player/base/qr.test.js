import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { qr } from './qr.js';

/** Made by the Python package qrcode 8.2, version 3, level L, mask 3; each row is a number, base 16. */
const LINK = 'https://example.org/#v=1&run=tale-small-model';
const CODE =
  '1fd81a7f 10405d41 1753c55d 175acd5d 175efe5d 1049c341 1fd5557f a6f00 1e504a9d fa89671 8701406 14' +
  'b38171 eda8a0c 119eef47 9fdcba7 13897792 1dc285ba 99252e 14c36014 7891fb4 8c27ffc 159f1f 1fca975' +
  'a 1045d11b 1743edf5 17597619 1755d525 105c317a 1fde9742';
const text = (rows) => rows.map((row) => row.join('')).join('\n');

test('a code is the one that another encoder makes', () => {
  assert.deepEqual(
    qr(LINK, 3).map((row) => parseInt(row.join(''), 2).toString(16)),
    CODE.split(' '),
  );
});

test('a long code with blocks of two lengths is too', () => {
  const digest = createHash('sha256')
    .update(text(qr('x'.repeat(330), 3)))
    .digest('hex');
  assert.equal(
    digest,
    '45ef830c4c457f08ae9020baa53bf573530b7ae5e0822b73d85bf36ff2fa3ebb',
    'version 12, by the same',
  );
});

test('it takes 2,953 bytes, and says where there are more', () => {
  assert.equal(qr('x'.repeat(2953), 0).length, 177);
  assert.equal(qr('x'.repeat(2954)), null);
  assert.equal(qr('漢'.repeat(985)), null, 'bytes count, not letters');
});

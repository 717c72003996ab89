import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { qr } from './qr.js';
import { chunksOf, moving } from './webp.js';

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

/** Stills of 6 by 4 pixels: two lossy ones and one that is not. */
const STILLS = [
  'UklGRjgAAABXRUJQVlA4ICwAAACQAQCdASoGAAQAAsBMJaACdLoAA5gA/u5DH+5sc4twV/9tD/9aH/60P+lAAA==',
  'UklGRjoAAABXRUJQVlA4IC4AAACwAQCdASoGAAQAAsBMJaACdAEO/gLsAP74Ryo/9tD//20P//bQ/6jvBskU5IAA',
  'UklGRiAAAABXRUJQVlA4TBQAAAAvBcAAAAdQgVQIIAAKmv7HiIj+Bw==',
].map((text) => new Uint8Array(Buffer.from(text, 'base64')));

test('each still becomes a frame with its own picture, its size and how long it stays', () => {
  const made = moving(
    STILLS.map((bytes, at) => ({ bytes, ms: 1000 + at })),
    6,
    4,
  );
  const view = new DataView(made.buffer);
  assert.equal(view.getUint32(4, true), made.length - 8);
  const [head, loop, ...frames] = chunksOf(made);
  assert.deepEqual([head.name, loop.name], ['VP8X', 'ANIM']);
  assert.deepEqual([...head.data], [2, 0, 0, 0, 5, 0, 0, 3, 0, 0]);
  assert.equal(frames.length, STILLS.length);
  frames.forEach(({ name, data }, at) => {
    assert.equal(name, 'ANMF');
    assert.deepEqual([data[6], data[9]], [5, 3]);
    assert.equal(data[12] + 256 * data[13], 1000 + at);
    const [picture] = chunksOf(STILLS[at]);
    assert.equal(Buffer.from(data).includes(Buffer.from(picture.data)), true);
  });
});

test('a still that can be seen through says so for all', () => {
  const [clear] = [structuredClone(STILLS[0])];
  const alpha = Buffer.concat([Buffer.from('ALPH'), Buffer.from([1, 0, 0, 0, 0, 0])]);
  const bytes = new Uint8Array(Buffer.concat([clear.subarray(0, 12), alpha, clear.subarray(12)]));
  assert.equal(chunksOf(moving([{ bytes, ms: 1 }], 6, 4))[0].data[0], 0x12);
});

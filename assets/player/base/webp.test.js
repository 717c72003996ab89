import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunksOf, moving } from './webp.js';

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

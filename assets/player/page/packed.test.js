import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TRACE } from './link.js';
import { pack, unpack } from './packed.js';

test('what was packed for a link comes back; what is none, or too large unpacked, is none', async () => {
  const text = JSON.stringify({ a: 'é'.repeat(5000) });
  const packed = await pack(text);
  assert.match(packed, /^[\w-]+$/);
  assert.ok(packed.length < TRACE);
  assert.equal(new TextDecoder().decode(await unpack(packed, 1e6)), text);
  assert.equal(await unpack(packed, 1000), null, 'a small link may not fill the memory');
  assert.equal(await unpack('abc', 1e6), null);
  assert.equal(await unpack('!!', 1e6), null);
});

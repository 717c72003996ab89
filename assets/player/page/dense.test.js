import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromDense, toDense } from './dense.js';

test('bytes of any length come back, written as Python writes them', () => {
  assert.equal(toDense(Uint8Array.of(0, 255, 8, 77, 200, 31, 139)), '0RIS0$RCR');
  for (let many = 0; many < 40; many += 1) {
    const bytes = Uint8Array.from({ length: many }, (_, at) => (at * 97 + many * 31) % 256);
    const text = toDense(bytes);
    assert.deepEqual(fromDense(text), bytes);
    assert.match(text, /^[^<"'\\\s]*$/);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { speak } from './words.js';

test('every token has something to say', () => {
  assert.deepEqual([' dog', '\n', '  ', '', '\u200B'].map(speak), [
    'dog',
    'line break',
    'space',
    'empty token',
    '<U+200B>',
  ]);
});

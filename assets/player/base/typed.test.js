import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, textsIn } from './typed.js';

test('texts come back from their lines, newlines, backslashes and spaces and all', () => {
  for (const texts of [[], ['END'], ['\n\n', ' ', '\\n', 'C:\\new', '\\'], ['a\u2028b', '```\n']])
    assert.deepEqual(textsIn(linesOf(texts)), texts);
});

test('a newline is typed as backslash n, and an empty line is no text', () => {
  assert.deepEqual(textsIn('one\\ntwo\n\n \nC:\\temp'), ['one\ntwo', ' ', 'C:\\temp']);
});

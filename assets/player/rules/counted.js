/**
 * counted.js: an engine counted the accepted guesses and recorded neither p nor q; what hangs on them is not shown.
 * Pure.
 */

import { words } from '../words/words.js';
import { line } from './code.js';
import { byNumber } from './number.js';
import { greedy } from './same.js';

const LINES = [
  line(['draft']),
  line(['verify', 'dart', 'verdict']),
  line(['replace', 'bonus', 'join', 'gather', 'trim', 'rest']),
];

/** @type {import('./number.js').Rule} */
export const counted = {
  ...greedy,
  name: 'counted',
  bare: true,
  cools: false,
  words: { ...byNumber.words, ...words.rules.counted },
  decides: ({ missing = [] }) => missing.includes('numbers'),
  code: () => ({ ...words.rules.counted, lines: LINES }),
  question: () => [words.rules.counted.question],
  terms: () => [{ label: words.rules.counted.same }],
  own: () => ({ label: words.rules.counted.pick }),
};

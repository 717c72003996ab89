/**
 * words.js: every word of this room, and of those below it.
 */

import { words as below } from '../../stage/words.js';
import { compare } from './words-compare.js';

export const words = { ...below, compare };

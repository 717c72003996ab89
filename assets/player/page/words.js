/**
 * words.js: every word of this room, and of those below it.
 */

import { words as below } from '../trace/words.js';
import { methods } from './words-methods.js';
import { pair } from './words-pair.js';

export const words = { ...below, methods, pair };

/**
 * words.js: every word of this room, and of those below it.
 */

import { words as below } from '../race/words.js';
import { alpha } from './words-alpha.js';

export const words = { ...below, alpha };

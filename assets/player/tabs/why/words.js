/**
 * words.js: every word of this room, and of those below it.
 */

import { words as below } from '../race/words.js';
import { reason } from './words-reason.js';

export const words = { ...below, reason };

/**
 * words.js: every word of this room, and of those below it.
 */

import { words as below } from '../page/words.js';
import { noDice } from './words-dice.js';
import { gamma, ghost } from './words-gamma.js';

export const words = { ...below, noDice, gamma, ghost };

/**
 * words.js: every word of this room, and of those below it.
 */

import { words as below } from '../../stage/words.js';
import { race } from './words-race.js';

export const words = { ...below, race };

/**
 * words.js: every word of this room, and of those below it.
 */

import { words as below } from '../base/words.js';
import { file } from './words-file.js';

export const words = { ...below, file };

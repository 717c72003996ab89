/**
 * words.js: every word of this room, and of those below it.
 */

import { words as below } from '../../stage/words.js';
import { finding } from './words-finding.js';
import { proof } from './words-proof.js';

export const words = { ...below, finding, proof };

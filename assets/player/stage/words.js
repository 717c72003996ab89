/**
 * words.js: every word of the stage, and of the rooms below it.
 */

import { inLanguage } from '../base/language.js';
import { words as below } from '../words/words.js';
import { gamma, ghost } from './words-gamma.js';
import { heads } from './words-heads.js';
import { passes } from './words-passes.js';
import { say } from './words-say.js';
import { guide } from './words-guide.js';
import { quiz } from './words-quiz.js';
import { sheet } from './words-sheet.js';
import { tour } from './words-tour.js';
import * as run from './words-run.js';
import * as stage from './words-stage.js';
import { noDice, why } from './words-why.js';

const own = { ...stage, ...run, guide, quiz, sheet, tour, why, noDice, gamma, ghost, heads, passes, say };

export const words = { ...below, ...inLanguage(own) };

/**
 * words.js: every word of the stage, and of the rooms below it.
 */

export { words } from '../words/words.js';

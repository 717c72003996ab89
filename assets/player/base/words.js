/**
 * words.js: sentences that the server, or a trace, says in English. Pure.
 */

import { inLanguage } from './language.js';

export const words = inLanguage({ served: (text) => text });
export const { served } = words;

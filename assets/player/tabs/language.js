/**
 * language.js: puts the tabs' words into the page's language.
 */

import { speaker } from '../base/language.js';

export const inLanguage = await speaker({
  de: () => import('./de/words.js'),
  zh: () => import('./zh/words.js'),
});

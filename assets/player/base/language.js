/**
 * language.js: puts tables of English words into the page's language, which <html data-sv-lang> names. The
 * other languages' tables stand in folders beside this file and in tabs, and only those of the page's own
 * language are fetched.
 */

/** As assets/language.js chose it; none outside a browser. */
const tag = globalThis.document?.documentElement.dataset.svLang;

/**
 * Makes what puts an English table into the page's language. tables: { language: what fetches a module with
 * its words }. What a language has no words for, such as formulas, stays.
 */
export async function speaker(tables) {
  const language = tag?.split('-')[0];
  const { words } = Object.hasOwn(tables, language) ? await tables[language]() : {};
  return (english) => translated(english, words);
}

/** A table with all words that another one, of the same shape, has in their place. */
export function translated(english, words) {
  if (words === undefined || !isTable(english)) return words ?? english;
  return Object.fromEntries(
    Object.entries(english).map(([key, value]) => [key, translated(value, words[key])]),
  );
}

/**
 * Whether this is a table of words, not one of them: a text, a function that makes one, or a list of
 * pieces.
 */
export function isTable(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

if (tag) document.documentElement.lang = tag; // Gradio, which was first, wrote the browser's language there
export const inLanguage = await speaker({
  de: () => import('./de/words.js'),
  zh: () => import('./zh/words.js'),
});

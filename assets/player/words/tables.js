/**
 * tables.js: the tables of words: English, and the page's language where that is another one. A saved page
 * has them in itself instead (trace/standalone.py).
 */

/** As assets/language.js chose it; none outside a browser. */
const tag = globalThis.document?.documentElement.dataset.svLang ?? 'en';

// Gradio, which was first, wrote the browser's language there.
if (globalThis.document) document.documentElement.lang = tag;

async function read(language) {
  const address = new URL(`./${language}.json`, import.meta.url);
  if (globalThis.document) return (await fetch(address)).json();
  return JSON.parse((await import('node:fs')).readFileSync(address, 'utf8'));
}

const language = ['de', 'zh'].find((each) => each === tag.split('-')[0]) ?? 'en';
export const [english, other] = await Promise.all(['en', ...(language === 'en' ? [] : [language])].map(read));

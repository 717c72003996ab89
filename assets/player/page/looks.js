/**
 * looks.js: how the page looks and which language it speaks, two fields on top of the drawer.
 */

import { el } from '../base/dom.js';
import { remember } from '../base/memory.js';
import { toggleDark } from './gradio.js';
import { languageIn } from './link.js';
import { words } from '../words/words.js';

export function createLooks() {
  const dark = el('input', { type: 'checkbox', id: 'sv-dark' });
  dark.addEventListener('change', () => toggleDark(dark.checked));
  const language = el(
    'select',
    {},
    ...Object.entries(words.looks.languages).map(([value, name]) =>
      el('option', { value, lang: value }, name),
    ),
  );
  language.value = document.documentElement.dataset.svLang.split('-')[0];
  language.addEventListener('change', () => speak(language.value));
  return el(
    'div',
    { 'data-sv': 'looks' },
    el('label', {}, dark, words.looks.dark),
    el('label', {}, words.looks.language, language),
  );
}

/** All words are fetched before the page is drawn, so that it loads again. */
function speak(language) {
  remember('language', language);
  const params = new URLSearchParams(location.hash.slice(1));
  const asked = languageIn(location.href) ?? new URLSearchParams(location.search).get('lang');
  if (asked === null) location.reload();
  else {
    params.set('lang', language);
    location.hash = String(params); // main.js hears of it
  }
}

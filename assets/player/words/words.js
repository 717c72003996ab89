/**
 * words.js: every word that the page shows, in its language. The sections of the tables lie side by side
 * here: `words.share` is `page.share` in en.json.
 */

import { clean, plainName, show, speakNumbers } from '../base/format.js';
import { speaker, textOf, translated, wordsOf } from './format.js';
import { english, other } from './tables.js';

const table = translated(english, other);
const at = (path) =>
  path.split('.').reduce((part, key) => (Object.hasOwn(Object(part), key) ? part[key] : undefined), table);
const message = (code) => (typeof at(code) === 'string' ? at(code) : undefined);
const tag = other ? table.language : 'en-GB';
const days = new Intl.DateTimeFormat(tag, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

const marks = speakNumbers(tag);

/** A sentence has room for that many letters of a token. */
const ROOM = 24;
const kinds = {
  clean,
  name: plainName,
  // Chinese sets numbers apart from its letters, as the sentences do
  day: (when) =>
    days
      .formatToParts(new Date(when))
      .map(({ value }) => value)
      .join(tag.startsWith('zh') ? ' ' : ''),
  cut(text) {
    const letters = Array.from(text);
    return letters.length > ROOM ? `${letters.slice(0, ROOM - 1).join('')}…` : text;
  },
};
const say = speaker(tag, table.grammar, message, kinds, marks);

/** The sections that keep their own names: codes lead into them, and grammar is every message's. */
const CODED = ['grammar', 'refusals', 'reasons'];
const { language, ...sections } = table;

export const words = Object.assign(
  {},
  ...Object.entries(sections).map(([name, section]) => {
    const part = wordsOf(section, say);
    return CODED.includes(name) ? { [name]: part } : part;
  }),
);

/** One after another, those that say something. */
export function sentences(said) {
  return said.filter(Boolean).join(words.between);
}

/** Token text for a screen reader: no outer spaces, never empty. */
export function speak(text) {
  const trimmed = text.trim();
  if (trimmed) return show(trimmed).replaceAll('·', ' ');
  if (text.includes('\n')) return words.spoken.lineBreak;
  return text ? words.spoken.space : words.spoken.nothing;
}

/** What a word says with these values, whether it takes any or not. */
export function said(word, values) {
  return typeof word === 'function' ? word(values) : word;
}

/** The sentences of a list, each with the same values. */
export function saidAll(list, values) {
  return list.map((each) => said(each, values));
}

/**
 * A sentence that the server or a trace names: { code: a path in the tables, and its values }. A text stays as it is.
 * Both may be hostile, and nothing invisible is left in them.
 */
export function tell(sentence) {
  return clean(
    say([{ name: 'sentence' }], { sentence })
      .map(textOf)
      .join(''),
  );
}

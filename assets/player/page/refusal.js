/**
 * refusal.js: what the server refused, under the page's labels, and the nearest value it would accept. Pure.
 * A refusal is a sentence of the words' section `refusals`, see tell in words.js; most come from
 * specviz/config/settings.py.
 */

import { tell, words } from '../words/words.js';

const texts = words.refusal;

/**
 * @typedef {object} Explained
 * @property {string} text
 * @property {string | null} field the setting it is about
 * @property {number | null} value one that would do
 */

/** @returns {Explained} */
export function explainRefusal(sentence) {
  const { code, name = null, value, wanted } = sentence;
  const isLabelled = code === 'refusals.wrong' && Object.hasOwn(texts.labels, name);
  if (!isLabelled) {
    const field = code === 'refusals.wrong' ? null : name;
    return { text: texts.line({ line: tell(sentence) }), field, value: null };
  }
  const text = texts.needs({ label: texts.labels[name], wanted: tell(wanted) });
  return { text, field: name, value: nearest(value, wanted) };
}

/**
 * The same of what broke a run off.
 * @returns {Explained}
 */
export function explainFailure(sentence) {
  const { name = null, instead = null } = sentence;
  return { text: words.failed({ reason: tell(sentence) }), field: name, value: instead };
}

/** The nearest number that is wanted; null where there is none. */
function nearest(value, { code, low, high, instead = null }) {
  const [number, least, most] = [value, low, high].map((each) => Number(String(each).replaceAll(',', '')));
  if (instead !== null || !Number.isFinite(number + least + most)) return instead;
  const kind = code.split('.').at(-1);
  if (kind === 'zero' && number <= 0) return 0;
  const inside = Math.min(most, Math.max(least, number));
  if (kind === 'above' && inside === least) return least + 0.05;
  return kind === 'whole' ? Math.round(inside) : Number(inside.toFixed(2));
}

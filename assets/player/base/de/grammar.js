/**
 * grammar.js: German numbers and lists. Pure.
 */

import { hasNoLength } from '../lengths.js';
import { plainName } from '../format.js';

const NUMBERS = [
  'kein',
  'ein',
  'zwei',
  'drei',
  'vier',
  'fünf',
  'sechs',
  'sieben',
  'acht',
  'neun',
  'zehn',
  'elf',
  'zwölf',
];

/** Small numbers as words. */
export const inWords = (value) => NUMBERS[value] ?? String(value);

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** A token in a sentence or a formula. */
export const quoted = (text) => `„${text}“`;

export const listed = (names) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} und ${names.at(-1)}`;

/** „, γ = 4“ or „, γ nach ema“; empty where a drafter leaves no length to choose. */
export function lengthOf({ drafter, gamma, gamma_rule: by = 'fixed' }) {
  if (hasNoLength(drafter)) return '';
  return by === 'fixed' ? `, γ = ${gamma}` : `, γ nach ${plainName(by)}`;
}

export const RULES = {
  rejection: 'Rejection-Sampling',
  block: 'Blockprüfung',
  traversal: 'Traversal-Prüfung',
  coupled: 'gemeinsames Rauschen',
  typical: 'typische Annahme (verlustbehaftet)',
};

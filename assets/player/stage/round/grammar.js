/**
 * grammar.js: what a grammar leaves of the vocabulary at a place, and what of p a draft with another tokenizer can
 * guess. Pure.
 */

import { count, number } from '../../base/format.js';

/** True if the grammar allows a guess alone at its place: it is accepted, whatever the number. */
export function isForced({ view, p }) {
  return view.allowed === 1 && p === 1;
}

/** How many tokens the grammar allows at a place, for the title of a figure and the card of a token; '' for all. */
export function heldBy(allowed, vocabulary, forced, message) {
  return allowed ? message({ many: allowed, shown: count(allowed), of: count(vocabulary), forced }) : '';
}

/** How much of p a draft with another tokenizer can guess, for the same two; '' for all of it. */
export function coveredBy({ covered }, message) {
  return covered === undefined ? '' : message({ share: number(covered) });
}

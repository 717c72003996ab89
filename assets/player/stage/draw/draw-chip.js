/**
 * draw-chip.js: a token in its box, and a mark at a share of one.
 */

import { el, portion, set } from '../../base/dom.js';
import { hold, writeToken } from './draw-words.js';

/** A chip; what is before its text comes first. */
export function createChip(...before) {
  return el('span', { 'data-sv': 'chip', dir: 'ltr' }, ...before, el('span', { 'data-sv': 'text' }));
}

/** Writes a chip; an empty place has words in it, not a token. */
export function paintChip(chip, text, look) {
  if (look === 'empty') hold(chip.lastElementChild, ['', text], () => [text]);
  else writeToken(chip.lastElementChild, text);
  set(chip, { 'data-look': look });
}

/** Puts a mark at a share of its box; null hides it. */
export function placeMark(node, at) {
  set(node, { style: `left: ${portion(at ?? 0)}`, hidden: at === null });
}

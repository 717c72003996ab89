/**
 * draw-sum.js: the sum beside the figure: what is worked out at this beat, in words, as a formula and as a verdict.
 */

import { el, fill, set, write } from '../base/dom.js';
import { number } from '../base/format.js';
import { writeMaths } from './draw-words.js';
import { look } from './words-look.js';

/** Makes the column show its entries, and under them the odds of a guess at this position where both laws are known. */
export function drawSum({ sum }, { sum: entries, figure, noDice }) {
  if (!sum.firstElementChild) sum.append(el('div', { 'data-sv': 'terms' }), el('div', { 'data-sv': 'odds' }, el('span'), el('i')));
  const [terms, odds] = sum.children;
  fill(terms, entries ?? [], createEntry, paintEntry);
  const overlap = noDice ? null : figure?.overlap ?? null;
  set(odds, { hidden: overlap === null });
  write(odds.firstElementChild, overlap === null ? '' : look.odds(number(overlap), number(figure.left)));
  set(odds.lastElementChild, { style: `--share: ${overlap ?? 0}` });
}

function createEntry() {
  return el('div', { 'data-sv': 'entry' }, el('p', { 'data-sv': 'term-label' }), el('p', { 'data-sv': 'equation' }), el('p', { 'data-sv': 'term-verdict' }));
}

function paintEntry(node, { label, terms, result, verdict }) {
  const [says, formula, end] = node.children;
  writeMaths(says, label ? [label].flat() : []);
  writeMaths(formula, [terms ?? [], result ?? []].flat());
  set(says, { hidden: !label });
  set(formula, { hidden: !terms?.length && !result });
  write(end, verdict?.text ?? '');
  set(end, { hidden: !verdict, 'data-state': verdict?.state ?? null, 'data-late': Boolean(verdict?.late), 'data-unseen': Boolean(verdict?.hidden) });
}

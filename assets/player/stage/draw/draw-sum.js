/**
 * draw-sum.js: the sum beside the figure: what is worked out at this beat, in words, as a formula and as a
 * verdict.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { number } from '../../base/format.js';
import { writeMaths } from './draw-words.js';
import { words } from '../words.js';

const { look } = words;

const SMALLEST = 0.62;

/**
 * Makes the column show its entries, and under them, smaller, how far both laws overlap where they are
 * known: one chance a card, that of this guess.
 */
export function drawSum({ sum, pour }, { sum: entries, figure, noDice }) {
  if (!sum.firstElementChild)
    sum.append(
      el('div', { 'data-sv': 'terms' }),
      el('div', { 'data-sv': 'beside' }, el('span'), el('i')),
      pour,
    );
  const [terms, beside] = sum.children;
  fill(terms, entries ?? [], createEntry, paintEntry);
  // guesses weighed together have no chance of their own
  const overlap = noDice || figure?.weighs ? null : (figure?.overlap ?? null);
  set(beside, { hidden: overlap === null });
  write(
    beside.firstElementChild,
    overlap === null ? '' : look.overlap({ overlap: number(overlap), name: figure.mixed ? 'v' : 'p' }),
  );
  set(beside.lastElementChild, { style: `--share: ${overlap ?? 0}` });
}

/** Sets all formulas back to full type; the function returned measures them and their room then. */
export function measureSum({ sum }) {
  const all = [...sum.querySelectorAll('[data-sv="equation"]')];
  // a hidden formula would keep its old size
  for (const formula of all) formula.style.setProperty('--fit', '1');
  const formulas = all.filter(({ hidden }) => !hidden);
  return () => {
    const { clientHeight, scrollHeight } = sum.firstElementChild ?? sum;
    const tall = formulas.reduce((total, { offsetHeight }) => total + offsetHeight, 0);
    const { paddingLeft, paddingRight } = getComputedStyle(sum);
    const has = sum.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return {
      low: Math.min(1, 1 - (scrollHeight - clientHeight) / Math.max(1, tall)),
      wide: formulas.map((formula) => ({ formula, has, wants: formula.scrollWidth })),
    };
  };
}

/** If one formula is too long, or they do not all fit below each other, all get the same smaller type. */
export function placeSum({ low, wide }) {
  const fit = low * Math.min(1, ...wide.map(({ has, wants }) => (0.98 * has) / Math.max(1, wants)));
  for (const { formula } of wide)
    formula.style.setProperty('--fit', String(Math.max(SMALLEST, Number(fit.toFixed(3)))));
}

export function createEntry() {
  return el(
    'div',
    { 'data-sv': 'entry' },
    el('p', { 'data-sv': 'term-label' }),
    el('p', { 'data-sv': 'equation', style: '--fit: 1;' }),
    el('p', { 'data-sv': 'term-verdict' }),
  );
}

export function paintEntry(node, { label, terms, result, verdict }) {
  const [says, formula, end] = node.children;
  writeMaths(says, label ? [label].flat() : []);
  writeMaths(formula, [terms ?? [], result ?? []].flat());
  set(says, { hidden: !label });
  set(formula, { hidden: !terms?.length && !result, 'data-number': terms?.[0]?.var === 'u' });
  write(end, verdict?.text ?? '');
  set(end, {
    hidden: !verdict,
    'data-state': verdict?.state ?? null,
    'data-late': Boolean(verdict?.late),
    'data-unseen': Boolean(verdict?.hidden),
  });
}

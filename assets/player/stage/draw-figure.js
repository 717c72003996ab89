/**
 * draw-figure.js: p against q at one slot, as one table with two looks: bars laid over each other, or side by side.
 */

import { el, fill, set, write } from '../base/dom.js';
import { number } from '../base/format.js';
import { words } from './words.js';

const KINDS = ['p', 'q', 'residual'];
const width = (share) => `width: ${(100 * share).toFixed(3)}%`;

/** The figure's elements; redraw() is asked for when the lens is put on or off. */
export function figureParts(redraw) {
  const heads = KINDS.map((kind) => el('th', { scope: 'col', 'data-kind': kind }, words.columns[kind]));
  const bars = el('tbody', { 'data-sv': 'bars' });
  const view = el('button', { type: 'button', 'data-sv': 'view', 'aria-pressed': 'false' }, words.views.side);
  const lens = el('button', { type: 'button', 'data-sv': 'lens', 'aria-pressed': 'false', title: words.views.lensTitle }, words.views.lens);
  lens.addEventListener('click', () => {
    set(lens, { 'aria-pressed': String(lens.getAttribute('aria-pressed') === 'false') });
    redraw();
  });
  const legend = el('div', { 'data-sv': 'legend' }, ...['overlap', 'p', 'q'].map((kind) => el('span', { 'data-kind': kind }, words.legend[kind])), lens, view);
  const table = el('table', { 'data-sv': 'table', 'data-view': 'overlay', 'aria-label': words.figure },
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, words.columns.token), el('td', { 'data-kind': 'overlay' }), ...heads)), bars);
  view.addEventListener('click', () => {
    const side = table.dataset.view === 'overlay';
    set(table, { 'data-view': side ? 'side' : 'overlay' });
    set(view, { 'aria-pressed': String(side) });
  });
  return {
    overlap: el('span', { 'data-sv': 'overlap' }),
    left: el('span', { 'data-sv': 'leftover' }),
    view,
    lens,
    legend,
    bars,
    residualHead: heads[2],
    table,
    noFigure: el('p', { 'data-sv': 'no-figure', hidden: true }, words.noFigure),
  };
}

/** Makes the figure show what laws.js found, or say why there is nothing to compare; settled: the round is decided. */
export function drawFigure(parts, figure, settled) {
  write(parts.overlap, figure && figure.overlap !== null ? words.overlap(number(figure.overlap)) : '');
  write(parts.left, figure && figure.left !== null ? words.left(number(figure.left)) : '');
  set(parts.overlap, { 'data-value': figure && figure.overlap });
  set(parts.left, { 'data-value': figure && figure.left });
  set(parts.noFigure, { hidden: Boolean(figure) });
  write(parts.noFigure, settled ? words.noFigureLost : words.noFigure);
  set(parts.legend, { hidden: !figure });
  const zoom = parts.lens.getAttribute('aria-pressed') === 'true' ? 10 : 1;
  set(parts.table, { 'data-stretched': Boolean(figure?.stretched), 'data-zoomed': zoom > 1, hidden: !figure });
  write(parts.residualHead, figure?.stretched ? words.columns.stretched(number(figure.left)) : words.columns.residual);
  const sized = figure && { ...figure, scale: figure.scale / zoom, widest: figure.widest / zoom };
  fill(parts.bars, figure?.rows ?? [], createRow, (node, row) => paintRow(node, row, sized));
}

function createRow() {
  const column = (kind) => el('td', { 'data-kind': kind }, el('div', { 'data-sv': 'column' }, el('i'), el('span')));
  return el('tr', { 'data-sv': 'row' }, el('th', { scope: 'row', dir: 'ltr' }),
    el('td', { 'data-kind': 'overlay', 'aria-hidden': 'true' },
      el('div', { 'data-sv': 'bar' }, el('i', { 'data-kind': 'overlap' }), el('i', { 'data-kind': 'p' }), el('i', { 'data-kind': 'q' }), el('b'))),
    ...KINDS.map(column));
}

/** A token's text, or a button that opens the tokens summed in the last row. */
function paintLabel(label, { rest, label: text }) {
  if (rest !== Boolean(label.firstElementChild)) label.replaceChildren(...(rest ? [createOpener()] : []));
  write(rest ? label.firstElementChild : label, text);
}

function createOpener() {
  return el('button', { type: 'button', 'data-sv': 'open-rest', 'aria-haspopup': 'dialog', title: words.vocabulary.open });
}

function paintRow(node, row, { scale, widest, stretched, left }) {
  const [label, cell, ...columns] = node.children;
  const [overlap, excess, surplus, dart] = cell.firstElementChild.children;
  const both = row.overlap !== null;
  paintLabel(label, row);
  set(node, {
    'data-token-id': row.token, 'data-p': row.p, 'data-q': row.q, 'data-overlap': row.overlap, 'data-residual': row.residual,
    'data-rest': row.rest ? 'true' : null, 'data-drafted': row.drafted, 'data-emitted': row.emitted,
  });
  const shared = (row.overlap ?? 0) / scale;
  const place = (node_, share) => set(node_, { style: `left: ${(100 * shared).toFixed(3)}%; ${width(share)}` });
  set(overlap, { style: width(shared) });
  place(excess, both ? row.residual / scale : (row.p ?? 0) / scale);
  place(surplus, both ? Math.max(0, row.q - row.overlap) / scale : (row.q ?? 0) / scale);
  set(dart, { style: `left: ${row.dart === null ? 0 : (100 * row.dart) / scale}%`, hidden: row.dart === null });
  const residual = row.residual !== null && stretched ? row.residual / left : row.residual;
  [row.p, row.q, residual].forEach((value, index) => {
    const [bar, text] = columns[index].firstElementChild.children;
    set(bar, { style: width((value ?? 0) / widest) });
    write(text, value === null ? (index === 0 ? '?' : '–') : number(value));
  });
}

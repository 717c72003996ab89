/**
 * draw-state.js: a running state at the end of a round, drawn large: boxes of one size, and between them the tokens
 * that it read. Where some were for nothing, a second way goes from the saved copy to what is kept.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { writeToken } from './draw-words.js';

export const createState = () => el('div', { 'data-sv': 'state' });

/** state: as round/state.js has it, null where there is none. */
export function paintState(node, model, state, cellTitle) {
  set(node, { hidden: !state });
  fill(node, state?.ways ?? [], createWay, (way, its, at) => {
    set(way, { 'data-way': at ? 'back' : 'over' });
    paintWay(way, model, its, cellTitle);
  });
}

function createWay() {
  const box = () =>
    el('li', { 'data-sv': 'state-box' }, el('small'), el('p', {}, el('b'), ' ', el('span', { dir: 'auto' })));
  const read = el('li', { 'data-sv': 'state-read' }, el('ol', { 'data-sv': 'held-cells' }));
  return el('ol', { 'data-sv': 'state-way' }, box(), read, box());
}

function paintWay(node, model, { from, cells, more, to }, cellTitle) {
  const [start, read, end] = node.children;
  paintBox(start, model, from);
  paintBox(end, model, to);
  set(read, { 'data-none': !cells.length && !more });
  paintCells(read.firstElementChild, [...(more ? [{ text: more }] : []), ...cells], cellTitle);
}

/** A list of tokens; those without a kind stand for many. */
export function paintCells(list, cells, cellTitle) {
  fill(
    list,
    cells,
    () => el('li', { dir: 'ltr' }),
    (item, cell) => {
      const { kind = null, at = null, text } = cell;
      set(item, { 'data-cell': kind, 'data-at': at, title: kind && cellTitle(cell) });
      writeToken(item, text);
    },
  );
}

function paintBox(node, model, { kind, label, read, upTo, length, gone }) {
  const [title, line] = node.children;
  const [count, last] = line.children;
  set(node, { 'data-model': model, 'data-box': kind, 'data-length': length, 'data-gone': gone });
  write(title, label);
  write(count, read);
  write(last, upTo);
}

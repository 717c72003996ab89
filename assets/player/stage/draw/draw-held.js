/**
 * draw-held.js: what the caches hold at the end of a round, drawn large: a cell an entry, with the token whose
 * keys and values it keeps. What is dropped hangs below the others. A running state is its own picture.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { count } from '../../base/format.js';
import { createState, paintCells, paintState } from './draw-state.js';
import { words } from '../words.js';

const { look } = words;

export function heldParts() {
  return { held: el('div', { 'data-sv': 'held', 'data-part': 'held' }) };
}

/** Draws the caches; null where no beat is about them. */
export function drawHeld({ held }, rows, cellTitle) {
  set(held, { hidden: !rows, 'data-rows': rows?.length ?? 0 });
  fill(held, rows ?? [], createRow, (node, row) => paintRow(node, row, cellTitle));
}

function createRow() {
  return el(
    'section',
    { 'data-sv': 'held-row' },
    el(
      'h2',
      { 'data-sv': 'title' },
      el('span'),
      el('b', { 'data-sv': 'held-count' }),
      el('em', { 'data-sv': 'held-gone' }),
      el('span', { 'data-sv': 'state-says' }),
    ),
    el('ol', { 'data-sv': 'held-cells' }),
    createState(),
  );
}

function paintRow(node, { model, name, length, gone, before, cells, state }, cellTitle) {
  const [title, list, ways] = node.children;
  const [who, many, less, says] = title.children;
  set(node, { 'data-model': model, 'data-length': length, 'data-many': cells.length > 14 });
  set(node, { 'data-state': Boolean(state) });
  set(list, { hidden: Boolean(state) });
  paintState(ways, model, state, cellTitle);
  write(who, state ? words.state.title({ name }) : look.held({ name }));
  write(many, state ? state.size : count(length));
  write(less, gone ? `−${gone}` : '');
  write(says, state?.says ?? '');
  const earlier = before ? [{ text: look.heldBefore({ many: before }) }] : [];
  paintCells(list, state ? [] : [...earlier, ...cells], cellTitle);
}

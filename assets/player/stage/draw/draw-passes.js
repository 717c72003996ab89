/**
 * draw-passes.js: passes as rows and positions as columns, in the pane of the algorithm, for methods
 * without a draft model.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { writeToken } from './draw-words.js';

/** Draws into { node, made }; null hides it. */
export function drawPasses({ node, made }, passes) {
  if (!made.passes) {
    made.places = el('div', { 'data-sv': 'passes-places' });
    made.passesRows = el('div', { 'data-sv': 'passes-rows' });
    made.groups = el('div', { 'data-sv': 'passes-groups' });
    made.passesSay = el('p', { 'data-sv': 'mask-says' });
    made.passes = el(
      'div',
      { 'data-sv': 'passes' },
      made.passesRows,
      made.places,
      made.passesSay,
      made.groups,
    );
    node.append(made.passes);
  }
  set(made.passes, { hidden: !passes });
  if (!passes) return;
  set(made.passes, { style: `--places: ${passes.places.length}` });
  fill(made.places, ['', ...passes.places], () => el('span'), write);
  fill(
    made.passesRows,
    passes.rows,
    () => el('div', {}, el('b'), el('div')),
    (row, { name, now, cells }) => {
      set(row, { 'data-now': now });
      write(row.firstElementChild, name);
      fill(row.lastElementChild, cells, tile, (cell, item) => {
        paint(cell, item);
        set(cell, { style: `grid-column: ${item.at + 1}` });
      });
    },
  );
  fill(
    made.groups,
    passes.groups,
    () => el('section', {}, el('h3'), el('div')),
    (part, { title, groups }) => {
      write(part.firstElementChild, title);
      fill(
        part.lastElementChild,
        groups,
        () => el('p'),
        (group, { hit, cells }) => {
          set(group, { 'data-hit': hit });
          fill(group, cells, tile, paint);
        },
      );
    },
  );
  write(made.passesSay, passes.says);
}

function tile() {
  return el('span', { 'data-sv': 'tile', dir: 'ltr' });
}

function paint(cell, { text, look }) {
  set(cell, { 'data-state': look, title: text });
  writeToken(cell, text);
}

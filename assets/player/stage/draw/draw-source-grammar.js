/**
 * draw-source-grammar.js: how many tokens a grammar allows at each place, as columns.
 */

import { el, fill, portion, set, write } from '../../base/dom.js';
import { writeToken } from './draw-words.js';

/** A column for each place, the logarithm of its count high: one token alone has no height, and the guess is forced. */
export function drawHeld({ node, made }, { places, cells, key }) {
  if (!made.columns) {
    made.columns = el('ol', { 'data-sv': 'held-places' });
    made.key = el('p');
    node.append(made.columns, made.key);
  }
  write(made.key, key);
  set(made.columns, { style: `--places: ${places}` });
  fill(
    made.columns,
    cells,
    () =>
      el('li', {}, el('div', {}, el('b'), el('i', { 'aria-hidden': 'true' })), el('span', { dir: 'ltr' })),
    (cell, { text, allowed, height, forced, focus, late }) => {
      const [column, token] = cell.children;
      const [number, bar] = column.children;
      set(cell, { 'data-forced': forced, 'data-focus': focus });
      write(number, allowed);
      set(bar, { style: `height: ${portion(height)}` });
      writeToken(token, text);
      set(token, { 'data-late': late, title: text });
    },
  );
}

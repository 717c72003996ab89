/**
 * draw-source-trees.js: what the guesses of a tree were taken from, place by place, or who made each branch.
 */

import { el, fill, portion, set, write } from '../../base/dom.js';
import { writeMaths, writeToken } from './draw-words.js';
import { words } from '../words.js';

/** For each place on the way to a guess: the tokens taken there, in order, and as a strip their shares of the row. */
export function drawTaken({ node, made }, { rows, most, late }) {
  if (!made.rows) {
    made.rows = el('div', { 'data-sv': 'taken' });
    node.append(made.rows);
  }
  set(made.rows, { style: `--most: ${most}` });
  fill(
    made.rows,
    rows,
    () => el('div', {}, el('p', {}, el('b'), el('span')), el('ol'), el('div', { 'aria-hidden': 'true' })),
    ({ children: [head, list, strip] }, { after, cells, left }, at) => {
      const lands = late && at === rows.length - 1;
      write(head.firstElementChild, after);
      write(head.lastElementChild, left);
      set(head.lastElementChild, { 'data-late': lands });
      fill(
        list,
        cells,
        () => el('li', {}, el('span', { dir: 'ltr' }), el('b')),
        (cell, { text, q, guess }) => {
          writeToken(cell.firstElementChild, text);
          writeMaths(cell.lastElementChild, q ? [{ var: 'q' }, ` ${q}`] : []);
          set(cell, { 'data-guess': guess, 'data-late': lands, title: text });
        },
      );
      set(strip, { hidden: !left });
      fill(
        strip,
        cells,
        () => el('span'),
        (part, { share, guess }) =>
          set(part, { style: `width: ${portion(share)}`, 'data-guess': guess, 'data-late': lands }),
      );
    },
  );
}

/** A row for each drafter, its guesses place by place. */
export function drawMembers({ node, made }, { places, rows }) {
  if (!made.rows) {
    made.rows = el('div', { 'data-sv': 'members' });
    node.append(made.rows);
  }
  fill(
    made.rows,
    rows,
    () => el('div', { 'data-sv': 'stages' }, el('b'), el('div')),
    ({ children: [label, line] }, { name, cells }) => {
      write(label, name);
      set(line, { style: `--places: ${places}` });
      fill(
        line,
        cells,
        () => el('span', { dir: 'ltr' }),
        (cell, { text, agrees, focus, late }) => {
          writeToken(cell, text);
          set(cell, {
            'data-agrees': agrees,
            'data-focus': focus,
            'data-late': late,
            title: agrees ? `${text}: ${words.source.members.agrees}` : text,
          });
        },
      );
    },
  );
}

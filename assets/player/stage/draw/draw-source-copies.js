/**
 * draw-source-copies.js: what a guess was copied from, token under token, and the tokens that the target
 * once ranked highest.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { writeToken } from './draw-words.js';
import { words } from '../words.js';

const texts = words.source;

/** The passage over the end of this text; where several places match, a mark for each. */
export function drawCopies({ node, made }, { from, more, there, here, tally = null }) {
  if (!made.rows) {
    made.more = el('p', { 'data-sv': 'copied-more' });
    made.names = [el('b'), el('b', {}, texts.here)];
    made.lines = made.names.map(() => el('div'));
    made.rows = el(
      'div',
      { 'data-sv': 'copied-rows' },
      ...made.names.map((name, at) => el('div', {}, name, made.lines[at])),
    );
    made.tally = el('p', { 'data-sv': 'tally' }, el('span', { 'aria-hidden': 'true' }), el('span'));
    node.append(made.rows, made.more, made.tally);
  }
  write(made.more, more);
  write(made.names[0], from);
  set(made.rows, { style: `--cells: ${Math.max(there.length, here.length)}` });
  [there, here].forEach((cells, at) => {
    fill(
      made.lines[at],
      cells,
      () => el('span', { dir: 'ltr' }),
      (cell, { text, look }) => {
        writeToken(cell, text);
        set(cell, { 'data-look': look, title: text || null });
      },
    );
  });
  set(made.tally, { hidden: !tally });
  if (!tally) return;
  const [marks, says] = made.tally.children;
  fill(
    marks,
    tally.marks,
    () => el('i'),
    (mark, hit) => set(mark, { 'data-hit': hit }),
  );
  write(says, tally.says);
}

/** For each token on the way to the guess, the eight that the target ranked highest after it. */
export function drawEight({ node, made }, { rows }) {
  if (!made.rows) {
    made.rows = el('div', { 'data-sv': 'eights' });
    node.append(made.rows);
  }
  fill(
    made.rows,
    rows,
    () => el('div', {}, el('p', {}, el('b', { dir: 'ltr' }), el('span')), el('ol')),
    ({ children: [head, list] }, { after, when, cells }) => {
      writeToken(head.firstElementChild, after);
      write(head.lastElementChild, when);
      fill(
        list,
        cells,
        () => el('li', { dir: 'ltr' }),
        (cell, { text, guess }) => {
          writeToken(cell, text);
          set(cell, { 'data-guess': guess, title: text });
        },
      );
    },
  );
}

/**
 * draw-source-passes.js: what the target said in its passes before, for methods without a draft model: passes
 * as rows and positions as columns, or a window of guesses further on beside the groups that are checked.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { writeToken } from './draw-words.js';

const tile = () => el('span', { dir: 'ltr' });

/** The guesses that each pass read; those that stood still since the pass before are framed. */
export function drawPasses({ node, made }, { places, rows, key }) {
  if (!made.rows) {
    made.rows = el('ol', { 'data-sv': 'passes' });
    made.places = el('div', { 'data-sv': 'passes-places' });
    made.key = el('p');
    node.append(made.rows, made.places, made.key);
  }
  write(made.key, key);
  fill(made.places, ['', ...places], () => el('span'), write);
  fill(made.rows, rows, createRow, (row, { name, now, cells }) => {
    set(row, { 'data-now': now });
    paintRow(row, name, cells);
  });
}

/** Left the window of the pass, a row a level; right the groups that the same pass checks. */
export function drawWindow({ node, made }, { window: ahead, check, once }) {
  if (!made.rows) {
    made.titles = [el('h3'), el('h3')];
    made.rows = el('ol', { 'data-sv': 'passes' });
    made.groups = el('ol', { 'data-sv': 'groups' });
    made.note = el('small');
    made.once = el('p');
    node.append(
      el('section', {}, made.titles[0], made.rows),
      el('section', {}, made.titles[1], made.groups, made.note),
      made.once,
    );
  }
  write(made.titles[0], ahead.title);
  write(made.titles[1], check.title);
  write(made.note, check.note);
  write(made.once, once);
  set(made.rows, {
    style: `--places: ${1 + Math.max(0, ...ahead.rows.flatMap(({ cells }) => cells.map(({ at }) => at)))}`,
  });
  fill(made.rows, ahead.rows, createRow, (row, { name, cells }) => paintRow(row, name, cells));
  fill(
    made.groups,
    check.groups,
    () => el('li'),
    (group, { focus, cells }) => {
      set(group, { 'data-focus': focus });
      fill(group, cells, tile, (cell, { text, guess }) => {
        set(cell, { 'data-guess': guess });
        writeToken(cell, text);
      });
    },
  );
}

const createRow = () => el('li', {}, el('b'), el('div'));

function paintRow({ children: [label, line] }, name, cells) {
  write(label, name);
  fill(line, cells, tile, (cell, { at, text, still }) => {
    set(cell, { style: `grid-column: ${at + 1}`, 'data-still': Boolean(still), title: text });
    writeToken(cell, text);
  });
}

/**
 * draw-source.js: the picture of where a guess comes from, beside q while guesses are made: rows of cells, which
 * the style sheet of the sources lays out by the picture's kind.
 */

import { el, fill, set, svg, write } from '../../base/dom.js';
import { hold, maths, writeToken } from './draw-words.js';
import { words } from '../words.js';

/** Height of half a bar of a state, in units of its picture. */
const HALF = 10;

export function sourceParts() {
  const list = () => el('ol', { 'data-sv': 'source-rows' });
  const box = {
    title: el('h3'),
    from: el('p', { 'data-sv': 'source-from' }),
    ribbon: el('div', { 'data-source-kind': 'stack' }, list()),
    rows: list(),
    beside: el('section', {}, el('h3'), list(), el('p')),
    key: el('p', { 'data-sv': 'source-key' }),
  };
  return {
    source: el('div', { 'data-sv': 'source', role: 'group', 'aria-label': words.source.label }),
    sourceLine: el('p', { 'data-sv': 'source-line' }),
    sourceBox: { ...box, node: el('div', { 'data-sv': 'source-box' }, ...Object.values(box)) },
  };
}

/** The line under the headline, and the picture, which has all the room where guesses are chosen and q says nothing. */
export function drawSource({ source: node, sourceLine, sourceBox: box, figure }, source) {
  const { line = [], picture = null, chosen } = source ?? {};
  hold(sourceLine, line, () => maths(line));
  set(figure, { 'data-source': picture?.kind ?? null, 'data-chosen': Boolean(picture && chosen) });
  set(node, { hidden: !picture });
  node.replaceChildren(...(picture ? [box.node] : [])); // a hidden element would keep an older picture
  if (picture) drawPicture(box, picture);
}

const NONE = { title: '', rows: [], key: '' };

function drawPicture(
  box,
  { kind, title = '', from = [], columns = 1, rows, key = [], ribbon = NONE, beside = NONE },
) {
  set(box.node, { 'data-source-kind': kind, style: `--columns: ${columns}` });
  write(box.title, title);
  hold(box.from, from, () => maths(from));
  set(box.ribbon, { hidden: ribbon === NONE, style: `--columns: ${ribbon.rows[0]?.cells.length}` });
  drawRows(box.ribbon.firstChild, ribbon.rows);
  drawRows(box.rows, rows);
  set(box.beside, { hidden: beside === NONE });
  const [name, rest, note] = box.beside.children;
  write(name, beside.title);
  drawRows(rest, beside.rows);
  write(note, beside.key);
  hold(box.key, key, () => maths(key));
}

function drawRows(list, rows) {
  fill(list, rows, createRow, paintRow);
}

const token = (tag, name) => el(tag, { 'data-sv': name, dir: 'ltr' });

function createRow() {
  return el(
    'li',
    {},
    el('i', { 'aria-hidden': 'true' }),
    token('b', 'source-name'),
    token('small', 'source-note'),
    svg('svg', { 'data-sv': 'source-states', 'aria-hidden': 'true', preserveAspectRatio: 'none' }),
    el('small', { 'data-sv': 'source-end' }),
    el('div'),
  );
}

function paintRow(
  row,
  { name = '', note = '', end = '', cells, now, look = '', guess, lands, mark, states },
) {
  const [frame, title, about, picture, last, line] = row.children;
  set(row, { 'data-now': Boolean(now), 'data-look': look || null });
  paintFrame(row, frame, guess, lands);
  writeToken(title, name);
  writeToken(about, note);
  set(about, { 'data-mark': mark ?? null });
  set(picture, { 'data-none': !states });
  paintStates(picture, states ?? {});
  write(last, end);
  fill(line, cells, createCell, paintCell);
}

function createCell() {
  const hidden = { 'aria-hidden': 'true' };
  return el('span', {}, el('i', hidden), el('u', hidden), el('span', { dir: 'ltr' }), el('b'));
}

function paintCell(cell, { text = '', value = '', share, look = '', at, guess, lands }) {
  const [frame, bar, label, number] = cell.children;
  set(cell, {
    'data-look': look || null,
    title: text || null,
    style: at === undefined ? null : `grid-column: ${at + 1}`,
  });
  paintFrame(cell, frame, guess, lands);
  set(bar, { hidden: share === undefined, style: share === undefined ? null : `--share: ${share}` });
  writeToken(label, text);
  write(number, value);
}

/** The frame of a guess; what of it lands later says so. */
function paintFrame(node, frame, guess, lands) {
  set(node, { 'data-guess': Boolean(guess), 'data-late': lands === 'whole' });
  set(frame, { hidden: !guess, 'data-late': lands === 'frame' });
}

/** Numbers of a state as bars: the target's filled, the imagined one's outlined. */
function paintStates(picture, states) {
  const kinds = ['true', 'own'].filter((kind) => states[kind]);
  set(picture, { viewBox: `0 0 ${states.own?.length ?? 1} ${2 * HALF}` });
  fill(
    picture,
    kinds,
    () => svg('path', { 'vector-effect': 'non-scaling-stroke' }),
    (path, kind) => {
      const inset = kind === 'true' ? 0.3 : 0.1;
      const bar = (share, at) =>
        `M${at + inset} ${HALF}V${(HALF * (1 - share)).toFixed(2)}H${at + 1 - inset}V${HALF}Z`;
      set(path, { 'data-kind': kind, d: states[kind].map(bar).join('') });
    },
  );
}

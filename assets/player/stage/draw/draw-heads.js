/**
 * draw-heads.js: where guesses come from, in the pane of the algorithm, for heads on the target: a row a
 * place of the draft, a column a position of the text. Pointing at a row lights up its guess.
 */

import { el, fill, set, svg, write } from '../../base/dom.js';
import { number } from '../../base/format.js';
import { writeToken } from './draw-words.js';
import { words } from '../words.js';
import { sentences } from '../../words/words.js';

/** Height of half a bar of a state, in units of its picture. */
const HALF = 10;

/**
 * Draws into { node, made }; null hides it. To keys and screen readers its rows are a slider: one stop,
 * whose value is the row looked at.
 */
export function drawHeads({ node, made }, heads) {
  if (!made.heads) build(node, made);
  set(made.heads, { hidden: !heads });
  if (!heads) return;
  const { says, columns, rows, value, key, detail, foot, reads } = heads;
  set(made.heads, {
    'data-reads': reads,
    'data-forks': rows.some(({ more }) => more > 0),
    style: `--columns: ${columns.length}`,
  });
  write(made.headsSay, sentences(says));
  const [, line, , , fit] = made.headsTop.children;
  fill(
    line,
    columns,
    () => el('span', { dir: 'ltr' }, el('b'), el('i')),
    (cell, { position, text }, at) => {
      write(cell.firstElementChild, position);
      write(cell.lastElementChild, at < 2 ? text : '');
      set(cell, { title: text || null });
    },
  );
  write(fit, value);
  const focused = rows.findIndex(({ focus }) => focus);
  set(made.headsRows, {
    'aria-valuemax': rows.length - 1,
    'aria-valuenow': Math.max(0, focused),
    'aria-valuetext': rows[Math.max(0, focused)].says,
  });
  fill(made.headsRows, rows, createRow, paintRow);
  fill(
    made.headsKey,
    key,
    () => el('li', {}, el('i'), el('span')),
    ({ children: [mark, text] }, [kind, title]) => {
      set(mark, { 'data-mark': kind });
      write(text, title);
    },
  );
  drawDetail(made, detail);
  fill(made.headsFoot, foot, () => el('p'), write);
}

function build(node, made) {
  made.headsSay = el('p', { 'data-sv': 'mask-says' });
  made.headsTop = el(
    'div',
    { 'data-sv': 'origin-top', 'aria-hidden': 'true' },
    el('span', {}, words.heads.place),
    el('div', { 'data-sv': 'origin-line' }),
    el('span', {}, words.heads.guess),
    el('span'),
    el('span'),
  );
  made.headsRows = el('div', {
    'data-sv': 'origin-rows',
    role: 'slider',
    tabindex: 0,
    'aria-orientation': 'vertical',
    'aria-label': words.heads.rowsLabel,
    'aria-valuemin': 0,
  });
  made.headsKey = el('ul', { 'data-sv': 'origin-key' });
  made.headsTitle = el('span');
  made.headsList = el('ol');
  made.headsBest = el('div', { 'data-sv': 'origin-best' }, made.headsTitle, made.headsList);
  made.headsPair = el(
    'figure',
    { 'data-sv': 'origin-pair' },
    svg('svg', { 'aria-hidden': 'true', preserveAspectRatio: 'none' }),
    el('figcaption'),
  );
  made.headsFoot = el('div', { 'data-sv': 'origin-foot' });
  made.heads = el(
    'div',
    { 'data-sv': 'origin' },
    made.headsSay,
    el('div', { 'data-sv': 'origin-track' }, made.headsTop, made.headsRows),
    made.headsKey,
    made.headsPair,
    made.headsBest,
    made.headsFoot,
  );
  node.append(made.heads);
}

function createRow() {
  return el(
    'div',
    {},
    el('b'),
    el('div', { 'data-sv': 'origin-line', 'aria-hidden': 'true' }),
    el('span', { 'data-sv': 'tile', dir: 'ltr' }),
    el('span', { 'data-sv': 'origin-more' }),
    el('span', { 'data-sv': 'origin-value' }),
  );
}

function paintRow(row, { node, state, focus, name, text, more, q, value, read, tokens, blanks, out, goal }) {
  const [label, line, tile, others, fit] = row.children;
  set(row, { 'data-row': node, 'data-state': state, 'data-focus': focus });
  write(label, name);
  const marks = [
    { mark: 'wire', at: read.at, to: goal },
    { mark: read.kind, at: read.at },
    ...blanks.filter((at) => at !== goal).map((at) => ({ mark: 'blank', at })),
    ...(out === null ? [] : [{ mark: 'imagined', at: out }]),
    ...tokens.map((at) => ({ mark: 'token', at })),
    { mark: 'goal', at: goal },
  ];
  fill(
    line,
    marks,
    () => el('i'),
    (part, { mark, at, to = at }) =>
      set(part, { 'data-mark': mark, style: `grid-column: ${at + 1} / ${to + 2}` }),
  );
  writeToken(tile, text);
  set(tile, { 'data-state': state, title: text || null, hidden: state === null });
  write(others, [q, more ? words.heads.siblings({ many: more }) : ''].filter(Boolean).join(' '));
  write(fit, value === null ? '' : number(value, 2));
}

/** The place looked at: what its head rates highest, and the state it was read off. */
function drawDetail(made, detail) {
  const { title, best, pair } = detail ?? { title: '', best: [], pair: null };
  set(made.headsBest, { hidden: !best.length });
  write(made.headsTitle, title);
  fill(
    made.headsList,
    best,
    () => el('li', {}, el('span', { dir: 'ltr' }), el('b')),
    ({ children: [token, chance] }, { text, q }) => {
      writeToken(token, text);
      write(chance, q);
    },
  );
  set(made.headsPair, { hidden: !pair });
  if (!pair) return;
  const [picture, caption] = made.headsPair.children;
  set(picture, { viewBox: `0 0 ${pair.own.length} ${2 * HALF}` });
  fill(
    picture,
    ['true', 'own'],
    () => svg('path', { 'vector-effect': 'non-scaling-stroke' }),
    (path, kind) => {
      const inset = kind === 'true' ? 0.3 : 0.1;
      set(path, {
        'data-kind': kind,
        d: pair[kind]
          .map(
            (share, at) =>
              `M${at + inset} ${HALF}V${(HALF * (1 - share)).toFixed(2)}H${at + 1 - inset}V${HALF}Z`,
          )
          .join(''),
      });
    },
  );
  write(caption, pair.says);
}

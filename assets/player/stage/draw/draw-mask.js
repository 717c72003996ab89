/**
 * draw-mask.js: the mask of a tree, in the pane that it shares with the algorithm. Pointing at a row lights
 * up its node, and pointing at a node its row.
 */

import { el, fill, set, svg, write } from '../../base/dom.js';
import { writeToken } from './draw-words.js';
import { words } from '../words.js';

/** Width of the text's one column, in columns of a node. */
const TEXT = 2;
/**
 * Up to that many rows all have their token and position beside them; of more only those that matter, and so
 * many at most.
 */
const NAMED = 26;
const LABELS = 16;
const MATTERS = ['accepted', 'root'];

/**
 * Draws into { node, made }. As a picture its rows are a slider to keys and screen readers: one stop, whose
 * value is the row looked at.
 */
export function drawMask({ node, made }, mask, asTable) {
  if (!made.mask) {
    made.rows = el('div', {
      'data-sv': 'mask-rows',
      role: 'slider',
      tabindex: 0,
      'aria-orientation': 'vertical',
      'aria-label': words.mask.label,
      'aria-valuemin': 0,
    });
    made.says = el('p', { 'data-sv': 'mask-says' });
    made.mask = el(
      'div',
      { 'data-sv': 'mask' },
      el(
        'p',
        { 'data-sv': 'mask-head', 'aria-hidden': 'true' },
        ...words.mask.columns.map((text) => el('span', {}, text)),
      ),
      made.rows,
    );
    made.cells = el('tbody');
    made.table = el(
      'div',
      { 'data-sv': 'mask-table', tabindex: 0, role: 'group', 'aria-label': words.mask.table },
      el(
        'table',
        {},
        el('thead', {}, el('tr', {}, ...words.mask.heads.map((text) => el('th', { scope: 'col' }, text)))),
        made.cells,
      ),
    );
    node.append(made.mask, made.table, made.says);
  }
  set(made.mask, { hidden: !mask || asTable });
  set(made.table, { hidden: !mask || !asTable });
  set(made.says, { hidden: !mask });
  if (!mask) return;
  write(made.says, mask.says);
  fill(made.cells, asTable ? mask.rows.filter(({ state }) => state !== null) : [], createLine, paintLine);
  drawRows(made, asTable ? { ...mask, rows: [] } : mask);
}

function createLine() {
  return el('tr', {}, el('th', { scope: 'row', dir: 'ltr' }), el('td'), el('td'), el('td'));
}

function paintLine(line, { node, text, state, place, slot, seen, focus }) {
  const [label, ...values] = line.children;
  set(line, {
    'data-row': node,
    'data-state': state,
    'data-focus': focus,
    'aria-current': focus ? 'true' : null,
  });
  writeToken(label, text);
  [place, slot, seen].forEach((value, at) => write(values[at], value));
}

function drawRows(made, { rows, columns, says }) {
  const all = rows.length <= NAMED;
  const named = all ? null : namedOf(rows);
  const focused = rows.findIndex(({ focus }) => focus);
  set(made.mask, {
    'data-dense': !all,
    style: `--columns: ${columns + TEXT}; --count: ${rows.length}; --focus: ${focused}`,
  });
  set(made.rows, {
    'aria-valuemax': rows.length - 1,
    'aria-valuenow': Math.max(0, focused),
    'aria-valuetext': says,
  });
  fill(made.rows, rows, createRow, (row, item) => {
    const [label, place, picture] = row.children;
    set(row, {
      'data-row': item.node,
      'data-state': item.state,
      'data-focus': item.focus,
      'data-place': item.place,
      'data-slot': item.slot,
    });
    const shown = all || named.includes(item);
    writeToken(label, shown ? item.text : '');
    write(place, shown ? item.place : '');
    set(picture, { viewBox: `0 0 ${columns + TEXT} 1` });
    set(picture.firstElementChild, { d: `M0 0H${columns + TEXT}V1H0Z` });
    set(picture.lastElementChild, {
      d: [`M.08 .1H${TEXT - 0.08}V.9H.08Z`, ...item.sees.map((at) => squareAt(TEXT + at))].join(''),
    });
  });
}

/** The outline of one token's square in a row. */
function squareAt(left) {
  return `M${left + 0.08} .1H${left + 0.92}V.9H${left + 0.08}Z`;
}

/**
 * The rows whose labels have room above each other: the one looked at before the path, and that before the
 * pending token.
 */
function namedOf(rows) {
  const apart = Math.ceil(rows.length / LABELS);
  const named = [];
  for (const item of [
    ...rows.filter(({ focus }) => focus),
    ...MATTERS.flatMap((wanted) => rows.filter(({ state }) => state === wanted)),
  ]) {
    if (named.every((row) => Math.abs(rows.indexOf(row) - rows.indexOf(item)) >= apart)) named.push(item);
  }
  return named;
}

function createRow() {
  return el(
    'div',
    {},
    el('span', { 'data-sv': 'mask-token', dir: 'ltr' }),
    el('span', { 'data-sv': 'mask-place' }),
    svg(
      'svg',
      { preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      svg('path', { 'data-kind': 'all' }),
      svg('path', { 'data-kind': 'sees' }),
    ),
  );
}

/**
 * Lights what belongs together under the pointer: a node, its row, its cell. Gone when the pointer leaves.
 */
export function lightTogether(root) {
  const light = (node) => {
    for (const lit of root.querySelectorAll('[data-lit-by]')) set(lit, { 'data-lit-by': null });
    if (node === null) return;
    const chip = root.querySelector(`[data-sv="node"][data-node="${node}"]`);
    const slot = chip?.dataset.slot;
    for (const part of [
      chip,
      root.querySelector(`[data-row="${node}"]`),
      ...root.querySelectorAll(`[data-cell][data-at="${slot}"]`),
    ])
      if (part) set(part, { 'data-lit-by': 'pointer' });
  };
  root.addEventListener('pointerover', ({ target }) => {
    const [chip, row, cell] = ['[data-sv="node"]', '[data-row]', '[data-cell][data-at]'].map((each) =>
      target.closest(each),
    );
    const ofCell = cell && root.querySelector(`[data-sv="node"][data-slot="${cell.dataset.at}"]`);
    light(chip?.dataset.node ?? row?.dataset.row ?? ofCell?.dataset.node ?? null);
  });
  root.addEventListener('pointerleave', () => light(null));
}

/**
 * draw-dock.js: what is under the headings Code, Cache and Clock. Each draws into { node, heading, made },
 * building its elements the first time.
 */

import { button, el, fill, set, svg, write } from '../../base/dom.js';
import { number } from '../../base/format.js';
import { HEAD } from '../round/caches.js';
import { clocks } from '../round/clocks.js';
import { createLane, paintLane } from './draw-clocks.js';
import { drawMask } from './draw-mask.js';
import { hold, maths, writeMaths } from './draw-words.js';
import { createTip } from './tip.js';
import { words } from '../words.js';

/** How many cells of a long cache are shown at its end. */
const TAIL = 22;

/** Which of them the pane shows, if there is that. The choice lasts until the page is left. */
let shown = 'mask';

/**
 * The algorithm, the line at work lit and said in this round's numbers. Of a tree, the mask of its pass may
 * are there instead.
 */
export function drawCode(pane, scene) {
  const { made } = pane;
  const { algorithm, mask } = scene;
  if (!made.list) createCode(pane);
  pane.scene = scene;
  const pictures = { mask, table: mask };
  const choices = { ...pictures, code: true };
  const kind = choices[shown] ? shown : Object.keys(choices).find((each) => choices[each]);
  set(made.choice, { hidden: !mask });
  made.kinds.forEach((choice) =>
    set(choice, {
      hidden: !choices[choice.dataset.mask],
      'aria-pressed': String(choice.dataset.mask === kind),
      'data-other': mask && choice.dataset.mask === (kind === 'mask' ? 'table' : 'mask'),
    }),
  );
  set(made.list, { hidden: kind !== 'code' });
  drawMask(pane, kind === 'mask' || kind === 'table' ? mask : null, kind === 'table');
  const { title, source = '' } = pictures[kind] ?? algorithm;
  head(pane.heading, title, source);
  fill(made.list, algorithm.lines, createLine, paintLine);
}

/** The buttons that choose what the pane shows, and the list of the algorithm's lines. */
function createCode(pane) {
  const { heading, made } = pane;
  made.kinds = Object.entries(words.mask.kinds).map(([kind, text]) => {
    const title = kind === 'table' ? words.mask.toggle : null;
    const choose = () => {
      shown = kind;
      drawCode(pane, pane.scene);
    };
    return button({ 'data-mask': kind, title }, choose, text);
  });
  const group = { 'data-sv': 'mask-choice', role: 'group', 'aria-label': words.mask.kindsLabel };
  made.choice = el('div', group, ...made.kinds);
  made.list = el('ol', { 'data-sv': 'algorithm' });
  heading.after(made.choice, made.list);
}

const createLine = () =>
  el('li', { 'data-sv': 'line' }, el('span', { 'data-sv': 'plain' }), el('span', { 'data-sv': 'live' }));

function paintLine(line, { plain, live, late, lit, indent, note }) {
  const [text, now] = line.children;
  hold(text, plain, () => maths(note ? plain : notation(plain)));
  writeMaths(now, live);
  set(now, { hidden: !live, 'data-late': late });
  set(line, {
    'data-lit': lit,
    'data-note': note,
    'aria-current': lit ? 'step' : null,
    style: indent ? `--indent: ${indent}` : null,
  });
}

/** Single letters are variables. */
function notation(pieces) {
  return pieces.flatMap((piece) => {
    if (typeof piece !== 'string')
      return piece.sub === undefined ? [piece] : [{ sub: notation([piece.sub]) }];
    return piece
      .split(/(?<![\p{L}\p{M}])([A-Za-zγ])(?![\p{L}\p{M}])/u)
      .map((part, index) => (index % 2 ? { var: part } : part))
      .filter((part) => part !== '');
  });
}

/** Both caches as cells. */
export function drawCache({ heading, made }, scene) {
  if (!made.strips) {
    made.rows = [createStrip(), createStrip()];
    made.strips = el('div', { 'data-sv': 'caches' }, ...made.rows);
    const key = el(
      'ul',
      { 'data-sv': 'cell-legend' },
      ...Object.entries(words.dock.legend).map(([kind, text]) =>
        el('li', {}, el('i', { 'data-cell': kind }), text),
      ),
    );
    made.tell = createTip(made.strips);
    made.memory = el(
      'figure',
      { 'data-sv': 'memory' },
      svg('svg', { 'aria-hidden': 'true', preserveAspectRatio: 'none' }),
      el('figcaption', {}, el('span'), el('ul', { 'data-sv': 'cell-legend' })),
    );
    heading.after(made.strips, made.memory, key);
  }
  head(heading, words.dock.cells);
  scene.caches.forEach((cache, index) => paintStrip(made.rows[index], cache, scene.cellTitle));
  made.tell(scene.cellTitle);
  drawMemory(made.memory, scene.memory());
}

/** The rows a drafter remembers, one small square each, or nothing. */
function drawMemory(node, memory) {
  set(node, { hidden: !memory });
  if (!memory) return;
  const [map, says] = node.children;
  set(map, { viewBox: `0 0 ${memory.width} ${memory.height}` });
  fill(
    map,
    memory.paths,
    () => svg('path'),
    (path, { kind, heat, d }) => set(path, { 'data-learned': kind, 'data-heat': heat, d }),
  );
  write(says.firstElementChild, memory.says);
  fill(
    says.lastElementChild,
    memory.key,
    () => el('li', {}, el('i'), el('span')),
    ({ children: [mark, text] }, { kind, text: title }) => {
      set(mark, { 'data-learned': kind });
      write(text, title);
    },
  );
}

/** A strip is a slider to keys and screen readers: one stop, whose value is the cell looked at. */
function createStrip() {
  return el(
    'div',
    { 'data-sv': 'cache' },
    el('div', { 'data-sv': 'cache-head' }, el('b'), el('span', { 'data-sv': 'length' })),
    el('div', { 'data-sv': 'cells', role: 'slider', tabindex: 0, 'aria-valuemin': 0 }),
    el('div', { 'data-sv': 'lookup' }),
    el('p', { 'data-sv': 'more' }),
  );
}

function paintStrip(node, { model, name, length, cells, gap, lookup, note, more, label }, titleOf) {
  const [top, row, looked, rest] = node.children;
  write(top.children[0], name);
  write(top.children[1], note);
  write(rest, more);
  set(node, { 'data-model': model, 'data-length': length });
  const all = cells === null ? [] : shortened(cells, gap);
  const current = all.findLastIndex(({ at, gap: hidden }) => !hidden && at <= (row.here ?? Infinity));
  const cell = all[current];
  set(row, {
    hidden: !all.length,
    'data-walked': row.here !== undefined,
    'aria-label': label,
    'aria-valuemax': all.at(-1)?.at ?? 0,
    'aria-valuenow': cell?.at ?? 0,
    'aria-valuetext': cell ? titleOf(cell) : note,
  });
  fill(
    looked,
    lookup,
    () => el('span', { dir: 'ltr' }),
    (piece, { text, state }) => {
      write(piece, text);
      set(piece, { 'data-look': state });
    },
  );
  fill(
    row,
    all,
    () => el('i'),
    (cell, { kind, at, gap: hidden }, index) => {
      write(cell, hidden ? words.cache.gap({ entries: hidden }) : '');
      set(cell, {
        'data-cell': hidden ? null : kind,
        'data-gap': hidden ?? null,
        'data-at': at ?? null,
        'data-last': at === length - 1,
        'data-here': index === current,
      });
    },
  );
}

/** The first few cells and the last; what lies between is a number. */
function shortened(cells, gap) {
  if (cells.length <= HEAD + TAIL + HEAD)
    return gap ? [...cells.slice(0, HEAD), { gap }, ...cells.slice(HEAD)] : cells;
  return [...cells.slice(0, HEAD), { gap: gap + cells.length - HEAD - TAIL }, ...cells.slice(-TAIL)];
}

/** Where the round's milliseconds went, and the whole run beside plain decoding. */
export function drawClock({ heading, made }, { clock }, story) {
  if (!made.rows) {
    made.rows = el('div', { 'data-sv': 'clock-rows' });
    made.note = el('p', { 'data-sv': 'clock-note' });
    made.lanes = el('div', { 'data-sv': 'clock-lanes' });
    heading.after(made.rows, made.note, el('h3', {}, words.dock.run), made.lanes);
  }
  head(heading, clock.says);
  const scale = Math.max(...clock.rows.map(({ to }) => to)) || 1;
  fill(
    made.rows,
    clock.rows,
    () =>
      el(
        'div',
        { 'data-sv': 'clock-row' },
        el('span'),
        el('div', { 'data-sv': 'clock-bar' }, el('i')),
        el('b'),
      ),
    (row, { kind, name, from, to, ms }) => {
      const [label, box, value] = row.children;
      write(label, name);
      set(row, { 'data-kind': kind, 'data-ms': ms });
      set(box.firstElementChild, {
        style: `left: ${((100 * from) / scale).toFixed(3)}%; width: ${((100 * (to - from)) / scale).toFixed(3)}%`,
      });
      write(value, `${number(ms)} ms`);
    },
  );
  write(
    made.note,
    clock.plain === null
      ? words.dock.untimed
      : words.dock.without({ tokens: clock.tokens, time: number(clock.plain / clock.tokens) }),
  );
  const race = clocks(story);
  fill(made.lanes, race.lanes, createLane, (lane, item) =>
    paintLane(lane, { ...item, done: '' }, race.total),
  );
}

function head(heading, ...says) {
  write(heading.lastElementChild, says.filter(Boolean).join(' · '));
}

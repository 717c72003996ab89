/**
 * draw-foot.js: draws the foot: the two lanes of the run and the last cells of the cache.
 */

import { el, fill, set, svg, write } from '../../base/dom.js';
import { count } from '../../base/format.js';
import { hold, maths, rich } from './draw-words.js';
import { words } from '../words.js';

/** How many cells of the cache are drawn. */
const CELLS = 11;

/** The foot's elements; scrub lies over the lanes. */
export function footParts(scrub) {
  const lane = (name) =>
    svg('svg', { 'data-mini': name, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('g'));
  const [gamma, cache] = [lane('gamma'), lane('cache')];
  const coming = el('i', { 'data-sv': 'coming', 'aria-hidden': 'true' });
  const head = el('b', { 'data-sv': 'playhead', 'aria-hidden': 'true' });
  const tip = el('div', { 'data-sv': 'mini-tip', role: 'tooltip', hidden: true });
  const says = [el('span'), el('span')];
  const mini = el('div', { 'data-sv': 'mini' }, gamma, cache, coming, head, scrub, tip);
  const keeps = el('span');
  const [counter, gone] = [el('b', { 'data-sv': 'kv-count' }), el('em', { 'data-sv': 'kv-gone' })];
  const cells = el('div', { 'data-sv': 'cells', role: 'slider', tabindex: 0, 'aria-valuemin': 0 });
  return {
    plot: el('div', { 'data-sv': 'plot' }, el('div', { 'data-sv': 'plot-says' }, ...says), mini),
    kv: el(
      'div',
      { 'data-sv': 'kv' },
      el('div', { 'data-sv': 'kv-says' }, keeps, el('span', {}, counter, ' ', gone)),
      cells,
    ),
    mini,
    gamma,
    cache,
    coming,
    head,
    tip,
    says,
    keeps,
    counter,
    gone,
    cells,
  };
}

/** Draws the lanes from the paths of mini.js. */
export function drawRun(parts, { width, gamma, cache }) {
  [
    [parts.gamma, gamma],
    [parts.cache, cache],
  ].forEach(([picture, { height, paths }]) => {
    set(picture, { viewBox: `0 0 ${width} ${height}` });
    const group = picture.firstElementChild;
    set(group, { transform: `matrix(1 0 0 -1 0 ${height})` });
    fill(
      group,
      paths,
      () => svg('path', { 'vector-effect': 'non-scaling-stroke' }),
      (path, { kind, d }) => set(path, { 'data-kind': kind, d }),
    );
  });
}

/** Where the run is: the line, what is still to come, and what the lanes read there. */
export function placeHead(parts, story, { kind, round, at, foot }, width) {
  const rest = kind === 'rest';
  const after = story.rounds[round + 1].beat - 0.5;
  set(parts.head, { hidden: rest, style: `left: ${share(at / width)}` });
  set(parts.coming, { hidden: rest || after >= width, style: `left: ${share(after / width)}` });
  [foot.gamma, foot.cache].forEach((text, line) => hold(parts.says[line], text, () => maths(rich(text))));
}

/** The last cells of the target's cache, and how many it holds: those drawn and those the gap stands for. */
export function drawCells(parts, { caches: [{ length, cells, note, label, keeps }], cellTitle }) {
  const gone = cells.filter(({ kind }) => kind === 'rolled-back');
  const shown = cells.filter(({ at }) => at < length).slice(-CELLS);
  const row = parts.cells;
  write(parts.keeps, keeps === 'state' ? words.foot.read : words.foot.kv);
  write(parts.counter, count(length));
  write(parts.gone, gone.length ? words.foot.gone({ many: gone.length }) : '');
  set(parts.kv, { 'data-length': length });
  const current = shown.find(({ at }) => at === row.here) ?? shown.at(-1);
  set(row, {
    'aria-label': label,
    'aria-valuemax': Math.max(0, length - 1),
    'aria-valuenow': current?.at ?? 0,
    'aria-valuetext': current ? cellTitle(current) : note,
    'data-walked': current !== undefined && current.at === row.here,
  });
  fill(
    row,
    [...(length > shown.length ? [{ gap: length - shown.length }] : []), ...shown],
    () => el('i'),
    (cell, { kind, at, gap }) => {
      write(cell, gap ? '…' : '');
      set(cell, {
        'data-cell': kind ?? null,
        'data-gap': gap ?? null,
        'data-at': at ?? null,
        'data-here': at !== undefined && at === current?.at,
      });
    },
  );
}

/** Shows a text over a place of the lanes, a share across; an empty text hides it. */
export function tell({ tip }, text, at) {
  write(tip, text);
  set(tip, { hidden: !text, 'data-side': at > 0.5 ? 'left' : 'right', style: `--at: ${at.toFixed(4)}` });
}

function share(value) {
  return `${(100 * value).toFixed(3)}%`;
}

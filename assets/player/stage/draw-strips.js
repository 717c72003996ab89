/**
 * draw-strips.js: the KV caches as cells, and the lanes of the whole run as SVG.
 */

import { along, el, fill, set, svg, write } from '../base/dom.js';
import { HEAD } from './caches.js';
import { words } from './words.js';

/** Makes the two cache strips show what caches.js found; titleOf(cell) says what a cell holds. */
export function drawCaches(parts, caches, titleOf) {
  fill(parts.caches, caches, createCache, (node, cache) => paintCache(node, cache, titleOf));
  const row = [...parts.caches.children].find((_, index) => caches[index].owes);
  if (row) row.lastElementChild.before(parts.owes);
  else parts.owes.remove();
}

/** Looks at the cell so many places on, or at that end; the next drawing shows it. */
export function walkCells(row, way) {
  const all = [...row.querySelectorAll('[data-cell]')];
  const next = along(all, all.findIndex((cell) => cell.matches('[data-here]')), way);
  if (next) row.here = Number(next.dataset.at);
}

/** A strip is a slider to keys and screen readers: one stop, whose value is the cell looked at. */
function createCache() {
  return el('div', { 'data-sv': 'kv' }, el('span'), el('div', { 'data-sv': 'cells', role: 'slider', tabindex: 0, 'aria-valuemin': 0 }), el('div', { 'data-sv': 'lookup' }),
    el('span', { 'data-sv': 'length' }), el('span', { 'data-sv': 'more' }));
}

function paintCache(node, { model, name, length, cells, gap, lookup, note, more }, titleOf) {
  const [title, row, looked, label] = node.children;
  write(title, name);
  write(label, note);
  write(node.lastElementChild, more);
  set(node, { 'data-model': model, 'data-length': length });
  const all = cells === null ? [] : gap ? [...cells.slice(0, HEAD), { gap }, ...cells.slice(HEAD)] : cells;
  const current = all.findLastIndex(({ at }) => at <= (row.here ?? Infinity));
  const here = all[current];
  set(row, { 'data-walked': current >= 0, 'aria-label': words.cache.cells(name), 'aria-valuemax': all.at(-1)?.at ?? 0, 'aria-valuenow': here?.at ?? 0, 'aria-valuetext': here ? titleOf(here) : note });
  fill(looked, lookup, () => el('span', { dir: 'ltr' }), (piece, { text, state }) => {
    write(piece, text);
    set(piece, { 'data-look': state });
  });
  fill(row, all, () => el('i'), (cell, { kind, at, gap: hidden }, index) => {
    const last = at === length - 1;
    const isHere = index === current;
    const key = `${kind} ${at} ${hidden} ${last} ${isHere}`;
    if (cell.shows === key) return;
    cell.shows = key;
    write(cell, hidden ? words.cache.gap(hidden) : '');
    set(cell, { 'data-cell': hidden ? null : kind, 'data-gap': hidden ?? null, 'data-at': at ?? null, 'data-last': last, 'data-here': isHere });
  });
}

/**
 * The lanes: { node, place(playhead), tell }. onJump(lane, x) hears where a lane was clicked, in its own unit;
 * tell(lane, x), which may be set, gives what is told under the pointer there, empty for nothing.
 */
export function lanesPart(onJump) {
  const node = el('section', { 'data-sv': 'lanes', 'aria-label': words.lanes });
  const rows = [];
  return { node, rows, onJump, tell: () => '', widths: [], place(playhead) {
    playhead.forEach(({ x, text }, index) => {
      const [, box, label] = rows[index].children;
      set(box.children[1], { style: `left: ${(100 * x / (this.widths[index] || 1)).toFixed(3)}%` });
      write(label, text);
    });
  } };
}

/** Makes the lanes show what lanes.js found. */
export function drawLanes(lanes, list) {
  fill(lanes.node, list, (index) => createLane(lanes, index), (node, { name, about, width, height, paths }, index) => {
    const [title, box] = node.children;
    const picture = box.firstElementChild;
    write(title, name);
    set(picture, { viewBox: `0 0 ${width || 1} ${height}`, 'aria-label': about });
    fill(picture.firstElementChild, paths, () => svg('path', { 'vector-effect': 'non-scaling-stroke' }), (path, { kind, d }) => set(path, { 'data-kind': kind, d }));
    set(picture.firstElementChild, { transform: `matrix(1 0 0 -1 0 ${height})` });
    lanes.widths[index] = width;
  });
}

function createLane(lanes, index) {
  const picture = svg('svg', { preserveAspectRatio: 'none', role: 'img' }, svg('g'));
  const tip = el('div', { 'data-sv': 'tip', role: 'tooltip', hidden: true });
  const box = el('div', { 'data-sv': 'track' }, picture, el('b', { 'data-sv': 'playhead', 'aria-hidden': 'true' }), tip);
  const under = (event) => (event.clientX - box.getBoundingClientRect().left) / box.clientWidth * lanes.widths[index];
  box.addEventListener('click', (event) => lanes.onJump(index, under(event)));
  box.addEventListener('pointermove', (event) => {
    const text = lanes.tell(index, under(event));
    write(tip, text);
    set(tip, { hidden: !text });
  });
  box.addEventListener('pointerleave', () => set(tip, { hidden: true }));
  const node = el('div', { 'data-sv': 'lane-row' }, el('span'), box, el('span', { 'data-sv': 'reading' }));
  lanes.rows.push(node);
  return node;
}

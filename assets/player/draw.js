/**
 * draw.js: a scene on the page. Builds its elements once, then makes them show any scene, whatever was there before.
 * Colour, border and glyph come from the style sheet by data-state and data-kind.
 */

import { el, fill, set, write } from './dom.js';
import { words } from './words.js';

const percent = (share) => `${100 * share}%`;

/** Puts the stage's elements into root; returns { draw(scene), parts }. onPick(slot) hears clicks on slots. */
export function createStage(root, onPick) {
  const part = (name, tag = 'div', attributes = {}) => el(tag, { 'data-sv': name, ...attributes });
  const parts = {
    source: part('source', 'span'),
    ahead: part('ahead', 'span', { hidden: true }),
    note: part('note', 'span', { role: 'status' }),
    refusal: part('refusal', 'p', { role: 'alert', hidden: true }),
    ribbon: part('ribbon', 'div', { role: 'list', 'aria-label': words.output, tabindex: 0 }),
    title: part('title', 'h2'),
    phase: part('phase', 'span'),
    rate: part('rate', 'span'),
    lane: part('lane', 'div', { role: 'listbox', 'aria-label': words.slots }),
    equation: part('equation', 'p'),
    rulerTitle: part('ruler-title', 'p'),
    ruler: part('ruler', 'div', { 'aria-hidden': 'true' }),
    segments: part('segments'),
    dart: part('dart'),
    mass: part('mass', 'span'),
    bars: part('bars', 'tbody'),
    noFigure: part('no-figure', 'p', { hidden: true }),
    caches: part('caches', 'section', { 'aria-label': words.caches }),
    caption: part('caption', 'p', { 'aria-live': 'polite' }),
  };
  parts.ruler.append(parts.segments, parts.dart);
  write(parts.noFigure, words.noFigure);
  parts.lane.addEventListener('click', (event) => {
    const slot = event.target.closest('[data-sv="slot"]');
    if (slot) onPick([...parts.lane.children].indexOf(slot));
  });
  const table = el('table', { 'data-sv': 'table', 'aria-label': words.figure },
    el('thead', {}, el('tr', {}, ...words.columns.map((name) => el(name ? 'th' : 'td', { scope: name ? 'col' : null }, name)))), parts.bars);
  const legend = part('legend');
  legend.append(...['overlap', 'p', 'q'].map((kind) => el('span', { 'data-kind': kind }, words.legend[kind])));
  root.replaceChildren(
    el('header', { 'data-sv': 'head' }, parts.source, parts.ahead, parts.note, el('a', { href: '#sv-controls', 'data-sv': 'to-settings' }, words.toSettings)),
    parts.refusal,
    parts.ribbon,
    el('div', { 'data-sv': 'main' },
      el('section', { 'data-sv': 'card', 'data-card': 'round' },
        el('div', { 'data-sv': 'heading' }, parts.title, parts.phase, parts.rate),
        parts.lane, parts.equation, parts.rulerTitle, parts.ruler),
      el('section', { 'data-sv': 'card', 'data-card': 'figure' },
        el('div', { 'data-sv': 'heading' }, el('h2', {}, words.figure), parts.mass), legend, table, parts.noFigure)),
    parts.caches,
  );
  return { parts, draw: (scene) => draw(parts, scene) };
}

function draw(parts, scene) {
  write(parts.title, scene.title);
  write(parts.phase, scene.phase);
  write(parts.rate, scene.rate);
  drawRibbon(parts.ribbon, scene.ribbon);
  fill(parts.lane, scene.slots, createSlot, paintSlot);
  centre(parts.lane, parts.lane.children[scene.focus]);
  fill(parts.equation, scene.equation, () => el('span', {}, el('span'), el('strong')), ({ children }, pair) => {
    pair.forEach((text, index) => write(children[index], text));
  });
  drawRuler(parts, scene.ruler);
  drawFigure(parts, scene.figure);
  fill(parts.caches, scene.caches, createCache, paintCache);
  write(parts.caption, scene.caption);
}

function drawRibbon(ribbon, { tokens, fresh }) {
  fill(ribbon, tokens, () => el('span', { 'data-sv': 'token', role: 'listitem', dir: 'ltr' }), (node, token, index) => {
    paintToken(node, token);
    set(node, { 'data-fresh': index >= fresh });
  });
  ribbon.scrollTop = ribbon.scrollHeight;
}

function paintToken(node, { text, label, state }) {
  write(node, text);
  set(node, { 'data-state': state, 'aria-label': label });
}

function createSlot() {
  return el('div', { 'data-sv': 'slot', role: 'option' },
    el('span', { 'data-sv': 'chip', dir: 'ltr' }),
    el('span', { 'data-sv': 'number' }), el('span', { 'data-sv': 'number' }),
    el('span', { 'data-sv': 'strip', 'aria-hidden': 'true' }, el('i'), el('b')),
    el('span', { 'data-sv': 'verdict' }),
    el('span', { 'data-sv': 'chip', dir: 'ltr' }));
}

function paintSlot(node, slot) {
  const [token, q, p, strip, note, second] = node.children;
  set(node, { 'aria-label': slot.label, 'aria-selected': String(slot.focused), tabindex: slot.focused ? 0 : -1 });
  paintChip(token, slot.token);
  write(q, `q ${slot.q}`);
  write(p, `p ${slot.p}`);
  set(strip, { 'data-kind': slot.strip ? (slot.strip.known ? 'known' : 'unknown') : 'none' });
  strip.firstElementChild.style.width = percent(slot.strip?.accept ?? 0);
  paintDart(strip.lastElementChild, slot.strip?.dart ?? null);
  write(note, slot.note);
  paintChip(second, slot.second);
}

function paintChip(node, token) {
  write(node, token?.text ?? '');
  set(node, { 'data-state': token?.state ?? 'empty' });
}

function paintDart(node, at) {
  node.style.left = percent(at ?? 0);
  set(node, { hidden: at === null });
}

function drawRuler(parts, ruler) {
  write(parts.rulerTitle, ruler.title);
  set(parts.ruler, { 'data-kind': ruler.kind });
  fill(parts.segments, ruler.segments, () => el('span', { dir: 'ltr' }), (node, { label, share, hit, refuse }) => {
    write(node, share > 0.09 || hit ? label : '');
    node.style.width = percent(share);
    set(node, { 'data-hit': hit, 'data-refuse': Boolean(refuse) });
  });
  paintDart(parts.dart, ruler.dart);
}

function drawFigure(parts, figure) {
  write(parts.mass, figure?.mass ?? '');
  set(parts.noFigure, { hidden: Boolean(figure) });
  set(parts.bars.parentElement, { hidden: !figure, 'data-stretched': Boolean(figure?.stretched) });
  fill(parts.bars, figure?.rows ?? [], createRow, (node, row) => paintRow(node, row, figure.scale));
}

function createRow() {
  return el('tr', {}, el('th', { scope: 'row', dir: 'ltr' }),
    el('td', { 'aria-hidden': 'true' }, el('div', { 'data-sv': 'bar' }, el('i', { 'data-kind': 'overlap' }), el('i', { 'data-kind': 'p' }), el('i', { 'data-kind': 'q' }), el('b'))),
    el('td'), el('td'), el('td', {}, el('div', { 'data-sv': 'left' }, el('i'), el('span'))));
}

function paintRow(node, row, scale) {
  const [label, cell, p, q, last] = node.children;
  const [overlap, excess, surplus, dart] = cell.firstElementChild.children;
  write(label, row.label);
  set(node, { 'data-drafted': row.drafted, 'data-emitted': row.emitted, 'data-rest': row.rest });
  overlap.style.width = percent(row.overlap / scale);
  excess.style.left = percent(row.overlap / scale);
  excess.style.width = percent(row.excess / scale);
  surplus.style.left = percent(row.overlap / scale);
  surplus.style.width = percent(row.surplus / scale);
  paintDart(dart, row.dart === null ? null : row.dart / scale);
  const [left, residual] = last.firstElementChild.children;
  left.style.width = percent(row.normalized);
  [p, q, residual].forEach((place, index) => write(place, row.numbers[index]));
}

function createCache() {
  return el('div', { 'data-sv': 'cache' }, el('span'), el('div', { 'data-sv': 'cells', 'aria-hidden': 'true' }), el('span', { 'data-sv': 'length' }));
}

function paintCache(node, { name, note, length, head, gap, cells }) {
  const [title, row, label] = node.children;
  write(title, name);
  write(label, note);
  set(node, { 'data-length': length });
  const all = cells === null ? [] : [...head, ...(gap ? [gap] : []), ...cells];
  fill(row, all, () => el('i'), (cell, kind, index) => {
    const text = gap !== '' && index === head.length;
    write(cell, text ? gap : '');
    set(cell, { 'data-cell': text ? 'gap' : kind });
  });
}

/** Keeps the focused slot in view where the lane is narrower than its slots. */
function centre(lane, slot) {
  if (lane.scrollWidth > lane.clientWidth && slot) {
    lane.scrollLeft = slot.offsetLeft - (lane.clientWidth - slot.offsetWidth) / 2;
  }
}

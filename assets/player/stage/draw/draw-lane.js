/**
 * draw-lane.js: a round's guesses as chips and dots in columns, one a depth, with edges between them. What a chain has
 * under its chips, p, q and the chance, a tree has in a line below it.
 */

import { el, fill, portion, set, svg, write } from '../../base/dom.js';
import { number } from '../../base/format.js';
import { place } from '../round/place.js';
import { createChip, paintChip, placeMark } from './draw-chip.js';
import { drawTrial, trialParts } from './draw-trial.js';
import { words } from '../words.js';

const { look } = words;

/** Edges in the order in which they lie over each other. */
const ABOVE = { dropped: 0, guess: 1, refused: 2, kept: 3, own: 4, bonus: 4 };

/** The smallest type of a token too long for its chip; a longer one is cut, and its title has all of it. */
const SMALLEST = 0.62;
/** Heights of type: a chip's padding with borders and glyph, the widest chip, and the text so far. */
const AROUND = 2.1;
const WIDEST = 11;
const ROOT = [5, 9];
/** Rows of chips a tree's field is high, at least and at most. */
const TALL = [2, 3];
/** A dot lower than this, in pixels, has a fill and no border. */
const SPECK = 9;

/** The lane's elements; pick(index, node, onChip) hears which node was clicked. */
export function laneParts(pick) {
  const edges = svg('svg', { 'data-sv': 'edges', 'aria-hidden': 'true' });
  const sweep = el('i', { 'data-sv': 'sweep', 'aria-hidden': 'true' });
  const columns = el('div', { 'data-sv': 'columns', 'aria-hidden': 'true' });
  const inner = el('span', { 'data-sv': 'inner' });
  const stem = el('div', { 'data-sv': 'stem', 'aria-hidden': 'true' }, createChip(), inner);
  const nodes = el('div', { 'data-sv': 'nodes', role: 'presentation' });
  const field = el('div', { 'data-sv': 'field', role: 'presentation' }, columns, edges, stem, nodes);
  const lane = el('div', { 'data-sv': 'lane', role: 'tree', 'aria-label': look.lane }, field, sweep);
  const { trial } = trialParts();
  const part = el('div', { 'data-sv': 'forest', 'data-part': 'lane' }, lane, trial);
  part.addEventListener('click', ({ target }) => {
    const node = target.closest('[data-sv="node"]');
    if (node?.dataset.kind === 'cut') return;
    if (node) return pick(Number(node.dataset.node), node, Boolean(target.closest('[data-sv="chip"]')));
    const tried = target.closest('[data-try]')?.dataset.try;
    if (tried) pick(Number(tried), nodeAt({ lane }, tried), false);
  });
  lane.addEventListener('scroll', () => fade(lane), { passive: true });
  return { part, lane, field, columns, stem, nodes, edges, sweep, trial };
}

/** The element of a node of the tree on show. */
export function nodeAt({ lane }, index) {
  return lane.querySelector(`[data-node="${index}"]`);
}

/** Writes all nodes, each with its descendants; placeLane sets their places. */
export function drawLane(parts, { tree, kind }) {
  const { lane, stem, nodes } = parts;
  const rows = tree.shape === 'tree' ? Math.max(TALL[0], Math.min(TALL[1], tree.rows)) : 2;
  lane.style.setProperty('--rows', String(rows));
  set(lane, { 'data-inner': Boolean(tree.cheap), 'data-held': tree.held });
  paintChip(stem.firstElementChild, tree.root.text, 'root');
  write(stem.lastElementChild, tree.cheap);
  drawColumns(parts, tree, kind);
  const held = nodes.contains(document.activeElement);
  drawUnder(
    nodes,
    tree.nodes.map((node, index) => ({ ...node, index })),
    -1,
    kind === 'dart',
  );
  if (held && !nodes.contains(document.activeElement))
    // else the focus would leave the tree
    nodes.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  drawTrial(parts, tree);
}

/** Behind the nodes: the column that is looked at, in a chain, the spans that a grammar forces, and positions. */
function drawColumns({ columns }, { shape, columns: many, nodes, focus, places }, kind) {
  const looked = shape === 'chain' && kind !== 'rest' ? nodes[focus]?.column : null;
  const forced = (at) => nodes.some(({ column, certain }) => column === at && certain);
  fill(
    columns,
    Array.from({ length: many + 1 }, (_, at) => at),
    (at) => el('div', { 'data-sv': 'column', 'data-column': at }, el('span')),
    (column, at) => {
      set(column, {
        'data-focus': at === looked,
        'data-certain': shape === 'chain' && forced(at) ? (forced(at - 1) ? ' ' : words.lane.certain) : null,
      });
      const [here] = places.slice(at);
      write(
        column.firstElementChild,
        at ? (here ?? '') : here === undefined ? look.root : look.position({ at: here }),
      );
    },
  );
}

/**
 * The nodes on a parent, each followed by the group of those on it. Places are absolute, so groups are for
 * screen readers.
 */
function drawUnder(home, nodes, parent, awaits) {
  fill(
    home,
    nodes.filter((node) => node.parent === parent),
    createBranch,
    (branch, item) => {
      const [node, group] = branch.children;
      paintNode(node, item, awaits && item.focused);
      drawUnder(group, nodes, item.index, awaits);
      const bare = ![...group.children].some(({ firstElementChild: child }) => !child.hidden);
      set(group, { id: bare ? null : `sv-under-${item.index}` });
      set(node, { 'aria-owns': bare ? null : `sv-under-${item.index}` });
    },
  );
}

function createBranch() {
  const node = el(
    'div',
    { 'data-sv': 'node', role: 'treeitem', tabindex: -1 },
    createChip(el('span', { 'data-sv': 'who-letter', 'aria-hidden': 'true' })),
    ' ',
    createUnder(),
    el('span', { 'data-sv': 'inner', 'aria-hidden': 'true' }, createChip()),
  );
  return el('div', { role: 'presentation' }, node, el('div', { role: 'group' }));
}

/** Under a chip: its chance, p and q, and a note; spaces stand between what is read as one text. */
function createUnder() {
  const part = (name, ...children) => el('span', { 'data-sv': name }, ...children);
  const value = (name) =>
    el('span', { 'data-kind': name }, el('i', { 'data-sv': 'var', 'data-var': name }, name), ' ', el('span'));
  return el(
    'span',
    { 'data-sv': 'beneath', 'aria-hidden': 'true' },
    part('strip', el('i', { 'data-kind': 'accept' }), el('i', { 'data-kind': 'reject' }), el('b')),
    part('numbers', value('p'), ' ', value('q')),
    ' ',
    part('note'),
  );
}

function paintNode(node, item, awaited) {
  const { index, kind, state, tier, token, says, p, q, keep, u, label, focused } = item;
  set(node, {
    'data-node': index,
    'data-kind': kind,
    'data-state': state,
    'data-tier': tier,
    'data-token-id': token && token.id,
    'data-p': p,
    'data-q': state ? q : null,
    'data-a': keep,
    'data-u': u,
    'data-slot': item.slot,
    'data-awaited': awaited,
    'aria-label': label,
    'aria-selected': String(Boolean(focused)),
    'aria-level': item.column,
    'aria-posinset': item.order,
    'aria-setsize': item.siblings,
    hidden: !token && !says,
  });
  // set() may take attributes off first, and without this one the focus is gone
  node.tabIndex = focused ? 0 : -1;
  const [chip, beneath, inner] = node.children;
  write(chip.firstElementChild, item.letter);
  paintChip(chip, token?.text ?? says, token ? state : 'empty');
  paintBeneath(beneath, item);
  const { text: innerText = '', kept } = item.inner ?? {};
  set(inner, { hidden: !item.inner });
  paintChip(inner.firstElementChild, innerText, kept ? 'accepted' : 'rejected');
}

/** A node that fell keeps only its chip. */
function paintBeneath({ children: [bar, numbers, under] }, { tier, strip, stands, p, q, note }) {
  const shown = tier === 1 ? strip : null;
  paintStrip(bar, shown);
  set(numbers, { hidden: !shown });
  [p, q].forEach((value, at) => {
    const part = numbers.children[at];
    set(part, { hidden: value === null });
    write(part.lastElementChild, number(value));
  });
  write(numbers.firstElementChild.firstElementChild, stands ?? 'p');
  write(under, note);
  set(under, { hidden: !note });
}

function paintStrip(bar, strip) {
  const [accept, reject, mark] = bar.children;
  const known = Boolean(strip?.known);
  set(bar, { 'data-kind': strip ? (known ? 'known' : 'unknown') : null, hidden: !strip });
  set(accept, { style: `width: ${portion(known ? strip.accept : 0)}` });
  set(reject, { style: `width: ${portion(known ? 1 - strip.accept : 0)}` });
  placeMark(mark, strip?.dart ?? null);
}

let pen = null;

/** Width of a token's chip at full type, glyph and borders included. */
function wideOf(text, { type, family }) {
  pen ??= document.createElement('canvas').getContext('2d');
  pen.font = `600 ${type}px ${family}`;
  return pen.measureText(text).width + AROUND * type;
}

/** Measures the field; the result does not depend on what was drawn before. */
export function measureLane({ part, lane, field, stem }) {
  return () => {
    const style = getComputedStyle(field);
    const type = parseFloat(style.fontSize);
    const [least, air] = ['--least', '--air'].map((name) => type * parseFloat(style.getPropertyValue(name)));
    const height = field.clientHeight;
    const row = height / Number(lane.style.getPropertyValue('--rows'));
    const family = style.fontFamily;
    return {
      width: part.clientWidth,
      height,
      row,
      type,
      family,
      least,
      air,
      rooted: getComputedStyle(stem).display !== 'none',
    };
  };
}

/** Puts chips and dots into their boxes, draws the edges between them, and brings the node looked at into view. */
export function placeLane(parts, stood, { tree, kind }) {
  const { lane, field, columns, stem } = parts;
  const { width, height, type, rooted } = stood;
  const tiers = tree.shape === 'chain';
  const sized = tree.nodes.map((node) => {
    const full = wideOf(`${node.letter}${node.token?.text ?? node.text}`, stood);
    const least = node.says ? 0.85 * wideOf(node.says, stood) : 0; // its type is smaller
    return { ...node, full, wide: Math.max(least, Math.min(full, WIDEST * type)) };
  });
  const root = rooted
    ? Math.max(ROOT[0] * type, Math.min(ROOT[1] * type, wideOf(tree.root.text, stood) - type))
    : 0;
  const room = tiers ? Math.min(width, (ROOT[1] + 20 * tree.columns) * type) : width;
  const laid = place(sized, { ...stood, width: room, tiers }, root);
  field.style.width = `${laid.width.toFixed(1)}px`;
  for (const [index, node] of sized.entries())
    putNode(nodeAt(parts, index), node, laid.boxes[index], laid.columns[node.column].width);
  set(stem, { style: boxed(laid.boxes.at(-1)) });
  laid.columns.forEach(({ left, width: wide }, at) =>
    set(columns.children[at], { style: `left: ${left.toFixed(1)}px; width: ${wide.toFixed(1)}px` }),
  );
  drawEdges(parts, edgesOf(tree, laid), laid.width, height);
  const { left, width: wide } = laid.columns[tree.nodes[tree.focus]?.column ?? 0];
  if (laid.width > width + 1) lane.scrollLeft = kind === 'rest' ? 0 : left + (wide - width) / 2;
  if (laid.width > width + 1 || lane.dataset.fade) fade(lane);
}

function putNode(node, { full }, box, room) {
  const fit = Math.max(SMALLEST, box.width / full);
  const small = fit < 1 ? `; --fit: ${fit.toFixed(3)}` : '';
  set(node, {
    style: `${boxed(box)}; --room: ${room.toFixed(1)}px${small}`,
    'data-size': box.dot ? dotted(box) : 'chip',
  });
  const [chip] = node.children;
  set(chip, { title: box.width / full < SMALLEST ? chip.textContent : null });
}

function edgesOf({ nodes }, { boxes, columns }) {
  const middle = ({ top, height }) => top + height / 2;
  return nodes.flatMap((node, index) => {
    const [from, to] = [boxes.at(node.parent), boxes[index]]; // the text so far, parent -1, is the last
    return curve(
      node,
      index,
      [from.left + from.width, middle(from)],
      [to.left, middle(to)],
      to.dot ? dotted(to) : null,
      [columns[node.column - 1].to, columns[node.column].from],
    );
  });
}

function boxed({ left, top, width, height }) {
  const sides = Object.entries({ left, top, width, height });
  return sides.map(([side, length]) => `${side}: ${length.toFixed(1)}px`).join('; ');
}

function dotted({ height }) {
  return height < SPECK ? 'speck' : 'dot';
}

/**
 * An edge from one place to another, unless there is none; that to a guess is wider the higher its q. It bends
 * between the two places of `bends`, and is straight before and after them.
 * @param {{ edge: string, weight: number }} node
 * @param {number} index
 * @param {number[]} from
 * @param {number[]} to
 */
function curve({ edge: kind, weight }, index, [x1, y1], [x2, y2], dot, bends) {
  if (kind === 'none' || x2 - x1 < 3) return [];
  const at = (value) => value.toFixed(1);
  const [leave, arrive] = bends.map(at);
  const middle = at((bends[0] + bends[1]) / 2);
  const [least, more] = dot ? [0.8, 1.4] : [1.6, 3.4];
  const style =
    kind === 'guess' && weight !== null && dot !== 'speck'
      ? `stroke-width: ${((least + more * Math.sqrt(weight)) / 16).toFixed(4)}rem`
      : null;
  const bend = `C${middle} ${at(y1)} ${middle} ${at(y2)} ${arrive} ${at(y2)}`;
  const d = `M${at(x1)} ${at(y1)}H${leave}${bend}H${at(x2)}`;
  return [{ kind, index, style, dot, d }];
}

function drawEdges({ edges }, lines, width, height) {
  fill(
    edges,
    lines.sort((a, b) => (ABOVE[a.kind] ?? 0) - (ABOVE[b.kind] ?? 0)),
    () => svg('path', { fill: 'none' }),
    (path, { kind, index, d, style, dot }) =>
      set(path, { 'data-edge': kind, 'data-to': index, 'data-dot': dot, d, style }),
  );
  set(edges, { width: Math.round(width), height: Math.round(height) });
}

function fade(lane) {
  const left = lane.scrollLeft > 2;
  const right = lane.scrollLeft + lane.clientWidth < lane.scrollWidth - 2;
  set(lane, { 'data-fade': left || right ? `${left ? 'left' : ''}${right ? 'right' : ''}` : null });
}

/**
 * draw-lane.js: the round's guesses as chips, with an edge from each parent to its child. A chain is a tree
 * with one branch. A column is a depth. Tier 1 holds what the text will be; the tiers below hold guesses
 * that were rejected or that still wait.
 */

import { el, fill, portion, set, svg, write } from '../../base/dom.js';
import { number } from '../../base/format.js';
import { writeToken } from './draw-words.js';
import { words } from '../words.js';

const { look } = words;

/** The smallest type of a token too long for its column; a longer one is cut, and its title has all of it. */
const SMALLEST = 0.62;
/** Columns beside each other with both numbers in one line under a chip. */
const MANY = 6;
const EDGES = new Set(['guess', 'kept', 'refused', 'dropped', 'own', 'bonus', 'waits']);

/** The lane's elements; pick(index, node, onChip) hears which node was clicked. */
export function laneParts(pick) {
  const edges = svg('svg', { 'data-sv': 'edges', 'aria-hidden': 'true' });
  const root = el(
    'div',
    { 'data-sv': 'column', 'data-column': 0, 'aria-hidden': 'true' },
    el('div', { 'data-sv': 'root' }, createChip(), el('span', { 'data-sv': 'note' }, look.root)),
    el('span', { 'data-sv': 'inner' }),
  );
  const cols = el('div', { 'data-sv': 'cols', role: 'presentation' }, root);
  const sweep = el('i', { 'data-sv': 'sweep', 'aria-hidden': 'true' });
  const lane = el(
    'div',
    {
      'data-sv': 'lane',
      'data-part': 'lane',
      role: 'listbox',
      'aria-label': look.lane,
      'aria-orientation': 'horizontal',
    },
    el('div', { 'data-sv': 'field', role: 'presentation' }, edges, cols),
    sweep,
  );
  lane.addEventListener('click', ({ target }) => {
    const slot = target.closest('[data-sv="slot"]');
    if (slot) pick(Number(slot.dataset.node), slot, Boolean(target.closest('[data-sv="chip"]')));
  });
  lane.addEventListener('scroll', () => fade(lane), { passive: true });
  return { lane, cols, edges, sweep };
}

/** The element of a node of the tree on show. */
export function slotOf(lane, index) {
  return lane.querySelector(`[data-node="${index}"]`);
}

/** Writes the tree; what has to be measured comes in placeLane. */
export function drawLane({ cols }, { tree, kind }) {
  const root = cols.firstElementChild.firstElementChild;
  paintChip(root.firstElementChild, { text: tree.root.text.replace(/^…·+/u, '… ') }, 'root');
  const focus = tree.nodes[tree.focus];
  const columns = Array.from({ length: tree.columns }, (_, at) =>
    tree.nodes.flatMap((node, index) =>
      node.column === at + 1 ? [{ ...node, index, ...hanging(node, tree) }] : [],
    ),
  );
  cols.style.setProperty('--columns', tree.columns);
  set(cols, { 'data-many': tree.columns > MANY, 'data-inner': Boolean(tree.cheap) });
  write(cols.firstElementChild.lastElementChild, tree.cheap);
  while (cols.childElementCount > columns.length + 1) cols.lastElementChild.remove();
  while (cols.childElementCount < columns.length + 1)
    cols.append(
      el('div', { 'data-sv': 'column', 'data-column': cols.childElementCount, role: 'presentation' }),
    );
  columns.forEach((nodes, at) => {
    const column = cols.children[at + 1];
    set(column, {
      'data-focus': kind !== 'rest' && focus?.column === at + 1,
      'data-bare': nodes.every((node) => node.kind === 'empty' && !node.hangs),
    });
    // its numbers use the row below
    const lower = nodes.some(({ tier, strip, note }) => tier === 1 && (strip || note)) ? 1 : 0;
    fill(
      column,
      [nodes.find(({ inner }) => inner)?.inner, ...nodes],
      (place) => (place ? createSlot() : createInner()),
      (slot, node, place) => {
        if (!place) return paintInner(slot, node);
        paintSlot(slot, node, kind === 'dart' && node.index === tree.focus);
        set(slot, { style: node.tier === 1 ? null : `grid-row: ${node.tier + lower}` });
      },
    );
  });
}

/**
 * Whether a node hangs on an edge: an empty place does while it may still be filled; the last of those is
 * the bonus token's.
 */
function hanging({ kind, edge: drawn, node }, { nodes }) {
  const open =
    kind === 'empty' &&
    drawn === 'none' &&
    !nodes.some(({ state }) => ['rejected', 'untested', 'resampled', 'bonus'].includes(state));
  return { hangs: drawn !== 'none' || open, waits: open && node === null && nodes.length > 1 };
}

/** Sets all chips back to full type; the function returned measures them then. */
export function measureLane({ lane, cols }) {
  const texts = [...cols.querySelectorAll('[data-sv="chip"] > [data-sv="text"]')];
  for (const text of texts) set(text.parentElement, { style: null, title: null });
  return () => ({
    tight: texts
      .map((text) => ({
        chip: text.parentElement,
        text,
        whole: text.parentElement.clientWidth,
        has: text.clientWidth,
        wants: text.scrollWidth,
      }))
      .filter(({ has, wants }) => wants > has + 1),
    wide: lane.scrollWidth > lane.clientWidth + 1,
    ...boxesOf(cols),
  });
}

function boxesOf(cols) {
  const chips = [...cols.querySelectorAll('[data-sv="slot"]')].map((slot) => [
    Number(slot.dataset.node),
    slot.firstElementChild,
  ]);
  const boxes = new Map(chips.map(([index, chip]) => [index, chip.getBoundingClientRect()]));
  boxes.set(-1, cols.querySelector('[data-sv="root"] > [data-sv="chip"]').getBoundingClientRect());
  const focused = cols.querySelector('[data-focus]');
  return {
    boxes,
    home: cols.getBoundingClientRect(),
    size: { width: cols.scrollWidth, height: cols.clientHeight },
    focus: focused && {
      left: focused.offsetLeft,
      width: focused.offsetWidth,
      room: cols.closest('[data-sv="lane"]').clientWidth,
    },
  };
}

/** Fits long tokens, draws the edges from box to box and brings the focused column into view. */
export function placeLane({ lane, cols, edges }, { tight, wide, ...stood }, { tree }) {
  for (const { chip, text, whole, has, wants } of tight) {
    const fitting = (0.98 * whole) / (whole + wants - has);
    set(chip, {
      style: `--fit: ${Math.max(SMALLEST, fitting).toFixed(3)}`,
      title: fitting < SMALLEST ? text.textContent : null,
    });
  }
  const { boxes, home, size, focus } = tight.length ? boxesOf(cols) : stood;
  const paths = tree.nodes.flatMap((node, index) =>
    edge(
      hanging(node, tree).hangs ? { ...node, edge: node.edge === 'none' ? 'waits' : node.edge } : node,
      index,
      boxes.get(node.parent),
      boxes.get(index),
      home,
    ),
  );
  fill(
    edges,
    paths,
    () => svg('path', { fill: 'none' }),
    (path, { kind: state, index, d, style }) => set(path, { 'data-edge': state, 'data-to': index, d, style }),
  );
  set(edges, size);
  if (wide) lane.scrollLeft = focus ? focus.left - (focus.room - focus.width) / 2 : 0;
  if (wide || lane.dataset.fade) fade(lane);
}

function fade(lane) {
  const left = lane.scrollLeft > 2;
  const right = lane.scrollLeft + lane.clientWidth < lane.scrollWidth - 2;
  set(lane, { 'data-fade': left || right ? `${left ? 'left' : ''}${right ? 'right' : ''}` : null });
}

/** The edge to a guess is wider the higher its q. */
function edge({ edge: kind, weight }, index, from, to, home) {
  if (!EDGES.has(kind) || !from?.width || !to?.width) return [];
  const [x1, x2] = [from.right - home.left + 2, to.left - home.left - 3];
  if (x2 - x1 < 3) return [];
  const [y1, y2] = [from.top + from.height / 2 - home.top, to.top + to.height / 2 - home.top];
  const middle = (x1 + x2) / 2;
  const style =
    kind === 'guess' && weight !== null
      ? `stroke-width: ${((1.6 + 3.4 * Math.sqrt(weight)) / 16).toFixed(4)}rem`
      : null;
  const at = (value) => value.toFixed(1);
  return [
    {
      kind,
      style,
      index,
      d: `M${at(x1)} ${at(y1)}C${at(middle)} ${at(y1)} ${at(middle)} ${at(y2)} ${at(x2)} ${at(y2)}`,
    },
  ];
}

function createChip() {
  return el('span', { 'data-sv': 'chip', dir: 'ltr' }, el('span', { 'data-sv': 'text' }));
}

/** Above a column: what a cheaper drafter had guessed there. The slot's label tells of it. */
function createInner() {
  return el('span', { 'data-sv': 'inner', 'aria-hidden': 'true' }, createChip());
}

function paintInner(node, inner) {
  set(node, { hidden: !inner });
  paintChip(
    node.firstElementChild,
    inner ?? { text: '' },
    !inner ? 'empty' : inner.kept ? 'accepted' : 'rejected',
  );
}

function createSlot() {
  const seen = (name, ...children) => el('span', { 'data-sv': name, 'aria-hidden': 'true' }, ...children);
  const value = (name) =>
    el('span', { 'data-kind': name }, el('i', { 'data-sv': 'var', 'data-var': name }, name), ' ', el('span'));
  return el(
    'div',
    { 'data-sv': 'slot', role: 'option', tabindex: -1 },
    createChip(),
    ' ',
    seen('strip', el('i', { 'data-kind': 'accept' }), el('i', { 'data-kind': 'reject' }), el('b')),
    seen('numbers', value('p'), ' ', value('q')),
    ' ',
    seen('note'),
  );
}

function paintSlot(
  node,
  { index, tier, kind, hangs, state, token, p, q, keep, u, strip: measured, note, label, focused, waits },
  awaited,
) {
  const strip = tier === 1 ? measured : null; // a node that fell keeps only its chip
  const [chip, bar, numbers, under] = node.children;
  set(node, {
    'data-node': index,
    'data-tier': Math.min(2, tier),
    'data-kind': kind,
    'data-state': state,
    'data-token-id': token && token.id,
    'data-p': p,
    'data-q': q,
    'data-a': keep,
    'data-u': u,
    'data-hangs': hangs,
    'data-awaited': awaited,
    'aria-label': label,
    'aria-selected': String(Boolean(focused)),
  });
  // set() may take attributes off first, and without this one the focus is gone
  node.tabIndex = focused ? 0 : -1;
  const empty = kind === 'empty' || !token;
  paintChip(chip, empty ? { text: note } : token, empty ? 'empty' : state);
  const [accept, reject, mark] = bar.children;
  const known = Boolean(strip?.known);
  set(bar, { 'data-kind': strip ? (known ? 'known' : 'unknown') : null, hidden: !strip });
  set(accept, { style: `width: ${portion(known ? strip.accept : 0)}` });
  set(reject, { style: `width: ${portion(known ? 1 - strip.accept : 0)}` });
  placeMark(mark, strip?.dart ?? null);
  set(numbers, { hidden: !strip });
  [p, q].forEach((value, at) => {
    const part = numbers.children[at];
    set(part, { hidden: value === null || value === undefined });
    write(part.lastElementChild, number(value));
  });
  const below = empty ? (waits ? look.ifAll : '') : strip ? '' : (note ?? '');
  write(under, below);
  set(under, { hidden: !below });
}

function paintChip(chip, token, state) {
  const text = chip.lastElementChild;
  if (state === 'empty') {
    text.shows = null;
    write(text, token.text ?? '');
  } else writeToken(text, token.text);
  set(chip, { 'data-look': state });
}

/** Puts a mark at a share of its box; null hides it. */
export function placeMark(node, at) {
  set(node, { style: `left: ${portion(at ?? 0)}`, hidden: at === null });
}

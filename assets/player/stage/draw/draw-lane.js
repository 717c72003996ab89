/**
 * draw-lane.js: a round whose guesses are a chain, as chips in columns. A column is a depth. Tier 1 holds
 * what the text will be; the tiers below hold guesses that were rejected or that still wait.
 */

import { el, fill, portion, set, write } from '../../base/dom.js';
import { number } from '../../base/format.js';
import { createChip, curve, drawEdges, fieldParts, paintChip, paintNode, placeMark } from './draw-node.js';
import { words } from '../words.js';

const { look } = words;

/** The smallest type of a token too long for its column; a longer one is cut, and its title has all of it. */
const SMALLEST = 0.62;
/** Columns beside each other with both numbers in one line under a chip. */
const MANY = 6;

/** The lane's elements; pick(index, node, onChip) hears which node was clicked. */
export function laneParts(pick) {
  const { edges, sweep } = fieldParts();
  const root = el(
    'div',
    { 'data-sv': 'column', 'data-column': 0, 'aria-hidden': 'true' },
    el('div', { 'data-sv': 'root' }, createChip(), el('span', { 'data-sv': 'note' }, look.root)),
    el('span', { 'data-sv': 'inner' }),
  );
  const cols = el('div', { 'data-sv': 'cols', role: 'presentation' }, root);
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
  return { part: lane, lane, cols, edges, sweep };
}

/** Writes the tree; what has to be measured comes in placeLane. */
export function drawLane({ cols }, { tree, kind }) {
  const root = cols.firstElementChild.firstElementChild;
  paintChip(root.firstElementChild, tree.root.text, 'root');
  const focus = tree.nodes[tree.focus];
  const columns = Array.from({ length: tree.columns }, (_, at) =>
    tree.nodes.flatMap((node, index) =>
      node.column === at + 1 ? [{ ...node, index, ...hanging(node, tree) }] : [],
    ),
  );
  cols.style.setProperty('--columns', tree.columns);
  set(cols, { 'data-many': tree.columns > MANY, 'data-inner': Boolean(tree.cheap), 'data-held': tree.held });
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
      'data-certain': isCertain(nodes) ? (isCertain(columns[at - 1] ?? []) ? ' ' : words.lane.certain) : null,
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

/** True if the grammar forces a column's guess; its name is over the first of a span. */
function isCertain(nodes) {
  return nodes.some(({ certain }) => certain);
}

/**
 * True if a node hangs on an edge: an empty place does while it may still be filled; the last of those is
 * the bonus token's.
 */
function hanging({ kind, edge: drawn, node }, { nodes }) {
  const open =
    kind === 'empty' &&
    drawn === 'none' &&
    !nodes.some(({ state }) => ['rejected', 'untested', 'resampled', 'bonus', 'plain'].includes(state));
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
        width: text.parentElement.clientWidth,
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
  for (const { chip, text, width, has, wants } of tight) {
    const fitting = (0.98 * width) / (width + wants - has);
    set(chip, {
      style: `--fit: ${Math.max(SMALLEST, fitting).toFixed(3)}`,
      title: fitting < SMALLEST ? text.textContent : null,
    });
  }
  const { boxes, home, size, focus } = tight.length ? boxesOf(cols) : stood;
  const ends = ({ left, right, top, height }) => {
    const middle = top + height / 2 - home.top;
    return { to: [left - home.left - 3, middle], from: [right - home.left + 2, middle] };
  };
  const lines = tree.nodes.flatMap((node, index) => {
    const [from, to] = [boxes.get(node.parent), boxes.get(index)];
    if (!from?.width || !to?.width) return [];
    const waits = node.edge === 'none' && hanging(node, tree).hangs;
    return curve(waits ? { ...node, edge: 'waits' } : node, index, ends(from).from, ends(to).to);
  });
  drawEdges({ edges }, lines, size.width, size.height);
  if (wide) lane.scrollLeft = focus ? focus.left - (focus.room - focus.width) / 2 : 0;
  if (wide || lane.dataset.fade) fade(lane);
}

function fade(lane) {
  const left = lane.scrollLeft > 2;
  const right = lane.scrollLeft + lane.clientWidth < lane.scrollWidth - 2;
  set(lane, { 'data-fade': left || right ? `${left ? 'left' : ''}${right ? 'right' : ''}` : null });
}

/** Above a column: what a cheaper drafter had guessed there. The slot's label tells of it. */
function createInner() {
  return el('span', { 'data-sv': 'inner', 'aria-hidden': 'true' }, createChip());
}

function paintInner(node, inner) {
  set(node, { hidden: !inner });
  const look = inner?.kept ? 'accepted' : 'rejected';
  paintChip(node.firstElementChild, inner?.text ?? '', inner ? look : 'empty');
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

function paintSlot(node, item, awaited) {
  const { tier, kind, state, token, p, q, stands = 'p', note, waits } = item;
  const strip = tier === 1 ? item.strip : null; // a node that fell keeps only its chip
  const [chip, bar, numbers, under] = node.children;
  const empty = kind === 'empty' || !token;
  paintNode(node, item, awaited, { 'data-tier': Math.min(2, tier) });
  paintChip(chip, empty ? (note ?? '') : token.text, empty ? 'empty' : state);
  paintStrip(bar, strip);
  set(numbers, { hidden: !strip });
  [p, q].forEach((value, at) => {
    const part = numbers.children[at];
    set(part, { hidden: value === null || value === undefined });
    write(part.lastElementChild, number(value));
  });
  write(numbers.firstElementChild.firstElementChild, stands);
  const below = empty ? (waits ? look.ifAll : '') : strip ? '' : (note ?? '');
  write(under, below);
  set(under, { hidden: !below });
}

function paintStrip(bar, strip) {
  const [accept, reject, mark] = bar.children;
  const known = Boolean(strip?.known);
  set(bar, { 'data-kind': strip ? (known ? 'known' : 'unknown') : null, hidden: !strip });
  set(accept, { style: `width: ${portion(known ? strip.accept : 0)}` });
  set(reject, { style: `width: ${portion(known ? 1 - strip.accept : 0)}` });
  placeMark(mark, strip?.dart ?? null);
}

/**
 * draw-branches.js: a round whose guesses fork: chips and dots in a field, edges between them, and below it
 * the siblings under test. On a phone the same nodes are a list of paths.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { paths, place } from '../round/branches.js';
import { createChip, curve, drawEdges, fieldParts, paintChip, paintNode } from './draw-node.js';
import { hold, maths } from './draw-words.js';
import { words } from '../words.js';

const { look } = words;

const PHONE = '(max-width: 899px), (max-height: 559px)';
/**
 * Heights of type: a chip with the room around it, its padding with borders and glyph; in the list a chip, a
 * row, and the edge between two chips.
 */
const CHIP = 2.93;
const AROUND = 2.1;
const LISTED = { chip: 2.5, row: 2.75, gap: 1.3 };
/** Rows of the list in sight at once; it scrolls to the one that is looked at. */
const SHOWN = 3;
/** Rows of chips the field is high, at least and at most. */
const TALL = [2, 3];
/** A dot lower than this, in pixels, has a fill and no border. */
const SPECK = 9;

/** The elements; pick(index, node, onChip) hears which node was clicked. */
export function branchParts(pick) {
  const { edges, sweep } = fieldParts();
  const stem = el('div', { 'data-sv': 'stem', 'aria-hidden': 'true' }, createChip());
  const nodes = el('div', { 'data-sv': 'nodes', role: 'presentation' });
  const lane = el(
    'div',
    { 'data-sv': 'branches', role: 'tree', 'aria-label': look.lane },
    edges,
    stem,
    nodes,
    sweep,
  );
  const places = el('div', { 'data-sv': 'places', 'aria-hidden': 'true' });
  const trial = el(
    'div',
    { 'data-sv': 'trial' },
    el('span', { 'data-sv': 'after' }),
    el('span', { 'data-sv': 'passed' }),
    el('span', { 'data-sv': 'tries' }),
    el('span', { 'data-sv': 'further' }),
    el('span', { 'data-sv': 'drafters' }),
  );
  const part = el('div', { 'data-sv': 'forest', 'data-part': 'lane' }, lane, places, trial);
  part.addEventListener('click', ({ target }) => {
    const node = target.closest('[data-sv="node"]');
    if (node) return pick(Number(node.dataset.node), node, true);
    const tried = target.closest('[data-try]');
    if (tried)
      pick(Number(tried.dataset.try), nodes.querySelector(`[data-node="${tried.dataset.try}"]`), false);
  });
  return { part, lane, stem, nodes, edges, sweep, places, trial };
}

/** Writes all nodes, each with its descendants; placeBranches sets their places. */
export function drawBranches(parts, { tree, kind }) {
  parts.lane.style.setProperty('--rows', String(Math.max(TALL[0], Math.min(TALL[1], tree.rows))));
  const parents = new Set(tree.nodes.map(({ parent }) => parent));
  const leaves = Math.max(1, tree.nodes.filter((_, index) => !parents.has(index)).length);
  parts.lane.style.setProperty('--listed', `${Math.min(SHOWN, leaves) * LISTED.row}em`);
  paintChip(parts.stem.firstElementChild, tree.root.text, 'root');
  const held = parts.nodes.contains(document.activeElement);
  drawUnder(
    parts.nodes,
    tree.nodes.map((node, index) => ({ ...node, index })),
    -1,
    kind === 'dart',
  );
  if (held && !parts.nodes.contains(document.activeElement))
    // else the focus would leave the tree
    parts.nodes.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  drawTrial(parts, tree);
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
      paintTreeNode(node, item, awaits && item.focused);
      drawUnder(group, nodes, item.index, awaits);
      const bare = ![...group.children].some(({ firstElementChild: child }) => !child.hidden);
      set(group, { id: bare ? null : `sv-under-${item.index}` });
      set(node, { 'aria-owns': bare ? null : `sv-under-${item.index}` });
    },
  );
}

function createBranch() {
  return el(
    'div',
    { role: 'presentation' },
    el(
      'div',
      { 'data-sv': 'node', role: 'treeitem', tabindex: -1 },
      createChip(el('span', { 'data-sv': 'who-letter', 'aria-hidden': 'true' })),
    ),
    el('div', { role: 'group' }),
  );
}

function nodesIn({ nodes }) {
  return nodes.querySelectorAll('[data-sv="node"]');
}

function paintTreeNode(node, item, awaited) {
  const { state, token, text, column, order, siblings, slot, letter } = item;
  paintNode(node, item, awaited, {
    'data-slot': slot,
    'aria-level': column,
    'aria-posinset': order,
    'aria-setsize': siblings,
    hidden: state === null,
  });
  const [chip] = node.children;
  write(chip.firstElementChild, letter);
  paintChip(chip, token?.text ?? text, state ?? 'empty');
}

/**
 * Siblings in the order they are tried, where a click looks at one; and whose letter is whose, where
 * several drafters guess.
 */
function drawTrial({ trial }, { trial: { after, tries, before, more, none }, drafters }) {
  const [where, passed, list, further, legend] = trial.children;
  hold(where, [after, none], () => [look.afterWord, el('b', {}, words.quoted({ token: after })), none]);
  write(passed, before ? look.triedBefore({ many: before }) : '');
  write(further, more ? look.triedMore({ many: more }) : '');
  fill(
    list,
    tries,
    () => el('span', { 'data-sv': 'try' }, el('i'), createChip(), el('b')),
    (item, { node, turn, text, state, says, now }) => {
      const [order, chip, value] = item.children;
      set(item, { 'data-try': node, 'data-now': now });
      write(order, turn);
      paintChip(chip, text, state);
      hold(value, says, () => maths(says));
    },
  );
  fill(
    legend,
    drafters,
    () => el('span', {}, el('i', { 'data-sv': 'who-letter' }), el('span')),
    (item, [letter, who]) => {
      write(item.firstElementChild, letter);
      write(item.lastElementChild, who);
    },
  );
}

let pen = null;

/** Width of a token's chip in its heights of type, glyph and borders included. */
function wideOf(text, size, family) {
  pen ??= document.createElement('canvas').getContext('2d');
  pen.font = `600 ${size}px ${family}`;
  return pen.measureText(text).width + AROUND * size;
}

/** Measures the field; the result does not depend on what was drawn before. */
export function measureBranches({ lane }) {
  return () => {
    const { fontSize, fontFamily } = getComputedStyle(lane);
    return {
      width: lane.clientWidth,
      height: lane.clientHeight,
      type: parseFloat(fontSize),
      family: fontFamily,
      phone: matchMedia(PHONE).matches,
    };
  };
}

/** Puts chips and dots into their boxes and draws the edges between them. */
export function placeBranches(parts, stood, { tree }) {
  const { type, family, phone } = stood;
  const sized = tree.nodes.map((node) => ({
    ...node,
    wide: wideOf(`${node.letter}${node.token?.text ?? node.text}`, type, family),
  }));
  if (phone) listed(parts, sized, tree, stood);
  else spread(parts, sized, tree, stood);
}

function spread(parts, sized, tree, { width, height, type, family }) {
  const {
    boxes,
    columns,
    type: share,
  } = place(
    sized,
    { width, height, chip: CHIP * type },
    Math.min(9 * type, wideOf(tree.root.text, type, family) - type),
  );
  parts.nodes.style.setProperty('--type', String(share));
  const put = (node, box) => set(node, { style: boxed(box), 'data-size': box.dot ? dotted(box) : 'chip' });
  for (const node of nodesIn(parts)) put(node, boxes[Number(node.dataset.node)]);
  set(parts.stem, { style: boxed(boxes.at(-1)) });
  fill(
    parts.places,
    tree.places,
    () => el('span'),
    (mark, at, column) => {
      write(mark, column ? at : look.position({ at }));
      set(mark, {
        style: `left: ${columns[column].left.toFixed(1)}px; width: ${columns[column].width.toFixed(1)}px`,
      });
    },
  );
  const middle = ({ top, height: tall }) => top + tall / 2;
  const lines = tree.nodes.flatMap((node, index) => {
    const [from, to] = [boxes.at(node.parent), boxes[index]]; // the text so far, parent -1, is the last
    const before = columns[node.column - 1];
    return curve(
      node,
      index,
      [from.left + from.width, middle(from)],
      [to.left, middle(to)],
      to.dot ? dotted(to) : null,
      [before.left + before.width, columns[node.column].left],
    );
  });
  drawEdges(parts, lines, width, height);
}

/** The list of paths, as long as the tree has leaves. */
function listed(parts, sized, tree, { type, family }) {
  const [chip, row, gap] = [LISTED.chip, LISTED.row, LISTED.gap].map((share) => share * type);
  const stem = Math.min(6 * type, wideOf(tree.root.text, type, family) - type);
  const { boxes, rows, width } = paths(sized, { chip, row, gap }, stem);
  parts.nodes.style.setProperty('--type', '1');
  for (const node of nodesIn(parts))
    set(node, { style: boxed(boxes[Number(node.dataset.node)]), 'data-size': 'chip' });
  set(parts.stem, { style: boxed(boxes.at(-1)) });
  fill(
    parts.places,
    [],
    () => el('span'),
    () => {},
  );
  const lines = tree.nodes.flatMap((node, index) => {
    if (node.edge === 'none') return [];
    const [box, home] = [boxes[index], boxes.at(node.parent)];
    const [from, to] = [home, box].map(({ top, height }) => (top + height / 2).toFixed(1));
    const end = home.left + home.width;
    const turn = (end + gap / 2).toFixed(1);
    const d = `M${end.toFixed(1)} ${from}H${turn}V${to}H${box.left.toFixed(1)}`;
    return [{ kind: node.edge, index, d, style: null }];
  });
  drawEdges(parts, lines, width, rows * row);
  const box = boxes[tree.focus];
  if (box)
    Object.assign(parts.lane, {
      scrollTop: box.top - (parts.lane.clientHeight - box.height) / 2,
      scrollLeft: box.left + box.width - parts.lane.clientWidth + type,
    });
}

function boxed({ left, top, width, height }) {
  const sides = Object.entries({ left, top, width, height });
  return sides.map(([side, length]) => `${side}: ${length.toFixed(1)}px`).join('; ');
}

function dotted({ height }) {
  return height < SPECK ? 'speck' : 'dot';
}

/**
 * draw-branches.js: a round whose guesses fork: chips and dots in a field, edges between them, and below it
 * the siblings under test. On a phone the same nodes are a list of paths.
 */

import { el, fill, set, svg, write } from '../../base/dom.js';
import { paths, place } from '../round/branches.js';
import { hold, maths, writeToken } from './draw-words.js';
import { words } from '../words.js';

const { look } = words;

const PHONE = '(max-width: 899px), (max-height: 559px)';
/** Heights of type: a chip, its padding with borders and glyph, a row of the list. */
const CHIP = 1.8;
const AROUND = 2.1;
const ROW = 2.75;
/** Rows of the list in sight at once; it scrolls to the one that is looked at. */
const SHOWN = 3;
/** Rows of chips the field is high, at least and at most. */
const TALL = [3, 5.5];
/** A dot lower than this, in pixels, has a fill and no border. */
const SPECK = 9;
const ABOVE = { dropped: 0, guess: 1, refused: 2, kept: 3, own: 4, bonus: 4 };

/** The elements; pick(index, node, onChip) hears which node was clicked. */
export function branchParts(pick) {
  const edges = svg('svg', { 'data-sv': 'branch-edges', 'aria-hidden': 'true' });
  const root = el(
    'div',
    { 'data-sv': 'stem', 'aria-hidden': 'true' },
    el('span', { 'data-sv': 'chip', 'data-look': 'root', dir: 'ltr' }, el('span', { 'data-sv': 'text' })),
  );
  const nodes = el('div', { 'data-sv': 'nodes', role: 'presentation' });
  const sweep = el('i', { 'data-sv': 'sweep', 'aria-hidden': 'true' });
  const branches = el(
    'div',
    { 'data-sv': 'branches', role: 'tree', 'aria-label': look.lane },
    edges,
    root,
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
  const forest = el('div', { 'data-sv': 'forest', 'data-part': 'lane' }, branches, places, trial);
  const parts = {
    forest,
    branches,
    stem: root,
    nodes,
    branchEdges: edges,
    branchSweep: sweep,
    places,
    trial,
  };
  forest.addEventListener('click', ({ target }) => {
    const node = target.closest('[data-sv="node"]');
    if (node) return pick(Number(node.dataset.node), node, true);
    const tried = target.closest('[data-try]');
    if (tried)
      pick(Number(tried.dataset.try), nodes.querySelector(`[data-node="${tried.dataset.try}"]`), false);
  });
  return parts;
}

/** Writes all nodes, each with its descendants; placeBranches sets their places. */
export function drawBranches(parts, { tree, kind }) {
  parts.branches.style.setProperty('--rows', String(Math.max(TALL[0], Math.min(TALL[1], tree.rows))));
  writeToken(parts.stem.firstElementChild.firstElementChild, tree.root.text.replace(/^…·+/u, '… '));
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
      paintNode(node, item, awaits && item.focused);
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
      el(
        'span',
        { 'data-sv': 'chip', dir: 'ltr' },
        el('span', { 'data-sv': 'who-letter', 'aria-hidden': 'true' }),
        el('span', { 'data-sv': 'text' }),
      ),
    ),
    el('div', { role: 'group' }),
  );
}

function nodesIn({ nodes }) {
  return nodes.querySelectorAll('[data-sv="node"]');
}

function paintNode(
  node,
  {
    index,
    kind,
    state,
    token,
    q,
    p,
    keep,
    u,
    parent,
    column,
    order,
    siblings,
    slot,
    label,
    focused,
    letter,
    text,
  },
  awaited,
) {
  const [chip] = node.children;
  set(node, {
    'data-node': index,
    'data-kind': kind,
    'data-state': state,
    'data-parent': parent,
    'data-depth': column,
    'data-order': order,
    'data-token-id': token && token.id,
    'data-q': state ? q : null,
    'data-p': p,
    'data-a': keep,
    'data-u': u,
    'data-slot': slot,
    'data-awaited': awaited,
    'aria-level': column,
    'aria-posinset': order,
    'aria-setsize': siblings,
    'aria-selected': String(Boolean(focused)),
    'aria-label': label,
    hidden: state === null,
  });
  node.tabIndex = focused ? 0 : -1;
  write(chip.firstElementChild, letter);
  writeToken(chip.lastElementChild, token?.text ?? text);
  set(chip, { 'data-look': state ?? 'empty' });
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
    () =>
      el(
        'span',
        { 'data-sv': 'try' },
        el('i'),
        el('span', { 'data-sv': 'chip', dir: 'ltr' }, el('span', { 'data-sv': 'text' })),
        el('b'),
      ),
    (item, { node, turn, text, state, says, now }) => {
      const [order, chip, value] = item.children;
      set(item, { 'data-try': node, 'data-now': now });
      write(order, turn);
      set(chip, { 'data-look': state });
      writeToken(chip.firstElementChild, text);
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
export function measureBranches({ branches, forest }, { tree }) {
  if (tree.shape !== 'tree') return null;
  const { fontSize, fontFamily } = getComputedStyle(branches);
  return {
    width: branches.clientWidth,
    height: branches.clientHeight,
    type: parseFloat(fontSize),
    family: fontFamily,
    phone: matchMedia(PHONE).matches,
    room: forest.clientWidth,
  };
}

/** Puts chips and dots into their boxes and draws the edges between them. */
export function placeBranches(parts, stood, { tree }) {
  if (!stood) return;
  const { type, family, phone } = stood;
  const sized = tree.nodes.map((node) => ({
    ...node,
    wide: wideOf(`${node.letter}${node.token?.text ?? node.text}`, type, family),
  }));
  set(parts.forest, { 'data-list': phone });
  if (phone) listed(parts, sized, tree, type);
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
  parts.branches.style.removeProperty('height');
  parts.nodes.style.setProperty('--type', String(share));
  const put = (node, box) =>
    set(node, { style: boxed(box), 'data-size': box.dot ? (box.height < SPECK ? 'speck' : 'dot') : 'chip' });
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
  const lines = tree.nodes.flatMap((node, index) =>
    curve(node, index, node.parent < 0 ? boxes.at(-1) : boxes[node.parent], boxes[index]),
  );
  drawEdges(parts, lines, width, height);
}

/** The list of paths, as long as the tree has leaves. */
function listed(parts, sized, tree, type) {
  const { boxes, rows, width } = paths(sized, { chip: CHIP * type, row: ROW * type });
  parts.branches.style.height = `${(Math.min(SHOWN, rows) * ROW * type).toFixed(1)}px`;
  parts.nodes.style.setProperty('--type', '1');
  for (const node of nodesIn(parts))
    set(node, { style: boxed(boxes[Number(node.dataset.node)]), 'data-size': 'chip' });
  set(parts.stem, { style: null });
  fill(
    parts.places,
    [],
    () => el('span'),
    () => {},
  );
  const lines = tree.nodes.flatMap((node, index) => {
    const [box, home] = [boxes[index], boxes[node.parent]];
    if (node.edge === 'none' || !home || home.row === box.row) return [];
    const middle = (box.top + box.height / 2).toFixed(1);
    return [
      {
        kind: tree.nodes[node.parent].state === 'accepted' ? 'kept' : 'shared',
        index,
        d: `M0 ${middle}H${(box.left - 4).toFixed(1)}`,
        style: null,
      },
    ];
  });
  drawEdges(parts, lines, width, rows * ROW * type);
  const here = boxes[tree.focus];
  if (here)
    Object.assign(parts.branches, {
      scrollTop: here.top - (parts.branches.clientHeight - here.height) / 2,
      scrollLeft: here.left + here.width - parts.branches.clientWidth + type,
    });
}

function boxed({ left, top, width, height }) {
  const sides = Object.entries({ left, top, width, height });
  return sides.map(([side, length]) => `${side}: ${length.toFixed(1)}px`).join('; ');
}

function drawEdges({ branchEdges }, lines, width, height) {
  const sorted = lines.sort((a, b) => (ABOVE[a.kind] ?? 0) - (ABOVE[b.kind] ?? 0));
  fill(
    branchEdges,
    sorted,
    () => svg('path', { fill: 'none' }),
    (path, { kind, index, d, style, dot }) =>
      set(path, { 'data-edge': kind, 'data-to': index, 'data-dot': dot, d, style }),
  );
  set(branchEdges, { width: Math.round(width), height: Math.round(height) });
}

/** The edge to a guess is wider the higher its q. */
function curve({ edge, weight }, index, from, to) {
  if (edge === 'none') return [];
  const [x1, x2] = [from.left + from.width, to.left];
  const [y1, y2] = [from.top + from.height / 2, to.top + to.height / 2];
  const middle = (x1 + x2) / 2;
  const at = (value) => value.toFixed(1);
  const dot = to.dot && (to.height < SPECK ? 'speck' : 'dot');
  const style =
    edge === 'guess' && weight !== null && dot !== 'speck'
      ? `stroke-width: ${(((to.dot ? 0.8 : 1.6) + (to.dot ? 1.4 : 3.4) * Math.sqrt(weight)) / 16).toFixed(4)}rem`
      : null;
  return [
    {
      kind: edge,
      index,
      style,
      dot,
      d: `M${at(x1)} ${at(y1)}C${at(middle)} ${at(y1)} ${at(middle)} ${at(y2)} ${at(x2)} ${at(y2)}`,
    },
  ];
}

/**
 * draw-node.js: what a chain and a tree are drawn with: the chip, the node that holds it, the edge to it.
 */

import { el, fill, portion, set, svg } from '../../base/dom.js';
import { hold, writeToken } from './draw-words.js';

/** Edges in the order in which they lie over each other. */
const ABOVE = { dropped: 0, guess: 1, refused: 2, kept: 3, own: 4, bonus: 4 };

/** What the nodes of a round hang in: { edges, sweep }. */
export function fieldParts() {
  return {
    edges: svg('svg', { 'data-sv': 'edges', 'aria-hidden': 'true' }),
    sweep: el('i', { 'data-sv': 'sweep', 'aria-hidden': 'true' }),
  };
}

/** A chip; what is before its text comes first. */
export function createChip(...before) {
  return el('span', { 'data-sv': 'chip', dir: 'ltr' }, ...before, el('span', { 'data-sv': 'text' }));
}

/** Writes a chip; an empty place has words in it, not a token. */
export function paintChip(chip, text, look) {
  if (look === 'empty') hold(chip.lastElementChild, ['', text], () => [text]);
  else writeToken(chip.lastElementChild, text);
  set(chip, { 'data-look': look });
}

/** Writes the numbers of a node of the scene's tree; more are the attributes of its shape. */
export function paintNode(node, { index, kind, state, token, p, q, keep, u, label, focused }, awaited, more) {
  set(node, {
    'data-node': index,
    'data-kind': kind,
    'data-state': state,
    'data-token-id': token && token.id,
    'data-p': p,
    'data-q': state ? q : null,
    'data-a': keep,
    'data-u': u,
    'data-awaited': awaited,
    'aria-label': label,
    'aria-selected': String(Boolean(focused)),
    ...more,
  });
  // set() may take attributes off first, and without this one the focus is gone
  node.tabIndex = focused ? 0 : -1;
}

/** The element of a node of the tree on show. */
export function nodeAt({ lane }, index) {
  return lane.querySelector(`[data-node="${index}"]`);
}

/**
 * An edge from one place to another, unless there is none; that to a guess is wider the higher its q. It bends
 * between the two places of `bends`, and is straight before and after them.
 * @param {{ edge: string, weight: number }} node
 * @param {number} index
 * @param {number[]} from
 * @param {number[]} to
 */
export function curve({ edge: kind, weight }, index, [x1, y1], [x2, y2], dot = null, bends = [x1, x2]) {
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

export function drawEdges({ edges }, lines, width, height) {
  fill(
    edges,
    lines.sort((a, b) => (ABOVE[a.kind] ?? 0) - (ABOVE[b.kind] ?? 0)),
    () => svg('path', { fill: 'none' }),
    (path, { kind, index, d, style, dot }) =>
      set(path, { 'data-edge': kind, 'data-to': index, 'data-dot': dot, d, style }),
  );
  set(edges, { width: Math.round(width), height: Math.round(height) });
}

/** Puts a mark at a share of its box; null hides it. */
export function placeMark(node, at) {
  set(node, { style: `left: ${portion(at ?? 0)}`, hidden: at === null });
}

/**
 * draw-arc.js: where a guess was copied from: the tokens of the text it stood on are tinted, and an arc
 * runs from them to the end of the text, where it is guessed again.
 */

import { set, svg } from '../../base/dom.js';

/** Pixels an arc hangs below its ends. */
const SAG = 13;

export function arcParts() {
  const line = svg('path', { fill: 'none' });
  return { arc: svg('svg', { 'data-sv': 'arc', 'aria-hidden': 'true', hidden: true }, line), line };
}

/** Measures where the arc begins and ends; null where nothing was copied or the source is out of sight. */
export function measureArc({ tape, lines, ribbon }) {
  const copied = [...ribbon.querySelectorAll('[data-copied]')];
  const ends = ribbon.querySelectorAll('[data-sv="token"], [data-sv="fold"]');
  if (!copied.length) return null;
  const [home, seen, from, to] = [tape, lines, copied[0], ends[ends.length - 1]].map((node) =>
    node.getBoundingClientRect(),
  );
  const last = copied.at(-1).getBoundingClientRect();
  if (from.top < seen.top - 2 || last.bottom > seen.bottom + 2) return null;
  const right = last.top === from.top ? last.right : from.right;
  return {
    x: (from.left + right) / 2 - home.left,
    y: from.bottom - home.top,
    ends: to.right - home.left + 5,
    foot: to.bottom - home.top,
  };
}

export function placeArc({ arc, line }, ends) {
  set(arc, { hidden: !ends });
  set(line, { d: ends && curve(ends) });
}

function curve({ x, y, ends, foot }) {
  const low = Math.max(y, foot) + SAG;
  const [from, to] = [x.toFixed(1), ends.toFixed(1)];
  return `M${from} ${y.toFixed(1)}C${from} ${low} ${to} ${low} ${to} ${foot.toFixed(1)}`;
}

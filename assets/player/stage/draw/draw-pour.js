/**
 * draw-pour.js: the target's weights as dots, poured once for one token and once for all of a round, see
 * round/pour.js.
 */

import { el, fill, set, write } from '../../base/dom.js';

/** Milliseconds of one pour. */
const POUR = 700;

export function pourParts() {
  return { pour: el('div', { 'data-sv': 'pour', hidden: true }, el('div'), el('p')) };
}

export function drawPour({ pour }, shown) {
  set(pour, { hidden: !shown });
  fill(pour.firstElementChild, shown?.lanes ?? [], createLane, paintLane);
  write(pour.lastElementChild, shown?.says ?? '');
}

function createLane() {
  return el('p', { 'data-sv': 'pour-lane' }, el('span'), el('i', { 'data-kind': 'dots' }), el('span'));
}

function paintLane(node, [name, tokens]) {
  const [label, , slots] = node.children;
  write(label, name);
  fill(
    slots,
    Array(tokens).fill(0),
    () => el('i'),
    () => {},
  );
}

/** One pour after the other; each fills its tokens at once. */
export function pourOut(film, { pour }) {
  [...pour.firstElementChild.children].forEach(({ children: [, dots, slots] }, at) => {
    const frames = [{ clipPath: 'inset(0 100% 0 0)' }, { clipPath: 'inset(0)' }];
    film.move(dots, frames, { delay: at * POUR, duration: POUR, easing: 'linear' });
    film.appear(slots, (at + 1) * POUR, 120);
  });
}

/**
 * motion-number.js: a random number falls on the ruler, whose segments are all alike until it has. Then its
 * decision shows, and the segment under it becomes a chip.
 */

import { local } from '../../base/format.js';
import { FALL, edgesTo, focusOf, painted } from './motion-film.js';

/** Where the number reads itself on its way, as often as this. */
const READS = 16;

/**
 * The number comes in along the ruler's upper edge, from the end that is farther away, and reads the place
 * it is at. Where it stops its pin falls. Returns when it has.
 */
export function throwNumber(film, parts, { ruler: { dart } }, wait, fall) {
  if (dart === null || dart === undefined) return wait;
  const land = wait + fall;
  const real = parts.dart;
  const copy = film.clone(real, land);
  const [label, pin] = copy.children;
  const [box, ruler] = [label, parts.ruler].map((node) => node.getBoundingClientRect());
  const from = dart < 0.5 ? 1 : 0;
  const away = from ? ruler.right - box.right : ruler.left - box.left;
  const left = (share) => (1 - share) ** 2;
  const shares = Array.from({ length: READS + 1 }, (_, at) => at / READS);
  film.hide(real, land);
  film.hide(copy, wait);
  film.hide(pin, land);
  film.move(
    label,
    shares.map((share) => ({ translate: `calc(-50% + ${away * left(share)}px) 0` })),
    { delay: wait, duration: fall, easing: 'linear' },
  );
  film.read(
    label.lastElementChild,
    shares
      .slice(0, -1)
      .map((share) => [wait + share * fall, local((dart + (from - dart) * left(share)).toFixed(3))]),
  );
  film.move(real.lastElementChild, [{ transform: 'scaleY(0)' }, { transform: 'none' }], {
    delay: land,
    duration: 160,
    easing: FALL,
  });
  return land + 160;
}

/** How a segment looks that no number has fallen on. */
const ALIKE = {
  backgroundImage: 'linear-gradient(var(--alike), var(--alike))',
  color: 'var(--sv-ink)',
  fontWeight: 450,
};

/** All that would give the answer away appears when the number has landed; `late` says the sum does, too. */
export function reveal(film, parts, land, late = true) {
  const blank = getComputedStyle(parts.tape).getPropertyValue('--sv-tint2');
  const said = [parts.headline, parts.sourceLine].flatMap((each) => [
    ...each.querySelectorAll('[data-late]'),
  ]);
  for (const piece of said) {
    const covered = { color: 'transparent', ...painted(blank), borderRadius: '.3em' };
    film.move(piece, [covered, { ...covered, offset: 0.01 }, painted('transparent')], {
      delay: land + 40,
      duration: 220,
    });
  }
  for (const place of [parts.source, parts.dock])
    for (const mark of place.querySelectorAll('[data-late]')) film.appear(mark, land);
  for (const {
    children: [label, formula, verdict],
  } of parts.sum.firstElementChild.children) {
    const number = formula.matches('[data-number]');
    if (!number && late) [label, formula].forEach((part) => film.appear(part, land));
    if (number) film.appear(formula, land);
    film.appear(verdict, land);
  }
  film.appear(parts.rulerTitle, land);
  film.appear(parts.frame, land);
  film.appear(parts.rulerUnder.lastElementChild, land);
  film.move(parts.cover, [{ opacity: 1 }, { opacity: 1 }], { duration: land, easing: 'linear' });
  if (parts.ruler.matches('[data-found]'))
    film.move(parts.segments.querySelector('[data-hit]'), [ALIKE, ALIKE], {
      duration: land,
      easing: 'linear',
    });
  for (const row of parts.bars.querySelectorAll('[data-focus]')) {
    if (late && row.nextElementSibling?.dataset.rest)
      for (const part of row.children) film.appear(part, land); // too small for a row but for what comes
    film.move(row, [{ opacity: 0 }, {}], { delay: land, duration: 180, pseudoElement: '::before' });
    film.move(row.firstElementChild, [{ fontWeight: 400 }, {}], { delay: land, duration: 1 });
  }
}

/** The segment the number fell on leaves the ruler, widens and becomes the chip. Returns when it has. */
export function lift(film, parts, scene, delay, duration) {
  const chip = focusOf(parts, scene)?.firstElementChild;
  const segment = parts.segments.querySelector('[data-hit]');
  for (const path of edgesTo(parts, scene.tree.focus)) film.appear(path, delay + 0.7 * duration);
  if (!chip) return delay;
  if (!segment) {
    film.move(chip, [{ opacity: 0, transform: 'translateY(-1.5rem)' }, {}], { delay, duration });
    return delay + duration;
  }
  const { left, top, width, height } = segment.getBoundingClientRect();
  const look = getComputedStyle(chip);
  film.ghost(
    [
      { box: { left, top, width: Math.max(4, width), height }, at: delay },
      { box: chip.getBoundingClientRect(), at: delay + duration },
    ],
    { background: look.backgroundColor, borderRadius: look.borderRadius },
  );
  film.move(chip, [{ opacity: 0 }, { opacity: 0, offset: 0.86 }, { opacity: 1 }], {
    delay,
    duration: duration + 40,
  });
  return delay + duration + 40;
}

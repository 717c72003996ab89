/**
 * motion-number.js: a random number falls on the ruler. Once it has landed, its decision shows, and the
 * segment under it becomes a chip.
 */

import { FALL, edgesTo, focusOf } from './motion-film.js';

/**
 * The number leaves the counter beside the figure and falls on its place of the ruler; only there it reads
 * what it is. Returns when it lands.
 */
export function throwNumber(film, parts, { ruler }, wait, fall) {
  if (ruler.dart === null || ruler.dart === undefined) return wait;
  const land = wait + fall;
  const real = parts.dart;
  const counter = parts.sum.querySelector('[data-sv="equation"][data-number]')?.getBoundingClientRect();
  const box = real.getBoundingClientRect();
  const copy = film.clone(real, land);
  const [label] = copy.children;
  film.hide(real, land);
  film.spin(label.lastElementChild, label.lastElementChild.textContent, land);
  const from = counter?.width
    ? [counter.left + 60 - box.left, Math.min(-24, counter.top - box.top)]
    : [0, -70];
  film.move(copy, [{ translate: `${from[0]}px 0` }, { translate: '0 0' }], {
    delay: wait,
    duration: fall,
    easing: 'linear',
  });
  film.move(copy, [{ transform: `translateY(${from[1]}px)` }, { transform: 'none' }], {
    delay: wait,
    duration: fall,
    easing: FALL,
  });
  film.move(copy, [{ opacity: 0 }, { opacity: 1 }], { duration: 120 });
  film.move(
    real.lastElementChild,
    [{ transform: 'none' }, { transform: 'scaleY(.8)', transformOrigin: 'bottom' }, { transform: 'none' }],
    { delay: land, duration: 220 },
  );
  return land;
}

/** All that would give the answer away appears when the number has landed; `late` says the sum does, too. */
export function reveal(film, parts, land, late = true) {
  const blank = getComputedStyle(parts.tape).getPropertyValue('--sv-tint2');
  for (const piece of parts.headline.querySelectorAll('[data-late]')) {
    const covered = { color: 'transparent', backgroundColor: blank, borderRadius: '.3em' };
    film.move(piece, [covered, { ...covered, offset: 0.01 }, { backgroundColor: 'transparent' }], {
      delay: land + 40,
      duration: 220,
    });
  }
  for (const mark of parts.source.querySelectorAll('[data-late]')) film.appear(mark, land);
  for (const {
    children: [label, formula, verdict],
  } of parts.sum.firstElementChild.children) {
    const number = formula.matches('[data-number]');
    if (!number && late) [label, formula].forEach((part) => film.appear(part, land));
    if (number) film.appear(formula, land);
    film.appear(verdict, land);
  }
  if (late) film.appear(parts.rulerTitle, land);
  film.appear(parts.frame, land);
  film.appear(parts.rulerUnder.lastElementChild, land);
  if (parts.ruler.matches('[data-found]')) {
    for (const segment of parts.segments.children)
      if (!segment.matches('[data-hit]'))
        film.move(segment, [{ opacity: 1 }, {}], { delay: land, duration: 220 });
  }
  for (const row of parts.bars.querySelectorAll('[data-focus]')) {
    if (late && row.nextElementSibling?.dataset.rest)
      for (const part of row.children) film.appear(part, land); // too small for a row but for what comes
    film.move(row, [{ opacity: 0 }, { opacity: 1 }], {
      delay: land,
      duration: 180,
      pseudoElement: '::before',
    });
    film.move(row.firstElementChild, [{ fontWeight: 400 }, { fontWeight: 700 }], {
      delay: land,
      duration: 1,
    });
  }
}

/** The segment the number fell on leaves the ruler, widens and becomes the chip. Returns when it has. */
export function lift(film, parts, scene, delay, duration) {
  const chip = focusOf(parts, scene)?.firstElementChild;
  const segment = parts.segments.querySelector('[data-hit]');
  for (const path of edgesTo(parts, scene.tree.focus)) film.appear(path, delay + 0.7 * duration);
  if (!chip) return delay;
  if (!segment) {
    film.move(
      chip,
      [
        { opacity: 0, transform: 'translateY(-1.5rem)' },
        { opacity: 1, transform: 'none' },
      ],
      { delay, duration },
    );
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

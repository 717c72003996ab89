/**
 * motion.js: animates the arrival of a beat, cause before effect. Animations run over what draw(scene)
 * already shows, so that stopping one shows the still picture.
 */

import { el } from '../../base/dom.js';
import { nodeAt } from '../draw/draw-lane.js';
import { check, widen } from './motion-check.js';
import { FALL, createFilm, edgesTo, focusOf } from './motion-film.js';
import { lift, reveal, throwNumber } from './motion-number.js';
import { residual } from './motion-residual.js';
import { collect, gather, rollBack } from './motion-trim.js';
import { verdict } from './motion-verdict.js';

/**
 * root: the element that holds the stage and its foot. Returns { play(scene, speed): milliseconds it takes,
 * stop() }.
 */
export function createMotion(root, parts) {
  const layer = el('div', { 'data-sv': 'fly', 'aria-hidden': 'true' });
  root.append(layer);
  const film = createFilm(layer);
  return {
    play(scene, speed = 1) {
      film.stop();
      const act = ACTS[scene.kind];
      const shapeParts = { ...parts, ...parts.tree };
      if (!act || !(speed > 0) || !shapeParts.lane.offsetWidth) return 0;
      film.start(speed);
      return act({ film, parts: shapeParts, scene, root }) / speed;
    },
    stop: film.stop,
  };
}

/** Milliseconds between the numbers of a block. */
const APART = 320;

const ACTS = {
  draft({ film, parts, scene }) {
    const land = throwNumber(film, parts, scene, 120, 620);
    reveal(film, parts, land);
    const end = lift(film, parts, scene, land + 160, 520);
    spread(film, parts, scene, land);
    under(film, focusOf(parts, scene), end - 80);
    return end + 120;
  },

  verify: check,

  dart({ film, parts, scene }) {
    const node = scene.tree.nodes[scene.tree.focus];
    const others = scene.falls.filter((index) => index !== scene.tree.focus);
    const wait = (node.p >= node.q ? 60 : 420) + APART * others.length;
    const land = throwNumber(film, parts, scene, wait, 640);
    reveal(film, parts, land, false);
    others.forEach((index, at) =>
      falls(film, nodeAt(parts, index)?.querySelector('[data-sv="strip"] > b'), APART * (at + 1)),
    );
    for (const mark of [
      ...parts.bars.querySelectorAll('[data-sv="bar"] > b:not([hidden])'),
      focusOf(parts, scene)?.querySelector('[data-sv="strip"] > b'),
    ])
      falls(film, mark, land);
    return land + 180;
  },

  verdict,

  adjust({ film, parts, scene }) {
    const mass = scene.ruler.bracket?.was ?? 1;
    for (const bar of parts.bars.querySelectorAll(
      '[data-sv="bar"] :is([data-kind="overlap"], [data-kind="p"])',
    )) {
      film.move(
        bar,
        [
          { transform: `scaleX(${mass})`, transformOrigin: 'left' },
          { transform: 'none', transformOrigin: 'left' },
        ],
        { delay: 120, duration: 580 },
      );
    }
    for (const was of parts.bars.querySelectorAll('[data-kind="was"]')) film.appear(was, 0, 120);
    for (const segment of parts.segments.children) film.appear(segment, 300, 400);
    film.appear(parts.frame, 620);
    return 700;
  },

  residual,

  replace({ film, parts, scene }) {
    const land = throwNumber(film, parts, scene, 350, 640);
    reveal(film, parts, land);
    const focus = scene.tree.nodes[scene.tree.focus];
    const fallen =
      scene.tree.shape === 'tree'
        ? -1
        : scene.tree.nodes.findIndex(({ state, column }) => state === 'rejected' && column === focus.column);
    const chip = nodeAt(parts, fallen)?.firstElementChild;
    film.move(
      chip,
      [{ transform: 'translateY(-2.7rem) rotate(-3.5deg) scale(1.3)' }, { transform: 'none' }],
      { delay: land + 250, duration: 380, easing: FALL },
    );
    for (const path of edgesTo(parts, fallen)) film.appear(path, land + 500);
    return lift(film, parts, scene, land + 500, 560);
  },

  bonus({ film, parts, scene }) {
    const land = throwNumber(film, parts, scene, 350, 640);
    reveal(film, parts, land);
    for (const bar of parts.bars.querySelectorAll('[data-sv="bar"] [data-kind="p"]')) widen(film, bar, 0);
    under(film, focusOf(parts, scene), land + 700);
    return lift(film, parts, scene, land + 300, 560);
  },

  join: collect,
  gather,
  trim: rollBack,
};

/** The mark of a number comes down. */
function falls(film, mark, delay) {
  film.move(
    mark,
    [
      { opacity: 0, transform: 'translateY(-.6rem)' },
      { opacity: 1, transform: 'none' },
    ],
    { delay, duration: 180 },
  );
}

/** The other guesses of a level slide out of their parents. */
function spread(film, parts, { tree }, from) {
  const { column } = tree.nodes[tree.focus];
  if (tree.shape !== 'tree') return;
  tree.nodes.forEach((node, index) => {
    if (index === tree.focus || node.column !== column || node.state === null) return;
    const delay = from + 160 + 30 * Math.min(8, node.order);
    film.move(
      nodeAt(parts, index),
      [
        { opacity: 0, transform: 'translateX(-1.5rem)' },
        { opacity: 1, transform: 'none' },
      ],
      { delay, duration: 260 },
    );
    for (const path of edgesTo(parts, index)) film.appear(path, delay, 260);
  });
}

/** What is under a chip comes after it. */
function under(film, slot, delay) {
  for (const part of [...(slot?.children ?? [])].slice(1)) film.appear(part, delay);
}

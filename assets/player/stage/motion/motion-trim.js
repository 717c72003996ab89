/**
 * motion-trim.js: kept cells of a branch are gathered, kept chips fly onto their words, and the cells of
 * the cache that are rolled back fall off while its counter falls.
 */

import { el } from '../../base/dom.js';
import { nodeAt } from '../draw/draw-node.js';
import { FALL } from './motion-film.js';

const [GLIDE, APART] = [640, 70];
const [FALLS, LOOSE, DROP] = [620, 140, 450];

/** Plays it; returns when it is over, in milliseconds. */
export function rollBack({ film, root }) {
  return drop(film, root);
}

/** The kept cells of a branch glide to where the text goes on. */
export function gather({ film, root }) {
  for (const row of root.querySelectorAll('[data-sv="cells"]')) {
    const kept = [...row.querySelectorAll('[data-cell="kept"]')];
    const guesses = [...row.querySelectorAll('[data-cell="kept"], [data-cell="speculative"]')];
    kept.forEach((cell, at) => {
      const [from, to] = [cell.getBoundingClientRect(), guesses[at].getBoundingClientRect()];
      if (!from.width || from.left === to.left) return;
      film.move(
        film.clone(cell, 700),
        [{ transform: 'none' }, { transform: `translate(${to.left - from.left}px, ${to.top - from.top}px)` }],
        { delay: 60 * at, duration: 600 },
      );
    });
  }
  return 700;
}

/** The kept chips fly onto their words. Returns when they have. */
export function collect({ film, parts, scene: { tree } }) {
  const kept = tree.nodes
    .map((node, index) => ({ ...node, index }))
    .filter(({ state }) => ['accepted', 'resampled', 'bonus'].includes(state))
    .sort((a, b) => a.column - b.column);
  const words = [...parts.ribbon.querySelectorAll('[data-fresh]')];
  kept.forEach(({ index }, at) => {
    const chip = nodeAt(parts, index)?.firstElementChild;
    const word = words[at];
    if (!chip || !word) return;
    const [from, to] = [chip.getBoundingClientRect(), word.querySelector('u').getBoundingClientRect()];
    const delay = APART * at;
    const copy = film.clone(chip, delay + GLIDE);
    const scale = `scale(${to.width / from.width}, ${to.height / from.height})`;
    const onto = `translate(${to.left - from.left}px, ${to.top - from.top}px) ${scale}`;
    copy.style.transformOrigin = '0 0';
    film.move(
      copy,
      [
        { transform: 'none', opacity: 1 },
        { transform: onto, opacity: 1, offset: 0.9 },
        { transform: onto, opacity: 0 },
      ],
      { delay, duration: GLIDE, fill: 'both' },
    );
    film.move(word, [{ opacity: 0 }, { opacity: 0, offset: 0.85 }, { opacity: 1 }], {
      delay,
      duration: GLIDE,
    });
  });
  return GLIDE + APART * kept.length;
}

function drop(film, root) {
  const cells = [...root.querySelectorAll('[data-sv="kv"] [data-cell="rolled-back"]')].reverse();
  const count = root.querySelector('[data-sv="kv-count"]');
  if (!cells.length) return 0;
  const end = DROP + LOOSE * (cells.length - 1) + FALLS;
  cells.forEach((cell, at) => {
    const box = cell.getBoundingClientRect();
    if (!box.width) return;
    const delay = DROP + LOOSE * at;
    const copy = film.lay(el('i', { 'data-cell': 'rolled-back' }), box, delay + FALLS);
    film.hide(cell, delay + FALLS);
    film.move(
      copy,
      [
        { transform: 'none', opacity: 1 },
        { transform: `translateY(3.4rem) rotate(${at % 2 ? 24 : -18}deg)`, opacity: 0 },
      ],
      { delay, duration: FALLS, easing: FALL },
    );
  });
  const kept = count && Number.parseInt(count.textContent.replaceAll(',', ''), 10);
  if (!count || Number.isNaN(kept)) return end;
  const copy = film.clone(count, end);
  const { font, color } = getComputedStyle(count);
  Object.assign(copy.style, { font, color, whiteSpace: 'nowrap' });
  const show = (left) => {
    copy.textContent = (kept + left).toLocaleString('en-US');
  };
  show(cells.length);
  film.hide(count, end);
  film.appear(root.querySelector('[data-sv="kv-gone"]'), end);
  cells.forEach((_, at) => film.after(DROP + 110 + LOOSE * at, () => show(cells.length - at - 1)));
  return end;
}

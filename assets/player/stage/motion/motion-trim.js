/**
 * motion-trim.js: the kept chips fly onto their words; then kept cells of a branch are gathered, and those of
 * the caches that are dropped fall one by one while their count falls. A running state is put back instead.
 */

import { count } from '../../base/format.js';
import { nodeAt } from '../draw/draw-lane.js';
import { FALL, painted } from './motion-film.js';

const [GLIDE, APART] = [900, 110];
const [FALLS, LOOSE, DROP] = [520, 240, 500];
/** For a running state: its copy flies down; then each token is read again. */
const [FLIGHT, READS] = [800, 260];
/** Pixels that chips keep from the sentence. */
const CLEAR = 12;

/**
 * The kept chips fly onto their words, past the end of the sentence; where it leaves no room they are not
 * seen on their way through it. Returns when they have.
 */
export function collect({ film, parts, scene: { tree } }) {
  const kept = tree.nodes
    .map((node, index) => ({ ...node, index }))
    .filter(({ state }) => ['accepted', 'resampled', 'bonus', 'plain'].includes(state))
    .sort((a, b) => a.column - b.column);
  const words = [...parts.ribbon.querySelectorAll('[data-fresh]')];
  const gate = gateOf(parts);
  kept.forEach(({ index }, at) => {
    const chip = nodeAt(parts, index)?.firstElementChild;
    const word = words[at];
    if (!chip || !word) return;
    const [from, to] = [chip.getBoundingClientRect(), word.querySelector('u').getBoundingClientRect()];
    const delay = APART * at;
    const copy = film.clone(chip, delay + GLIDE);
    copy.style.transformOrigin = '0 0';
    const size = { x: to.width / from.width, y: to.height / from.height };
    const place = (left, top) =>
      `translate(${left - from.left}px, ${top - from.top}px) scale(${size.x}, ${size.y})`;
    const [left, open] = way(gate, from, to);
    film.move(
      copy,
      [
        { transform: 'none', opacity: 1 },
        { transform: place(left, gate.bottom + CLEAR), opacity: 1, offset: 0.4 },
        { transform: place(left, gate.bottom), opacity: open, offset: 0.42 },
        { transform: place(left, gate.top - to.height), opacity: open, offset: 0.62 },
        { transform: place(left, gate.top - to.height - CLEAR), opacity: 1, offset: 0.66 },
        { transform: place(to.left, to.top), opacity: 1, offset: 0.94 },
        { transform: place(to.left, to.top), opacity: 0 },
      ],
      { delay, duration: GLIDE, easing: 'linear', fill: 'both' },
    );
    film.move(word, [{ opacity: 0 }, { opacity: 0, offset: 0.88 }, { opacity: 1 }], {
      delay,
      duration: GLIDE,
      easing: 'linear',
    });
  });
  return GLIDE + APART * kept.length;
}

/** Where the sentence and the beats above it are: its box, as wide as its words. */
function gateOf({ headline, eyebrow, say }) {
  const range = document.createRange();
  range.selectNodeContents(headline);
  const { right } = range.getBoundingClientRect();
  const beats = eyebrow.querySelector('[data-sv="beats"]').getBoundingClientRect();
  const { bottom } = headline.getBoundingClientRect();
  const { top, right: end } = say.getBoundingClientRect();
  return { right: Math.max(right, beats.right) + CLEAR, end, top, bottom };
}

/** The left side of a chip's way past the sentence, and how much of it is seen there. */
function way({ right, end }, from, to) {
  const left = Math.max(right, Math.min(from.left, to.left));
  return left + to.width < end ? [left, 1] : [to.left, 0];
}

/** The kept cells of a branch glide to where the text continues. */
export function gather({ film, parts }) {
  for (const row of parts.held.querySelectorAll('[data-sv="held-cells"]')) {
    const kept = [...row.querySelectorAll('[data-cell="kept"]')];
    const guesses = [...row.querySelectorAll('[data-cell="kept"], [data-cell="speculative"]')];
    kept.forEach((cell, at) => {
      const [from, to] = [cell.getBoundingClientRect(), guesses[at].getBoundingClientRect()];
      if (!from.width || (from.left === to.left && from.top === to.top)) return;
      film.move(
        cell,
        [{ transform: 'none' }, { transform: `translate(${to.left - from.left}px, ${to.top - from.top}px)` }],
        { delay: 90 * at, duration: 600, fill: 'none' },
      );
    });
  }
  return 700;
}

/** What is dropped hangs off the end of each cache, last entry first. Returns when all has. */
export function rollBack({ film, parts, root }) {
  const ends = [...parts.held.children].map((row) => {
    if (row.dataset.state !== undefined) return putBack(film, row, root);
    const cells = fallingOf(row);
    const numbers = [row.querySelector('[data-sv="held-count"]')];
    if (row.dataset.model === 'target') numbers.push(root.querySelector('[data-sv="kv-count"]'));
    fall(film, cells);
    const end = DROP + LOOSE * cells.length + FALLS / 2;
    showLoss(film, row, root, end);
    for (const number of numbers.filter((node) => node?.offsetWidth && cells.length)) {
      const copy = film.clone(number, end);
      const { font, color } = getComputedStyle(number);
      Object.assign(copy.style, { font, color, whiteSpace: 'nowrap' });
      film.hide(number, end);
      film.read(
        copy,
        Array.from({ length: cells.length + 1 }, (_, at) => [
          at ? DROP + LOOSE * (at - 1) + FALLS / 2 : 0,
          count(Number(row.dataset.length) + cells.length - at),
        ]),
      );
    }
    return cells.length ? DROP + LOOSE * cells.length + FALLS : 0;
  });
  return Math.max(0, ...ends);
}

/** The cells that are dropped, the last entry first. */
function fallingOf(row) {
  return [...row.querySelectorAll('[data-cell="rolled-back"]')].reverse();
}

function fall(film, cells) {
  cells.forEach((cell, at) =>
    film.move(cell, [GUESS, { ...GUESS, offset: 0.3 }, {}], {
      delay: DROP + LOOSE * at,
      duration: FALLS,
      easing: FALL,
    }),
  );
}

/** How many are dropped, beside their cache and in the foot. */
function showLoss(film, row, root, at) {
  for (const gone of [row.querySelector('[data-sv="held-gone"]'), root.querySelector('[data-sv="kv-gone"]')])
    film.appear(gone, at);
}

/**
 * A running state that read guesses for nothing is thrown away, the copy of it from before flies down, and what is
 * kept is read again. Returns when it has.
 */
function putBack(film, row, root) {
  const [over, back] = row.querySelectorAll('[data-sv="state-way"]');
  if (!back) return 0;
  const cells = fallingOf(over);
  const lost = DROP + LOOSE * cells.length + FALLS / 2;
  const landed = lost + FLIGHT;
  const [saved, copy] = [over, back].map((way) => way.firstElementChild);
  const read = back.children[1].querySelectorAll('li');
  const end = landed + READS * (read.length + 1);
  fall(film, cells);
  showLoss(film, row, root, lost);
  const [stays, struck] = [over.lastElementChild, over.lastElementChild.querySelector('b')];
  film.move(stays, [KEPT, { ...KEPT, offset: 0.5 }, {}], { duration: lost });
  film.move(struck, [WHOLE, { ...WHOLE, offset: 0.5 }, {}], { duration: lost });
  film.hide(copy, landed);
  const [from, to] = [saved, copy].map((box) => box.getBoundingClientRect());
  film.move(
    film.clone(saved, landed),
    [
      { transform: 'none', opacity: 0 },
      { transform: 'none', opacity: 1, offset: 0.15 },
      { transform: `translate(${to.left - from.left}px, ${to.top - from.top}px)`, opacity: 1 },
    ],
    { delay: lost, duration: FLIGHT, fill: 'both' },
  );
  film.appear(back.children[1], landed);
  read.forEach((cell, at) => film.appear(cell, landed + READS * (at + 0.5)));
  film.appear(back.lastElementChild, end);
  film.appear(row.querySelector('[data-sv="state-says"]'), end);
  return end + 200;
}

/** How a box looks while its state may still stay. */
const KEPT = { borderColor: 'var(--state-edge)', ...painted('var(--state-face)') };
const WHOLE = { textDecorationColor: 'transparent' };

/** How a cell looks while its guess may still be accepted. */
const GUESS = {
  translate: '0 0',
  ...painted('var(--sv-draft-fill)'),
  borderColor: 'var(--sv-draft-edge)',
  color: 'var(--sv-draft-ink)',
  textDecorationColor: 'transparent',
};

/**
 * motion-check.js: the target answers. The bars are as the draft model left them while one line falls
 * through all columns; then p's numbers come, the rows take the order of both laws, green grows inside
 * amber, blue is added; and only then what follows from that: the equation and the ruler.
 */

import { pourOut } from '../draw/draw-pour.js';

const [SWEEP, NUMBERS, ORDER, GROW, MORE] = [800, 560, 360, 420, 380];

/** Plays it; returns when it is over, in milliseconds. */
export function check({ film, parts }) {
  sweep(film, parts);
  const of = (root, selector) => [...root.querySelectorAll(selector)];
  for (const p of of(parts.lane, '[data-sv="numbers"] [data-kind="p"]')) drop(film, p, NUMBERS);
  for (const said of of(parts.trial, '[data-sv="try"] > b')) film.appear(said, NUMBERS);
  for (const p of of(parts.rows, '[data-sv="value"][data-kind="p"]')) film.appear(p, SWEEP, 260);
  const ordered = SWEEP + 300 + order(film, [...parts.bars.children], SWEEP + 300);
  const grown = grow(film, parts, ordered);
  pourOut(film, parts);
  const [terms, beside] = parts.sum.children;
  for (const node of [terms, beside, parts.rulerTitle, parts.segments, parts.rulerUnder])
    film.appear(node, grown, 260);
  for (const part of of(parts.lane, '[data-sv="strip"] i')) film.appear(part, grown, 260);
  return grown + 260;
}

function sweep(film, { lane, sweep: line }) {
  film.move(
    line,
    [
      { opacity: 0, transform: 'translateY(-1.6rem)' },
      { opacity: 1, offset: 0.15 },
      { opacity: 1, offset: 0.85 },
      { opacity: 0, transform: `translateY(${lane.clientHeight - 20}px)` },
    ],
    { duration: SWEEP, easing: 'cubic-bezier(.4, 0, .6, 1)' },
  );
}

function drop(film, node, delay) {
  film.move(
    node,
    [
      { opacity: 0, transform: 'translateY(-.4rem)' },
      { opacity: 1, transform: 'none' },
    ],
    { delay, duration: 260 },
  );
}

/** The rows are in q's order until `at`, then take their own. Returns how long that takes. */
function order(film, rows, at) {
  const tops = rows.map((row) => row.getBoundingClientRect().top);
  const byQ = rows
    .map((row, index) => ({
      index,
      q: Number(row.dataset.score ?? row.dataset.q ?? 0),
      rest: Boolean(row.dataset.rest),
    }))
    .sort((one, other) => one.rest - other.rest || other.q - one.q || one.index - other.index);
  let moves = 0;
  byQ.forEach(({ index }, place) => {
    if (index === place) return;
    moves = ORDER;
    film.move(
      rows[index],
      [{ transform: `translateY(${tops[place] - tops[index]}px)` }, { transform: 'none' }],
      { delay: at, duration: ORDER },
    );
  });
  return moves;
}

/** Green grows inside amber, then blue is added, and amber keeps what is left of it. Returns when. */
function grow(film, { bars, figure }, at) {
  const all = (kind) => [...bars.querySelectorAll(`[data-sv="bar"] > [data-kind="${kind}"]`)];
  const shown = all('overlap').some(({ hidden }) => !hidden);
  const added = shown ? at + GROW + 80 : at;
  for (const bar of all('overlap')) widen(film, bar, at);
  for (const bar of all('p')) widen(film, bar, added, MORE);
  for (const bar of all('raw-p')) widen(film, bar, at);
  for (const bar of all('before')) film.appear(bar, added + MORE);
  if (figure.dataset.mode === 'noise' || figure.dataset.mode === 'apart') return added + MORE + 60;
  for (const bar of all('q')) film.hide(bar, added);
  for (const bar of all('guess')) {
    film.move(
      bar,
      [
        { opacity: 1, top: '0' },
        { opacity: 1, top: '0', offset: 0.999 },
        { opacity: 0, top: '50%' },
      ],
      { duration: added, easing: 'linear' },
    );
  }
  return added + MORE + 60;
}

/** A bar grows from its axis. */
export function widen(film, bar, delay, duration = GROW) {
  film.move(
    bar,
    [
      { transform: 'scaleX(0)', transformOrigin: 'left' },
      { transform: 'none', transformOrigin: 'left' },
    ],
    { delay, duration },
  );
}

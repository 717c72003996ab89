/**
 * plots.js: two log-log plots of a whole vocabulary as geometry: probability against rank, and p against q.
 * Pure: from the rows and rank points of specviz/ui/rows.py to coordinates in a box of SIZE, y growing
 * downwards. What is below 1e-8, zero included, sits on the floor, and the lowest tick says so.
 */

import { count, number, show } from '../../base/format.js';
import { words } from '../words.js';

export const SIZE = { width: 330, height: 230 };
/** Where the axes run. */
export const FRAME = { left: 58, right: 318, top: 24, bottom: 190 };
const DECADES = 8;
/** Ticks of a rank axis with more decades than this would touch each other. */
const CROWDED = 4;
/** How far a line's name stands above or below it. */
const ABOVE = 8;
const BELOW = 18;

const across = (share) => tenths(FRAME.left + share * (FRAME.right - FRAME.left));
const up = (share) => tenths(FRAME.bottom - share * (FRAME.bottom - FRAME.top));

/** Where a probability stands on its axis: 0 on the floor, 1 at probability 1. */
function share(probability) {
  return probability > 0 ? Math.max(0, 1 + Math.log10(probability) / DECADES) : 0;
}

/**
 * ranks: { p, q }, each [[rank, probability], ...] over the same ranks, q null where nothing was guessed.
 * The plot: { label, names: [x, y], ticks: { x, y }, lines: [{ kind, points: [[x, y], ...], at: [x, y] }]
 * }; `at` is where the line's name goes: where the two are far apart, outside both.
 */
export function rankPlot({ p, q }) {
  const last = p.at(-1)[0];
  const x = (rank) => across(last > 1 ? Math.log10(rank) / Math.log10(last) : 0);
  const drawn = (kind, law) => ({ kind, points: law.map(([rank, value]) => [x(rank), up(share(value))]) });

  return {
    label: words.vocabulary.ranked[q ? 'both' : 'p']({ size: count(last), ...ends(p, q) }),
    names: [words.vocabulary.rank, words.vocabulary.probability],
    ticks: { x: decades(last).map((rank) => [x(rank), count(rank)]), y: probabilities(up) },
    lines: named(q ? [drawn('p', p), drawn('q', q)] : [drawn('p', p)]),
  };
}

/**
 * rows: [[token, text, p, q], ...]. The plot: { label, names, ticks, points: [{ token, x, y, title }],
 * diagonal }.
 */
export function scatterPlot(rows) {
  const more = rows.filter(([, , p, q]) => p > q).length;
  const less = rows.filter(([, , p, q]) => p < q).length;
  return {
    label: words.vocabulary.scatterLabel({ many: count(rows.length), more: count(more), less: count(less) }),
    names: ['q', 'p'],
    ticks: { x: probabilities(across), y: probabilities(up) },
    points: rows.map(([token, text, p, q]) => ({
      token,
      x: across(share(q)),
      y: up(share(p)),
      title: words.vocabulary.point({ token: show(text), p: number(p), q: number(q) }),
    })),
    diagonal: [
      [across(0), up(0)],
      [across(1), up(1)],
    ],
  };
}

/** The first and the last probability of one or two distributions, as the message that names them has them. */
function ends(p, q) {
  const [first, last] = [p[0], p.at(-1)].map(([, value]) => number(value));
  return q ? { first, last, qFirst: number(q[0][1]), qLast: number(q.at(-1)[1]) } : { first, last };
}

function probabilities(place) {
  return [0, 2, 4, 6, 8].map((power) => [
    place(1 - power / DECADES),
    power ? `${power === DECADES ? '≤ ' : ''}1e−${power}` : '1',
  ]);
}

/** 1, 10, 100 and so on, no larger than the last rank. */
function decades(last) {
  const most = Math.floor(Math.log10(last) + 1e-9);
  const all = Array.from({ length: most + 1 }, (_, power) => 10 ** power);
  return all.filter((_, power) => most <= CROWDED || power % 2 === 0);
}

/**
 * Names the lines where they are furthest apart and clear of the floor: the upper above itself, the lower
 * below.
 */
function named(lines) {
  const rows = lines[0].points.map((_, at) => lines.map(({ points }) => points[at][1]));
  const clear = rows.map((ys) =>
    Math.min(FRAME.bottom - Math.max(...ys), ys.length > 1 ? Math.abs(ys[0] - ys[1]) : Infinity),
  );
  const at = clear.indexOf(Math.max(...clear));
  const top = Math.min(...rows[at]);
  return lines.map((line, index) => {
    const [x, y] = line.points[at];
    const lower = lines.length > 1 && (y > top || (index === 1 && rows[at][0] === rows[at][1]));
    const beside = lower ? Math.min(y + BELOW, FRAME.bottom - ABOVE / 2) : Math.max(y - ABOVE, FRAME.top);
    return { ...line, at: [Math.max(x, FRAME.left + ABOVE), tenths(beside)] };
  });
}

function tenths(value) {
  return Math.round(10 * value) / 10;
}

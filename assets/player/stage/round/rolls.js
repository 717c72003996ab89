/**
 * rolls.js: the rule played again and again with the p and q of a figure: each time a guess is drawn from q and tested,
 * and where it is rejected a token is drawn from what is left of p. Pure.
 */

import { Z95, numbersOf, sum } from '../../base/statistics.js';

export const ROLLS = 1000;

/** A row drawn with the chances that a column of the rows gives, of any sum. */
function drawnFrom(rows, column, u) {
  let left = u * sum(rows.map((row) => row[column]));
  return rows.find((row) => (left -= row[column]) < 0) ?? rows.at(-1);
}

/**
 * The figure after so many of all the rolls: each row's bar is its share of them, of accepted guesses and of
 * replacements, beside its p, which stands in the column of q too. accepted: how many guesses were.
 */
export function rolled(figure, seed, many) {
  const number = numbersOf(seed);
  const { rows } = figure;
  const [accepted, replaced] = [new Map(), new Map()];
  const add = (counts, row) => counts.set(row, (counts.get(row) ?? 0) + 1);
  for (let roll = 0; roll < many; roll += 1) {
    const guess = drawnFrom(rows, 'q', number());
    if (number() * guess.q < guess.overlap) add(accepted, guess);
    else add(replaced, drawnFrom(rows, 'residual', number()));
  }
  const share = (counts, row) => (counts.get(row) ?? 0) / ROLLS;
  const piled = rows.map((row) => {
    const [overlap, residual] = [share(accepted, row), share(replaced, row)];
    return { ...row, p: overlap + residual, q: row.p, overlap, residual, before: row.p, dart: null };
  });
  return { ...figure, mode: 'rolled', rows: piled, accepted: sum([...accepted.values()]) };
}

/** How far from p a share of all the rolls is no more than 95 times in 100. */
export function reachOf(p) {
  return Z95 * Math.sqrt((p * (1 - p)) / ROLLS);
}

/**
 * cells.js: the cells of a sweep added up, as several tabs show them. Pure. A cell is Measurement of
 * specviz/lab/measured.py.
 */

import { share, sum } from '../base/statistics.js';

/**
 * Cells added up: { runs, kept, tested, alpha, low, high, perPass, speedup, check }; alpha and its ends are
 * null if nothing was tested; check is what one takes, in plain steps.
 */
export function added(cells) {
  const total = (of) => sum(cells.map(of));
  const {
    part: kept,
    whole: tested,
    value: alpha,
    low,
    high,
  } = share(
    total(({ accepted }) => accepted),
    total((cell) => cell.tested),
  );
  const perPass = total(({ tokens }) => tokens.length) / total(({ gammas }) => gammas.length);
  return {
    runs: cells.length,
    kept,
    tested,
    alpha,
    low,
    high,
    perPass,
    check: (perPass * total(({ verify }) => verify)) / total(({ plain }) => plain),
    speedup: total(({ plain }) => plain) / total(({ draft, verify, rest }) => draft + verify + rest),
  };
}

/**
 * cells.js: the cells of a sweep added up, as several tabs show them. Pure. A cell is Measurement of
 * specviz/lab/measured.py.
 */

import { share, sum } from '../base/statistics.js';

/**
 * Cells added up: { runs, kept, tested, alpha, low, high, perPass, speedup, check,
 * drafting, own }; alpha and its ends are
 * null if nothing was tested; check, drafting and own are what a
 * target pass, the guesses for it and all else take, in plain steps.
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
  const inSteps = (of) => (perPass * total(of)) / total(({ plain }) => plain);
  return {
    runs: cells.length,
    kept,
    tested,
    alpha,
    low,
    high,
    perPass,
    check: inSteps(({ verify }) => verify),
    drafting: inSteps(({ draft }) => draft),
    own: inSteps(({ rest }) => rest),
    speedup: total(({ plain }) => plain) / total(({ draft, verify, rest }) => draft + verify + rest),
  };
}

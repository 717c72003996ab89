/**
 * sums-lengths.js: what guesses bring after longer texts: acceptance as it was recorded, at the costs that were
 * measured after so many tokens. Pure arithmetic (arXiv:2211.17192, theorem 3.8).
 */

import { inSteps, speedup } from '../../base/theory.js';
import { sum } from '../../base/statistics.js';
import { isChain } from '../../trace/timeline.js';
import { acceptedOf } from './sums-slots.js';

/** Other drafters to look at: one that reads nothing of a long text again, and one that reads all of it. */
const BESIDE = ['prompt-lookup', 'small-model'];

/** { drafter: α }: of the run on stage, if it guesses chains, and of others as labs recorded them with its pair. */
export function ratesOf({ info: { config }, rounds }, labs) {
  const rates = {};
  const own = rounds.every(isChain) ? acceptedOf(rounds).all.value : null;
  if (own !== null) rates[config.drafter] = own;
  const reports = labs.flatMap((lab) =>
    lab?.config.pair === config.pair ? Object.values(lab.answers).flat() : [],
  );
  for (const drafter of BESIDE) {
    const cells = reports.flatMap(({ cell }) => (cell?.config.drafter === drafter ? cell : []));
    const [kept, tested] = ['accepted', 'tested'].map((name) => sum(cells.map((cell) => cell[name])));
    if (tested) rates[drafter] ??= kept / tested;
  }
  return rates;
}

/** By drafter of rates: [{ drafter, rows: [{ drafter, behind, cost: of a plain step, speedup }] }]. */
export function lengthsOf(cells, rates, gamma) {
  const stepAt = (place) =>
    Math.min(...cells.filter(({ behind }) => behind === place).map(({ costs }) => costs.passes[0]));
  const row = ({ drafter, behind, costs }) => {
    const { c, v, overhead } = inSteps(costs);
    const times = speedup(rates[drafter], gamma, c, v(gamma + 1), overhead);
    return { drafter, behind, cost: stepAt(behind) / stepAt(cells[0].behind), speedup: times };
  };
  const rowsOf = (drafter) => cells.filter((cell) => cell.drafter === drafter).map(row);
  const lines = Object.keys(rates).map((drafter) => ({ drafter, rows: rowsOf(drafter) }));
  return lines.filter(({ rows }) => rows.length);
}

/**
 * reason.js: how fast a run was, with the range of its laps, and why, with its own numbers. Pure.
 */

import { factor, multiple, number, share } from '../base/format.js';
import { words } from '../words/words.js';
import { costsOf, resultOf } from './race.js';

/** The speed of a raced run and its reason; where its laps fall on both sides of plain decoding, none is given. */
export function paceLine(trace) {
  const { low, high, verdict } = resultOf(trace);
  const costs = costsOf(trace);
  return words.result.pace[verdict]({
    live: Boolean(trace.live),
    times: multiple(costs.measured),
    low: factor(low),
    high: factor(high),
    reason: reasonLine(costs, verdict),
  });
}

/**
 * Why a run was as fast as it was; '' where it was neither surely faster nor slower.
 * @param {import('./race.js').Costs} costs
 */
export function reasonLine(
  { gamma, rows, c, v, alpha, siblings, teaching, perRound, measured, breakEven },
  verdict,
) {
  const { reason } = words.result;
  const steps = (value) => number(value, 2);
  if (verdict === 'same') return '';
  if (verdict === 'faster')
    return reason.faster({ whole: steps(perRound / measured), perRound: steps(perRound) });
  if (gamma === 0) return reason.nothing({ v: steps(v) });
  const most =
    gamma * c > v
      ? reason.drafting({ guesses: gamma, steps: steps(gamma * c), v: steps(v) })
      : reason.pass({ rows, v: steps(v) });
  const never = breakEven.why === 'never';
  const least = breakEven.alpha > alpha ? share(breakEven.alpha) : null;
  return [
    most,
    teaching === null ? '' : reason.teaching({ steps: steps(teaching) }),
    reason.accepted({ alpha: share(alpha), places: siblings !== null }),
    never ? reason.never : least ? reason.needed({ alpha: least }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}

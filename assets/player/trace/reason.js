/**
 * reason.js: why a run was as fast as it was, in one sentence with its own numbers. Pure.
 */

import { number } from '../base/format.js';
import { words } from '../words/words.js';

/** @param {import('./race.js').Costs} costs */
export function reasonLine(costs) {
  const { gamma, rows, c, v, alpha, siblings, teaching, perRound, measured, breakEven } = costs;
  const { reason } = words.result;
  if (measured >= 1) return reason.faster({ whole: number(perRound / measured), perRound: number(perRound) });
  if (gamma === 0) return reason.nothing({ v: number(v) });
  const least = number(breakEven.alpha ?? 0);
  const against =
    breakEven.why === 'never'
      ? reason.never
      : breakEven.alpha > alpha
        ? reason.needed({ alpha: least })
        : reason.enough({ alpha: least });
  const most =
    gamma * c > v
      ? reason.drafting({ guesses: gamma, steps: number(gamma * c), v: number(v) })
      : reason.pass({ rows, v: number(v) });
  return reason.slower({
    most: teaching === null ? most : most + reason.teaching({ steps: number(teaching) }),
    alpha: number(alpha),
    places: siblings !== null,
    needed: against,
  });
}

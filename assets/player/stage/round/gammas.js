/**
 * gammas.js: how many tokens each round guessed, and what moved that number. Pure.
 */

import { number } from '../../base/format.js';
import { mean } from '../../base/statistics.js';
import { offeredOf } from '../../trace/timeline.js';
import { words } from '../words.js';
import { sentences, tell } from '../../words/words.js';

/**
 * Mean entropy of q in nats, as the γ rule saw it: over the first guess of each depth; null where there was none.
 */
export function entropyOf({ glances, verdicts }) {
  const firsts = new Map(verdicts.toReversed().map(({ depth, q_entropy: entropy }) => [depth, entropy]));
  return mean(glances.length ? glances.map(({ entropy }) => entropy) : [...firsts.values()]);
}

/** Why a round guessed this many tokens, in the words of the rule. */
export function reasonOf({ halt, budget }) {
  return halt?.reason ?? budget.reason;
}

/**
 * What a rule made of γ in a round: `part`, { made, of } where it offered fewer than γ, else null; `stop`, why a
 * chain ends where it does; `goesOn`, what a rule waits for that looks at each guess. Both are '' where γ is always
 * the same.
 */
export function offeredBy(round, { config: { gamma }, controller }) {
  const { halt, budget } = round;
  const made = offeredOf(round);
  const rules = !['fixed', 'none'].includes(controller) && (halt || made === budget.depth);
  return {
    part: rules && made < gamma ? { made, of: gamma } : null,
    stop: rules ? tell(reasonOf(round)) : '',
    goesOn: rules && /\.most$/.test(budget.reason?.code ?? '') ? tell(budget.reason) : '',
  };
}

/** A summary of a round in one line. */
export function summaryOf(round) {
  const entropy = entropyOf(round);
  return sentences([
    words.gamma.round({ round: round.index + 1, guessed: round.verdicts.length, kept: round.path.length }),
    words.gamma.because({ reason: tell(reasonOf(round)) }),
    entropy === null ? '' : words.gamma.entropy({ nats: number(entropy) }),
  ]);
}

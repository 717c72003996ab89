/**
 * gammas.js: how many tokens each round guessed, what moved that number, and what another rule would have
 * done. Pure.
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
 * A summary of a round in one line. ghost: what another rule would have done, { name, asked: [[gamma,
 * reason, signal, unknown]] }, or null.
 */
export function summaryOf(round, ghost) {
  const entropy = entropyOf(round);
  const [gamma, reason, , unknown] = ghost?.asked[round.index] ?? [];
  return sentences([
    words.gamma.round({ round: round.index + 1, guessed: round.verdicts.length, kept: round.path.length }),
    words.gamma.because({ reason: tell(reasonOf(round)) }),
    entropy === null ? '' : words.gamma.entropy({ nats: number(entropy) }),
    gamma === undefined ? '' : words.gamma.ghost({ name: ghost.name, gamma, unknown, reason: tell(reason) }),
  ]);
}

/** The rules that can be asked about a run under `rule`. */
export function rulesBut(rules, rule) {
  return rules.filter(({ name }) => name !== rule);
}

/** The run's γ and the ghost's over the rounds, as a figure (figure.js). rule: the name of the run's rule. */
export function ghostFigure(rounds, ghost, rule) {
  const { name } = ghost;
  const asked = ghost.asked.slice(0, rounds.length);
  const [drawn, would] = [rounds.map(offeredOf), asked.map(([gamma]) => gamma)];
  const point = (gamma, reason) => words.ghost.point({ gamma, reason: tell(reason) });
  const x = asked.map((_, index) => index + 1);
  const series = { x, kind: 'steps' };
  const about = {
    drawn: rounds.map((round) => point(offeredOf(round), reasonOf(round))),
    would: asked.map(([gamma, reason]) => point(gamma, reason)),
  };
  return {
    title: words.ghost.chart({ name }),
    says: words.ghost.says({
      name,
      own: rule,
      would: number(mean(would)),
      drawn: number(mean(drawn)),
      same: would.filter((gamma, index) => gamma === drawn[index]).length,
      rounds: asked.length,
      open: asked.filter(([, , , unknown]) => unknown).length,
    }),
    x: words.ghost.round,
    y: words.ghost.guesses,
    series: [
      { ...series, name: rule, y: drawn.slice(0, x.length), colour: 'q-edge', about: about.drawn },
      { ...series, name, y: would, colour: 'ink', dash: 'dash', about: about.would },
    ],
    table: {
      columns: ['round', 'guessed', 'would_have_guessed', 'at_most', 'reason'],
      rows: asked.map(([gamma, reason, , unknown], at) => [x[at], drawn[at], gamma, unknown, tell(reason)]),
    },
    raw: {
      rule,
      asked: name,
      rounds: asked.map(([gamma, reason, signal, unknown], at) => ({
        round: x[at],
        guessed: drawn[at],
        gamma,
        reason,
        signal,
        unknown,
      })),
    },
  };
}

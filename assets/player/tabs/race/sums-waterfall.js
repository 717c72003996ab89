/**
 * sums-waterfall.js: from the most a round could yield down to the measured speed-up, one loss after the
 * other. Pure. Costs are per round, in plain steps, a plain step being the median plain run's time per
 * token:
 * γ + 1            every guess accepted, drafting, wider passes and all else free; where a rule moves γ,
 * its mean
 * n                tokens a round really yielded
 * n / (1 + d)      with the time of its draft passes, d
 * n / (v + d)      with what its target pass over several tokens takes, v, instead of one step
 * n / (v + d + o)  with all else a round takes, o: the measured speed-up
 */

import { median, sum } from '../../base/statistics.js';
import { drafting } from '../../trace/story.js';
import { costsOf } from '../../trace/race.js';
import { offeredOf } from '../../trace/timeline.js';

/** Guesses per round, of a fixed γ or on average. */
function intendedGuesses({ info: { config, controller }, rounds }) {
  return controller !== 'none' && config.gamma_rule === 'fixed'
    ? config.gamma
    : sum(rounds.map(offeredOf)) / rounds.length;
}

/**
 * [{ name, from, to }]: `rejections`, `drafting`, `wider`, `own`; each begins where the one before ends,
 * the last one ends at the measured speed-up. A step that gains goes up. `unsized`: rejections where there
 * is no γ; `taught`: an own cost in which a drafter learns.
 */
export function waterfall(trace) {
  const { race } = trace;
  const { perRound, each, teaching } = costsOf(trace);
  const mean = (times) => sum(times) / race.rounds.length / each.plain;
  const d = mean(race.rounds.map(({ draft }) => drafting(draft)));
  const v = mean(race.rounds.map(({ verify }) => verify));
  const roundCost = median(race.laps) / race.rounds.length / each.plain;
  const levels = [
    intendedGuesses(trace) + 1,
    perRound,
    perRound / (1 + d),
    perRound / (v + d),
    perRound / roundCost,
  ];
  return [
    trace.info.controller === 'none' ? 'unsized' : 'rejections',
    'drafting',
    'wider',
    teaching === null ? 'own' : 'taught',
  ].map((name, index) => ({ name, from: levels[index], to: levels[index + 1] }));
}

/**
 * A level as it is printed. Levels are rounded, and losses are taken between those, so that what is printed
 * adds up.
 */
export const printed = (level) => Number(level.toFixed(2));

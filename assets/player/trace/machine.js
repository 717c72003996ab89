/**
 * machine.js: a raced run, or a measured method, on another machine: the same words, the same guesses,
 * what they cost there. Pure.
 */

import { median, sum } from '../base/statistics.js';
import { levelTimes } from './timeline.js';

/**
 * A large model on a GPU, in plain steps, by the textbook: a step takes as long as reading the weights, whatever the
 * number of tokens (Llama-2-70B on an A100, see the article), so a check costs one and a guess of the 7B model of the
 * same family a tenth. A guess that costs less where it was measured is a copy, and costs no more there.
 */
const LARGE = { check: 1, guess: 0.1 };

/**
 * What is measured of a method, see tabs/methods/sums.js, on that machine.
 * @template {{ tokens: number, speedup: number, low: number, high: number, cost: number,
 * drafting: number, levels: number }} Result
 * @param {Result} result
 */
export function resultThere(result, share) {
  const { tokens, speedup, low, high, drafting, levels } = result;
  const there = LARGE.check + Math.min(drafting, LARGE.guess * levels);
  const cost = (1 - share) * result.cost + share * there;
  const times = tokens / cost / speedup;
  return { ...result, cost, speedup: tokens / cost, low: low * times, high: high * times };
}

const spent = ({ draft, verify, accept, trim, overhead }) =>
  sum(draft.map(({ ms }) => ms)) + verify + accept + trim + overhead;

/**
 * The run's race in plain steps. share: 0 as it was measured, 1 on the large machine; between them costs change
 * evenly.
 * @param {import('./feed.js').Trace} trace one with a race
 */
export function onMachine({ race, rounds }, share) {
  const t1 = median(race.passes);
  const mixed = (ms, there) => (1 - share) * (ms / t1) + share * there;
  const timings = race.rounds.map((round, index) => {
    const levels = levelTimes(round.draft, rounds[index]);
    return {
      draft: levels.map((ms) => ({ ms: mixed(ms, Math.min(ms / t1, LARGE.guess)) })),
      verify: mixed(round.verify, LARGE.check),
      accept: mixed(round.accept, 0),
      trim: mixed(round.trim, 0),
      overhead: mixed(round.overhead, 0),
      reread: mixed(round.reread ?? 0, 0),
    };
  });
  const passes = race.passes.map((ms) => mixed(ms, 1));
  const lap = sum(timings.map(spent));
  return { ...race, passes, rounds: timings, laps: [lap], plain_laps: [sum(passes)] };
}

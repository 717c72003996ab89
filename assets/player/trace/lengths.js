/**
 * lengths.js: how fast a raced run would have been with another draft length, from its own acceptance by place and
 * its own costs. Pure.
 */

import { median, sum } from '../base/statistics.js';
import { costsOf } from './race.js';
import { isChain, levelTimes, offeredOf, testedOf } from './timeline.js';

/** The longest draft that is weighed. */
const MOST = 8;
/** Fewer tests of a place lean on all places together. */
const FEW = 5;

/**
 * By draft length from 1 to MOST, { tokens: of a round, reached: how often the guess at each place would be
 * accepted }; null where the rounds do not tell: other shapes than chains, another γ rule than a fixed one, a drafter
 * that mostly guesses less than it is asked for.
 */
export function byPlace({ info, rounds }) {
  const { gamma_rule: rule, gamma } = info.config;
  const whole = rounds.filter((round) => offeredOf(round) === gamma).length;
  if (rule !== 'fixed' || !gamma || !rounds.every(isChain) || 2 * whole < rounds.length) return null;
  const chances = chancesOf(rounds);
  const reached = chances.map((_, place) =>
    chances.slice(0, place + 1).reduce((all, chance) => all * chance),
  );
  return reached.map((_, place) => ({
    tokens: 1 + sum(reached.slice(0, place + 1)),
    reached: reached.slice(0, place + 1),
  }));
}

/**
 * The same of a raced run, with speedup: times plain decoding. The run's own length has its measured speed-up; the
 * others differ from it as theory says, arXiv:2211.17192, theorem 3.8, with the acceptance of each place, the time of
 * each place's guess, and a pass whose cost rises evenly with its tokens.
 */
export function byLength(trace) {
  const places = byPlace(trace);
  if (!places) return null;
  const { gamma } = trace.info.config;
  const { t1, v, overhead, measured } = costsOf(trace);
  const drafts = draftsOf(trace).map((ms) => ms / t1);
  const predicted = (length) => {
    const pass = 1 + ((v - 1) * length) / gamma;
    return places[length - 1].tokens / (sum(drafts.slice(0, length)) + pass + overhead);
  };
  const own = measured / predicted(gamma);
  return places.map((each, place) => ({ ...each, speedup: own * predicted(place + 1) }));
}

/** The length that is fastest by `byLength`: { gamma, speedup }, or null. */
export function bestLength(trace) {
  const speeds = byLength(trace)?.map(({ speedup }) => speedup);
  if (!speeds) return null;
  const speedup = Math.max(...speeds);
  return { gamma: 1 + speeds.indexOf(speedup), speedup };
}

/** How often a guess is accepted at each place of a draft, once all before it are accepted. */
function chancesOf(rounds) {
  const places = Array.from({ length: MOST }, (_, place) => ({
    tested: rounds.filter((round) => testedOf(round).length > place).length,
    kept: rounds.filter(({ path }) => path.length > place).length,
  }));
  const all = sum(places.map(({ kept }) => kept)) / (sum(places.map(({ tested }) => tested)) || 1);
  return places.map(({ kept, tested }) => (kept + FEW * all) / (tested + FEW));
}

/**
 * Milliseconds of the guess at each place of a draft: the first is the dearest. Later than the run went, as
 * its last.
 */
function draftsOf({ race, rounds }) {
  const rows = race.rounds.map(({ draft }, index) => levelTimes(draft, rounds[index]));
  const timed = Array.from({ length: MOST }, (_, place) =>
    median(rows.flatMap((row) => row.slice(place, place + 1))),
  );
  return timed.map((ms) => ms ?? timed.findLast((other) => other !== null));
}

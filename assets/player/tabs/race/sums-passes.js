/**
 * sums-passes.js: what a target pass over several tokens costs, against one over one token. Pure. Times are
 * milliseconds.
 */

import { isChain } from '../../trace/timeline.js';
import { median, mode, sum } from '../../base/statistics.js';
import { inSteps } from '../../base/theory.js';

/**
 * Measured passes, null before they are: { widths, passes: medians, steps: laps in passes over one token,
 * v(width) }. A lap is divided by its own, so that a slow moment of the machine cancels.
 */
export function passesOf({ widths, passes }) {
  if (!widths.length) return null;
  const steps = passes.map((laps) => laps.map((lap, index) => lap / passes[0][index]));
  return {
    widths,
    passes: passes.map(median),
    steps,
    v: inSteps({ draft: 0, rest: 0, widths, passes: steps.map(median) }).v,
  };
}

/** Tokens in a pass of a run's rounds: the guesses of its trees, its scouts, and one; of chains γ + 1. */
export function rowsOf({ rounds }, gamma) {
  return (
    1 +
    (mode(
      rounds
        .filter((round) => !isChain(round) || round.scouts?.length)
        .map(({ verdicts, scouts = [] }) => verdicts.length + scouts.length),
    ) ?? gamma)
  );
}

/** The ends of the middle laps: the second least and the second most, or all there is of fewer than four. */
export function middle(laps) {
  const sorted = [...laps].sort((a, b) => a - b);
  const cut = sorted.length < 4 ? 0 : 1;
  return [sorted[cut], sorted[sorted.length - 1 - cut]];
}

/**
 * The broken stick that fits best, relative errors squared: level up to the knee, a line from there. {
 * knee: one of x, level, slope, at(x) }; the knee is the last x where nothing rises.
 */
export function stick(x, y) {
  const sticks = x.map((knee, index) => {
    const level = median(y.slice(0, index + 1));
    const beyond = x.slice(index + 1).map((each, at) => [each - knee, y[index + 1 + at] - level]);
    const square = sum(beyond.map(([run]) => run * run));
    const slope = square ? Math.max(0, sum(beyond.map(([run, rise]) => run * rise)) / square) : 0;
    const at = (each) => level + slope * Math.max(0, each - knee);
    return {
      knee,
      level,
      slope,
      at,
      error: sum(x.map((each, place) => ((at(each) - y[place]) / y[place]) ** 2)),
    };
  });
  return sticks.reduce((best, each) => (each.error < best.error ? each : best));
}

/**
 * sums-strategies.js: plain decoding, a fixed γ and one that adapts, on a few prompts: what is asked for
 * and what came of it. Pure.
 */

import { measured } from './sums.js';
import { median } from '../../base/statistics.js';
import { TRIED } from '../prompts.js';

/** Seeds each of them is measured with. */
export const LAPS = 3;
export const TOKENS = 48;
const GAMMA = 4;
export const WAYS = ['fixed', 'adaptive'];
/** The γ rule that is offered first. */
export const FIRST = 'throughput';

/**
 * Every run to be measured, seed by seed so that one given up early leaves whole laps: { prompt, way,
 * changes }, prompt being its place. base: the config of the run on stage; rule: the adaptive one.
 */
export function planOf(base, rule) {
  const rules = { fixed: 'fixed', adaptive: rule };
  return Array.from({ length: LAPS }).flatMap((_, lap) =>
    TRIED.flatMap(({ prompt }, index) =>
      WAYS.map((way) => ({
        prompt: index,
        way,
        changes: {
          prompt,
          seed: base.seed + lap,
          max_new_tokens: TOKENS,
          gamma: GAMMA,
          gamma_rule: rules[way],
          gamma_params: way === 'adaptive' && rule === base.gamma_rule ? base.gamma_params : {},
        },
      })),
    ),
  );
}

/** How many of the cells make whole laps. */
export function wholeLaps(cells) {
  const lap = TRIED.length * WAYS.length;
  return Math.floor(cells.length / lap);
}

/**
 * What whole laps of cells say, prompt by prompt: { baseline: { rate }, fixed: { rate, speedup }, adaptive:
 * likewise }, each { value: the median, low, high }. The baseline's is over all turns it took.
 */
export function outcomes(plan, cells) {
  const runs = cells
    .slice(0, wholeLaps(cells) * TRIED.length * WAYS.length)
    .map((cell, index) => ({ ...plan[index], cell, cost: measured([cell]) }));
  return TRIED.map((_, prompt) => {
    const ofPrompt = runs.filter((run) => run.prompt === prompt);
    const of = (way) => ofPrompt.filter((run) => run.way === way).map(({ cost }) => cost);
    return {
      baseline: { rate: range(ofPrompt.map(({ cell }) => (1000 * cell.tokens.length) / cell.plain)) },
      ...Object.fromEntries(
        WAYS.map((way) => [
          way,
          {
            rate: range(of(way).map(({ rate }) => rate)),
            speedup: range(of(way).map(({ speedup }) => speedup)),
          },
        ]),
      ),
    };
  });
}

function range(values) {
  return { value: median(values), low: Math.min(...values), high: Math.max(...values) };
}

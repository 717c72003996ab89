/**
 * lanes.js: chosen methods lane by lane: each continues with the prompt on stage, one after the other, and is
 * drawn when it arrives.
 */

import { settingsOf } from './sums.js';
import { decoded, letter } from './sums-lanes.js';
import { createComparison } from './draw-lanes.js';
import { words } from '../words.js';

/** Tokens a lane writes at most. */
const LONGEST = 64;

/** { node, clear(), job(trace, rows) }: job is what tab.js has measured, of rows as it makes them. */
export function createLanes() {
  const comparison = createComparison();
  comparison.draw([], true);
  return {
    node: comparison.node,
    clear: () => comparison.draw([], true),
    job({ run, info: { config } }, rows) {
      const lanes = rows.map(({ title }, index) => ({
        letter: letter(index),
        title,
        tokens: null,
        refused: null,
      }));
      const over = rows.map((row) => ({
        ...settingsOf(row),
        prompt: config.prompt,
        max_new_tokens: Math.min(LONGEST, config.max_new_tokens),
      }));
      comparison.draw(lanes, false);
      return {
        question: { run, job: 'lanes', over },
        waits: words.compare.waiting,
        onReport(report) {
          const { done, of, refused } = report;
          if (done)
            Object.assign(lanes[done - 1], refused === undefined ? decoded(report, config) : { refused });
          comparison.draw(lanes, false);
          return [words.compare.done({ done: String(done), of: String(of) }), done / of];
        },
        end: () => comparison.draw(lanes, true),
      };
    },
  };
}

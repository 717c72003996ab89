/**
 * cached.js: says why guesses can gain only so much where the target's weights stay in the processor's
 * cache. Pure.
 */

import { number } from '../base/format.js';
import { words } from '../words/words.js';

/** Where weights come from memory, a check takes fewer plain steps than this. */
const LEAST = 1.25;

/**
 * The sentence for the built-in pair under the compiled pass, '' for any other. where: { forward: the name
 * of the target's pass, pair, check: what one takes, in plain steps }, measured; beside: the waterfall of
 * Race is in sight.
 */
export function cachedLine({ forward, pair, check }, beside = false) {
  return forward === 'compiled' && pair === 'embedded' && check >= LEAST
    ? words.cached({ steps: number(check), beside })
    : '';
}

/**
 * lengths.js: how settings say how much a round guesses. Some drafters leave no length to choose, and γ is not named.
 */

import { plainName } from '../base/format.js';

/** The names of those drafters; none until the catalog is known. */
let free = new Set();

/** drafters: the catalog's entries. */
export function mindLengths(drafters) {
  free = new Set(drafters.filter(({ sized }) => sized === false).map(({ name }) => name));
}

/** Whether γ does nothing for a drafter. */
export function hasNoLength(drafter) {
  return free.has(drafter);
}

/** “, γ = 4” or “, γ by ema”; empty where there is no length. */
export function lengthOf({ drafter, gamma, gamma_rule: by = 'fixed' }) {
  if (free.has(drafter)) return '';
  return by === 'fixed' ? `, γ = ${gamma}` : `, γ by ${plainName(by)}`;
}

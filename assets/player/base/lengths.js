/**
 * lengths.js: which drafters leave no length to choose, so that γ does nothing and nobody names it.
 */

/** The names of those drafters; none until the catalog is known. */
let free = new Set();

/** drafters: the catalog's entries. */
export function mindLengths(drafters) {
  free = new Set(drafters.filter(({ sized }) => sized === false).map(({ name }) => name));
}

/** True if γ does nothing for a drafter. */
export function hasNoLength(drafter) {
  return free.has(drafter);
}

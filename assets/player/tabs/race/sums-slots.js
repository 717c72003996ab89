/**
 * sums-slots.js: how often guesses were accepted, by their place in the draft. Pure.
 */

import { decidingOf, offeredOf, placesOf } from '../../trace/timeline.js';
import { mean, share } from '../../base/statistics.js';

const isKept = ({ verdict }) => verdict === 'accepted';

/**
 * For some rounds, { all, slots }: a share { part, whole, value, low, high } of the tested guesses that were
 * accepted, over all and by place, the latter with overlap, the mean Σ min(p, q) of the guesses that decided.
 */
export function acceptedOf(rounds) {
  const [tested, deciding] = [rounds.flatMap(placesOf), rounds.flatMap(decidingOf)];
  const deepest = Math.max(0, ...rounds.map(offeredOf));
  const shareOf = (places) => share(places.filter(isKept).length, places.length);
  return {
    all: shareOf(tested),
    slots: Array.from({ length: deepest }, (_, slot) => ({
      ...shareOf(tested.filter(({ depth }) => depth === slot)),
      overlap: mean(deciding.filter(({ depth }) => depth === slot).map(({ view }) => view.overlap)),
    })),
  };
}

/**
 * tour-left.js: how long the tour is, and where this browser left it.
 */

import { remembered } from '../../base/memory.js';

/** Stops of a tour that shows everything. */
export const TOUR_STOPS = 9;

/** The stop of the tour at which it was left, counted from 1; 0 where it is not under way. */
export function tourLeftAt() {
  return Number(remembered('tour', (found) => /^[1-9]$/.test(found), '0'));
}

/**
 * moment.js: where in its round a beat stands, and what that makes of each guess.
 * Pure: from a trace and a beat of timeline.js.
 */

import { noDiceOf, refusedOf } from './timeline.js';

/** How far a round has come at a kind of beat. The picture at rest is that of a round that is over. */
export const ORDER = { draft: 0, verify: 1, dart: 2, verdict: 3, residual: 4, replace: 5, bonus: 5, trim: 6, rest: 6 };

/** A beat with its place in the round's order, and why the run draws no random numbers, see noDiceOf. */
export function momentOf(trace, beat) {
  return { ...beat, order: ORDER[beat.kind], noDice: noDiceOf(trace.info.config) };
}

/** Whether the round's verdicts are all in and the target's own token is drawn. */
export function isSettled({ order }) {
  return order >= ORDER.replace;
}

/** The guesses a guess hangs on, from the first of its branch, itself the last. */
export function branchOf({ verdicts }, node) {
  const branch = [];
  for (let at = node; at >= 0; at = verdicts[at].parent) branch.unshift(at);
  return branch;
}

/** The state of a guess at a moment, null while it is still to come. */
export function stateOf({ verdicts }, { kind, slot: now, order }, slot) {
  const last = verdicts.findLastIndex(({ verdict }) => verdict !== 'untested');
  if (order >= ORDER.residual || (kind === 'verdict' && now === last)) return verdicts[slot].verdict;
  if (kind === 'draft') return slot <= now ? 'draft' : null;
  if (kind === 'verify') return 'draft';
  const judged = kind === 'verdict' ? slot <= now : slot < now;
  return judged && verdicts[slot].verdict !== 'untested' ? verdicts[slot].verdict : 'draft';
}

/** Whether the random number that tests a guess has landed. */
export function isThrown({ verdicts }, { order, slot: now }, slot) {
  if (verdicts[slot].verdict === 'untested') return false;
  return order >= ORDER.residual || (order >= ORDER.dart && slot <= now);
}

/**
 * The node a beat is about: a guess, or the target's own token, which is node `verdicts.length`. The check looks at the
 * first guess, the roll-back at the token the round ended with.
 */
export function followed(round, { kind, slot }) {
  const { path, extra, verdicts } = round;
  if (kind === 'replace' || kind === 'bonus') return verdicts.length;
  if (kind === 'residual') return refusedOf(round);
  if (slot !== null) return slot;
  if (kind === 'verify') return 0;
  return extra ? verdicts.length : path.at(-1) ?? 0;
}

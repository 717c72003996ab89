/**
 * moment.js: where in its round a beat stands, and what that makes of each slot.
 * Pure: from a trace and a beat of timeline.js.
 */

/** How far a round has come at a kind of beat. The target's own token comes as a residual or as a bonus, never both. */
export const ORDER = { draft: 0, verify: 1, dart: 2, verdict: 3, residual: 4, bonus: 4, trim: 5 };

/** A beat with its place in the round's order, and why the run throws no dice: `greedy`, `coupled`, or null if it does. */
export function momentOf(trace, beat) {
  const { temperature, rule } = trace.info.config;
  const noDice = temperature === 0 ? 'greedy' : rule === 'coupled' ? 'coupled' : null;
  return { ...beat, order: ORDER[beat.kind], noDice };
}

/** Whether the round's verdicts are all in and the target's own token is drawn. */
export function isSettled({ order }) {
  return order >= ORDER.residual;
}

/** The state of a slot at a moment, null while it is still empty. */
export function stateOf(round, moment, slot) {
  const last = round.verdicts.findLastIndex(({ verdict }) => verdict !== 'untested');
  if (isSettled(moment) || (moment.kind === 'verdict' && moment.slot === last)) return round.verdicts[slot].verdict;
  if (moment.kind === 'draft') return slot <= moment.slot ? 'draft' : null;
  if (moment.kind === 'verify') return 'draft';
  const judged = moment.kind === 'verdict' ? slot <= moment.slot : slot < moment.slot;
  return judged ? round.verdicts[slot].verdict : 'draft';
}

/** Whether a slot's dart has landed. */
export function isThrown(round, moment, slot) {
  if (round.verdicts[slot].verdict === 'untested') return false;
  return isSettled(moment) || (moment.order >= ORDER.dart && slot <= moment.slot);
}

/** The slot a beat is about; the verify looks at the first, the trim at the one the target's own token came from. */
export function followed({ path, extra, verdicts }, { kind, slot }) {
  if (slot !== null) return slot;
  if (kind === 'verify') return 0;
  return extra ? path.length : path.length - 1;
}

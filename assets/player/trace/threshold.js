/**
 * threshold.js: a rule under which no number tests a guess: its p is above a threshold or not, and the
 * longest path of passing guesses is accepted. Pure. arXiv:2401.10774.
 */

/**
 * What the p of a guess must exceed, by the rule's numbers; between think tags what it must reach, if it is among the
 * top tokens.
 */
export function thresholdOf({ entropy = 0, rank, view }, { epsilon, delta }) {
  if (rank) return Math.max(0, ...view.bars.map(({ p }) => p)) - delta;
  return Math.min(epsilon, delta * Math.exp(-entropy));
}

/** True if a guess passes and is not accepted: another path is longer, or likelier. */
export function isPassedBy({ verdict, accept_prob: passes }) {
  return verdict === 'rejected' && passes === 1;
}

/**
 * threshold.js: a rule under which no number tests a guess: its p is above a threshold or not, and the
 * longest path of passing guesses is accepted. Pure. specviz/proof/problems/threshold.py in the player.
 * arXiv:2401.10774.
 */

export const [EPSILON, DELTA] = [0.09, 0.3];
/** How far apart p and the threshold must be, of their size, to tell which is larger here. */
const CLOSE = 1e-9;

/** What p must exceed where it has this entropy, in nats. */
export function thresholdOf(entropy) {
  return Math.min(EPSILON, DELTA * Math.exp(-entropy));
}

/** Whether a guess passes and is not accepted: another path is longer, or likelier. */
export function isPassedBy({ verdict, accept_prob: passes }) {
  return verdict === 'rejected' && passes === 1;
}

/**
 * The first guess that contradicts the search for the longest path, as { node, what }, or null; see
 * weighed.js.
 */
export function thresholdProblem({ verdicts, path }, eos) {
  const passing = new Map([[-1, { length: 0, product: 1 }]]);
  for (const { node, parent, verdict, accept_prob: passes, p, entropy = 0 } of verdicts) {
    const reached = passing.has(parent) && !(parent >= 0 && eos.includes(verdicts[parent].token));
    if ((verdict === 'untested') === reached) return { node, what: 'walk' };
    if (!reached) continue;
    const needed = thresholdOf(entropy);
    if (Math.abs(p - needed) > CLOSE * needed && passes !== Number(p > needed))
      return { node, what: 'decided' };
    const { length, product } = passing.get(parent);
    if (passes) passing.set(node, { length: length + 1, product: product * p });
  }
  let best = -1;
  for (const [node, { length, product }] of passing) {
    const { length: most, product: likeliest } = passing.get(best);
    if (length > most || (length === most && product > likeliest)) best = node;
  }
  return best === (path.at(-1) ?? -1) ? null : { node: Math.max(best, path.at(-1) ?? -1), what: 'walk' };
}

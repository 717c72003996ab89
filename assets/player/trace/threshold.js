/**
 * threshold.js: a rule under which no number tests a guess: its p is above a threshold or not, and the
 * longest path of passing guesses is accepted. Pure. specviz/proof/problems/threshold.py in the player.
 * arXiv:2401.10774.
 */

/** How far apart p and the threshold must be, of their size, to tell which is larger here. */
const CLOSE = 1e-9;

/** What the p of a guess must exceed, by the rule's numbers. */
export function thresholdOf({ entropy = 0 }, { epsilon, delta }) {
  return Math.min(epsilon, delta * Math.exp(-entropy));
}

/** Whether a guess passes and is not accepted: another path is longer, or likelier. */
export function isPassedBy({ verdict, accept_prob: passes }) {
  return verdict === 'rejected' && passes === 1;
}

/**
 * The first guess that contradicts the search for the longest path, as { node, what }, or null; see
 * weighed.js.
 */
export function thresholdProblem({ verdicts, path }, { eos, threshold }) {
  const passing = new Map([[-1, { length: 0, product: 1 }]]);
  for (const each of verdicts) {
    const { node, parent, verdict, accept_prob: passes, p } = each;
    const reached = passing.has(parent) && !(parent >= 0 && eos.includes(verdicts[parent].token));
    if ((verdict === 'untested') === reached) return { node, what: 'walk' };
    if (!reached) continue;
    const needed = thresholdOf(each, threshold);
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

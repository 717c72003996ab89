/**
 * weighed.js: whether a tree whose guesses were weighed together was judged as its numbers say. Pure. The
 * walk of specviz/proof/problems/weighed.py, repeated from what a trace holds; views have six digits.
 * arXiv:2505.12398.
 */

/**
 * How far a number may be off, of its own size: one that comes from exact ones, and one that comes from a
 * view's.
 */
const [EXACT, SIX] = [1e-9, 1e-4];
/** The largest error of a sum of numbers with six digits. */
const CLOSE = 2e-5;

const near = (one, other, share) =>
  Math.abs(one - other) <= Math.max(share * Math.max(Math.abs(one), Math.abs(other)), 1e-300);
const leftIn = ({ bars, rest }) => bars.reduce((sum, { residual }) => sum + residual, rest.residual);

/** Whether a view still has all its bars. */
const whole = ({ bars, rest }) => Math.abs(bars.reduce((sum, { p }) => sum + p, rest.p) - 1) < 1e-3;

/**
 * The first guess that contradicts the walk, as { node, what }, or null: `walk` where its verdict cannot
 * be, `decided` where its numbers do not give it.
 */
export function weighedProblem({ verdicts, path }, { eos }) {
  const weights = new Map([[-1, 1]]);
  const masses = new Map();
  const reached = new Set();
  const known = verdicts.every(({ view }) => whole(view));
  let stands = null;
  let problem = null;
  const wrong = (node, what) => (problem ??= { node, what });

  function below(parent) {
    let elder = null;
    for (const verdict of verdicts.filter((each) => each.parent === parent)) {
      if (stands !== null || problem) return;
      const { node, weight, p, q, token, u, accept_prob: chance } = verdict;
      reached.add(node);
      if (weight === null) return wrong(node, 'walk');
      if (elder && known && !follows(elder, verdict)) return wrong(node, 'decided');
      if (known && !near(weight, Math.min(1, (weights.get(parent) * p) / q), elder ? SIX : EXACT))
        return wrong(node, 'decided');
      weights.set(node, weight);
      if (!eos.includes(token)) below(node);
      if (problem) return;
      if (stands === null) test(verdict);
      else if (u !== null || chance !== weight) return wrong(node, 'decided');
      elder = verdict;
    }
  }

  /** A guess without another below it, or with none left. */
  function test({ node, parent, u, accept_prob: chance, view }) {
    if (u === null || chance === null) return wrong(node, 'walk');
    if (known && Math.abs(chance - weights.get(node)) > CLOSE + SIX * chance) return wrong(node, 'decided');
    if (u < chance) {
      stands = node;
      return;
    }
    const mass = leftIn(view);
    const after = mass + (1 - weights.get(parent));
    weights.set(parent, after > 0 ? mass / after : 1);
    if (parent >= 0) masses.set(parent, mass);
  }

  below(-1);
  if (problem) return problem;
  for (const { node, weight, mass, verdict, u } of verdicts) {
    if ((weight !== null) !== reached.has(node)) return { node, what: 'walk' };
    const left = masses.get(node) ?? null;
    if ((mass === null) !== (left === null) || (known && Math.abs((mass ?? 0) - (left ?? 0)) > 30 * CLOSE))
      return { node, what: 'decided' };
    const state = path.includes(node)
      ? 'accepted'
      : reached.has(node) && u !== null
        ? 'rejected'
        : 'untested';
    if (verdict !== state) return { node, what: 'walk' };
  }
  return stands === (path.at(-1) ?? null) ? null : { node: path.at(-1) ?? stands, what: 'walk' };
}

/** Whether a sibling was tested against what the one before it left of p. */
function follows({ view: before }, { view }) {
  const mass = leftIn(before);
  const residual = new Map(before.bars.map((bar) => [bar.token, bar.residual]));
  return view.bars.every(
    ({ token, p }) =>
      !residual.has(token) ||
      Math.abs(p * mass - residual.get(token)) <= Math.max(1e-3 * residual.get(token), CLOSE),
  );
}

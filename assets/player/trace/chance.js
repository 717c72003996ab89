/**
 * chance.js: the chances that a trace holds of a guess, and of what is left of p at its place. Pure.
 */

/**
 * The chance that a guess is accepted: recorded for the tested ones, min(1, p / q) for all.
 * @param {{ accept_prob?: number, p: number, q: number }} guess
 */
export function keepChance({ accept_prob: recorded, p, q }) {
  return recorded ?? Math.min(1, p / q);
}

/** The siblings of a guess that were rejected before it was tested, in draft order. */
export function elders({ verdicts }, node) {
  const { parent } = verdicts[node];
  return verdicts
    .filter((each) => each.parent === parent && each.node < node && each.verdict === 'rejected')
    .map((each) => each.node);
}

const leftIn = ({ bars, rest }) => bars.reduce((sum, { residual }) => sum + residual, rest.residual);

/**
 * What is left of a guess's weight once these guesses below it were taken off the tree; before the first
 * guess it is 1.
 */
export function weightAfter({ verdicts }, node, taken) {
  return taken.reduce(
    (weight, child) => {
      const over = leftIn(verdicts[child].view);
      return over + (1 - weight) > 0 ? over / (over + (1 - weight)) : 1;
    },
    node < 0 ? 1 : verdicts[node].weight,
  );
}

/**
 * A guess's view as it was tested: { bars, rest, overlap, left }, left being the mass of what p has over q.
 * A rule that weighs guesses together tests p times the weight of the guesses before. arXiv:2505.12398.
 */
export function viewAt(round, node) {
  const { view, weight, parent } = round.verdicts[node];
  const before = weight === null ? 1 : weightAfter(round, parent, elders(round, node));
  if (weight === null || before === 1) return { ...view, left: 1 - view.overlap };
  const left = leftIn(view);
  const rest = {
    ...view.rest,
    p: before * view.rest.p,
    overlap: Math.max(0, before * view.rest.p - view.rest.residual),
  };
  return {
    bars: view.bars.map((bar) => ({ ...bar, p: before * bar.p })),
    rest,
    overlap: before - left,
    left,
    weight: before,
    before: view.before?.map((was) => before * was),
    changed: view.changed,
  };
}

/** What guesses at a node's place are tested against: v where a lossy rule puts that there, else p. */
export function letterAt({ verdicts }, node) {
  const first = verdicts.find(({ parent }) => parent === verdicts[node].parent);
  return first.view.target ? 'v' : 'p';
}

/** A guess kept by a later one, though its own number was too high. */
export function isRescued({ verdict, weight, u, accept_prob: keep }) {
  return weight !== null && verdict === 'accepted' && u >= keep;
}

/** p of a guess before anything was refused at its place, null where no view holds it. */
export function scored(round, node) {
  const [elder] = elders(round, node);
  const verdict = round.verdicts[node];
  if (elder === undefined || verdict.weight !== null) return verdict.p;
  return round.verdicts[elder].view.bars.find(({ token: id }) => id === verdict.token)?.p ?? null;
}

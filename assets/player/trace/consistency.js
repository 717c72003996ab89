/**
 * consistency.js: what contradicts itself in the rounds of a trace from a file. Pure. Times are
 * milliseconds. It asks less than specviz/proof/problems: enough that every beat can be drawn and every
 * verdict fits its numbers.
 */

import { spent } from './story.js';
import { thresholdProblem } from './threshold.js';
import { isChain } from './timeline.js';
import { weighedProblem } from './weighed.js';
import { words } from '../words/words.js';

const { wrong } = words.file;
const CLOSE = 1e-6;
/**
 * So many guesses of a tree may be read, those included that are not kept: eight in each of twenty levels.
 */
const READ = 160;
/** No pass takes less, in milliseconds; times are divided by. */
const LEAST = 1e-6;

/**
 * What contradicts itself in a round; '' if nothing does. before: { index, position, info, cached } is
 * where it must begin: the number of rounds and of tokens before it, and the lengths of the drafter's
 * caches, null if unknown.
 */
export function roundProblem(round, before) {
  const { index, position, verdicts, path } = round;
  if (index !== before.index || position !== before.position) return wrong.place;
  return (
    treeProblem(verdicts) ||
    (follows(verdicts, path) ? '' : wrong.path) ||
    walkProblem(round, before.info) ||
    numbersProblem(verdicts, before.info.traits) ||
    weighed(round, before.info) ||
    ownTokenProblem(round, before.info.traits) ||
    cacheProblem(round, before) ||
    imaginedProblem(round) ||
    (guessesOf(round.timing.draft) === verdicts.length && round.timing.verify >= LEAST ? '' : wrong.times)
  );
}

/**
 * Whether each state that a head imagined is that of the pending token or of a guess, once, beside as many
 * true numbers.
 */
function imaginedProblem({ verdicts, imagined = [] }) {
  const wrongly = imagined.find(
    ({ node, own, true: true_ }, at) =>
      !verdicts.some(({ parent }) => parent === node) ||
      node <= (imagined[at - 1]?.node ?? -2) ||
      own.length !== true_.length,
  );
  return wrongly ? wrong.imagined({ node: wrongly.node }) : '';
}

/** What contradicts itself in a race of these rounds; '' if nothing does. */
export function raceProblem(race, rounds) {
  const made = rounds.reduce((sum, { path, extra }) => sum + path.length + (extra ? 1 : 0), 0);
  const counts = [race.passes, race.tokens, race.texts];
  const same =
    race.rounds.length === rounds.length &&
    race.rounds.every(({ draft }, index) => guessesOf(draft) === rounds[index].verdicts.length);
  const whole =
    counts.every(({ length }) => length === made) &&
    race.laps.length > 0 &&
    race.laps.length === race.plain_laps.length;
  const timed = [
    ...race.passes,
    ...race.laps,
    ...race.plain_laps,
    ...race.rounds.map(spent),
    ...race.rounds.map(({ verify }) => verify),
  ];
  return same && whole && timed.every((time) => time >= LEAST) ? '' : wrong.race;
}

/** Number of guesses of all draft calls. */
function guessesOf(calls) {
  return calls.reduce((sum, { nodes }) => sum + nodes, 0);
}

function treeProblem(verdicts) {
  const node = verdicts.findIndex(
    ({ node: number, parent, depth }, place) =>
      number !== place || parent >= place || depth !== (parent < 0 ? 0 : verdicts[parent].depth + 1),
  );
  return node < 0 ? '' : wrong.tree({ node });
}

/** Whether the path is the accepted guesses, each a child of the one before. */
function follows(verdicts, path) {
  const accepted = verdicts.filter(({ verdict }) => verdict === 'accepted');
  return (
    accepted.length === path.length &&
    path.every(
      (node, place) => accepted[place].node === node && accepted[place].parent === (path[place - 1] ?? -1),
    )
  );
}

/** Whether the guesses that should be tested were, and the walk ended where the trace says. */
function walkProblem(round, { eos, traits }) {
  const { verdicts, path, extra } = round;
  const end = path.at(-1) ?? -1;
  const ended = path.length > 0 && eos.includes(verdicts[end].token);
  const whole = verdicts.some(({ weight }) => weight !== null) || traits.rolls === 'threshold';
  const node = whole
    ? -1
    : verdicts.findIndex(({ parent, verdict }, place) => {
        const reached = (parent < 0 || path.includes(parent)) && !(ended && parent === end);
        const passed = verdicts
          .slice(0, place)
          .some((other) => other.parent === parent && other.verdict === 'accepted');
        return (verdict === 'untested') === (reached && !passed);
      });
  if (node >= 0) return wrong.walk({ node });
  if ((extra === null) !== ended) return wrong.extra;
  const refused =
    verdicts.findLast(({ parent, verdict }) => parent === end && verdict === 'rejected')?.node ?? null;
  return !extra || ((extra.emission === 'resampled') === (refused !== null) && extra.node === refused)
    ? ''
    : wrong.emission;
}

/**
 * Whether a tree whose guesses were weighed together was judged so, or guesses that passed a threshold or
 * not.
 */
function weighed(round, info) {
  const byThreshold = info.traits.rolls === 'threshold';
  if (!byThreshold && (isChain(round) || round.verdicts.every(({ weight }) => weight === null))) return '';
  const problem = (byThreshold ? thresholdProblem : weighedProblem)(round, info);
  return problem ? wrong[problem.what]({ node: problem.node }) : '';
}

/** Whether every guess has the numbers that decide it, and they give its verdict. */
function numbersProblem(verdicts, { rolls }) {
  const [dice, drawn] = [rolls === 'dice', rolls !== 'shared noise'];
  const chain = isChain({ verdicts });
  for (const {
    node,
    parent,
    verdict,
    law,
    p,
    q,
    draft_u: drafted,
    low,
    high,
    u,
    accept_prob: keep,
    weight,
    mass,
  } of verdicts) {
    const [tested, point] = [verdict !== 'untested', law === 'point'];
    // a branch of a tree weighed as a whole stands by its last guess
    const thrown = tested && dice && (chain || weight === null || verdict === 'rejected');
    if (
      (drafted !== null && !(drawn && !point)) ||
      (thrown ? u === null : u !== null && !(tested && dice)) ||
      (keep !== null) !== tested ||
      q === 0
    )
      return wrong.numbers({ node });
    if (
      Math.abs(high - low - q) > CLOSE ||
      (drafted !== null && (drafted < low - CLOSE || drafted > high + CLOSE))
    )
      return wrong.placed({ node });
    if (point && q !== 1) return wrong.placed({ node });
    if (weight !== null && !chain) continue; // see weighed.js
    if (weight !== null) {
      const before = parent < 0 ? 1 : (verdicts[parent].weight ?? 0);
      if (
        Math.abs(weight - Math.min(1, (before * p) / q)) > CLOSE ||
        Math.abs(keep - acceptanceOf(weight, mass)) > 10 * CLOSE
      )
        return wrong.decided({ node });
    } else {
      if (dice && tested && Math.abs(keep - Math.min(1, p / q)) > CLOSE) return wrong.decided({ node });
      if (u !== null && Math.abs(u - keep) > CLOSE && u < keep !== (verdict === 'accepted'))
        return wrong.decided({ node });
    }
  }
  if (!chain) return '';
  const kept = verdicts.findLastIndex(({ weight, u, accept_prob: keep }) => weight !== null && u < keep);
  const wrongly = verdicts.find(
    ({ weight, verdict, u, accept_prob: keep }, place) =>
      weight !== null && Math.abs(u - keep) > CLOSE && (verdict === 'accepted') !== place <= kept,
  );
  return wrongly ? wrong.decided({ node: wrongly.node }) : '';
}

/**
 * The chance that block verification accepts up to a guess: its weight and the mass behind it, null at the
 * last. arXiv:2403.10444.
 */
function acceptanceOf(weight, mass) {
  if (mass === null) return weight;
  const whole = mass + (1 - weight);
  return whole > 0 ? mass / whole : 1;
}

/**
 * Whether the target's own token lies in the distribution it was drawn from, which its refused guess shows
 * too.
 */
function ownTokenProblem({ extra, verdicts }, { rolls }) {
  if (!extra) return '';
  const { u, low, high, view, token } = extra;
  if ((u === null) !== (rolls === 'shared noise') || low > high) return wrong.drawn;
  if (extra.emission === 'bonus' || extra.zero_residual || rolls !== 'dice') return '';
  const over = view.bars.find((bar) => bar.token === token)?.residual ?? 0;
  return over > 0 && view.overlap < 1 && verdicts[extra.node].view.overlap < 1 ? '' : wrong.drawn;
}

function cacheProblem(
  { verdicts, path, extra, position, scouts = [], target_cache: target, draft_caches: drafts },
  { info, cached: held },
) {
  const lengths = [position - 1, position + verdicts.length + scouts.length, position + path.length];
  if ([target.before, target.written, target.kept].some((length, at) => length !== lengths[at]))
    return wrong.cache({ name: 'target' });
  if (drafts.length !== info.draft_caches.length) return wrong.cache({ name: 'drafter' });
  const most = position + path.length + (extra?.zero_residual ? 1 : 0);
  const stand = drafts.every(
    (draft, which) =>
      draft.before <= draft.written &&
      draft.written <= position + (info.traits.shape === 'tree' ? READ : verdicts.length) &&
      draft.kept <= most &&
      draft.kept <= draft.written &&
      (held?.[which] ?? draft.before) === draft.before,
  );
  return stand ? '' : wrong.cache({ name: 'drafter' });
}

/**
 * standing.js: whether the rounds of a trace from a file hold together as far as the stage leans on them. Pure.
 * Less than specviz/problems.py asks: enough for every beat to be drawn, and for no verdict to belie its own numbers.
 */

import { spent } from './story.js';
import { isChain } from './timeline.js';
import { words } from './words.js';

const { wrong } = words.file;
const CLOSE = 1e-6;
/** Milliseconds below which no pass was ever timed; what is divided by stays above. */
const LEAST = 1e-6;

/**
 * What is wrong with a round, '' where it stands. before: { index, position, info, cached } it must follow on: how many
 * rounds and tokens stand before it, and how much the drafter's cache holds, null where nobody knows.
 */
export function roundTrouble(round, before) {
  const { index, position, verdicts, path } = round;
  if (index !== before.index || position !== before.position) return wrong.place;
  return grown(verdicts) || (follows(verdicts, path) ? '' : wrong.path) || walked(round, before.info)
    || numbered(verdicts, before.info.traits) || drawn(round, before.info.traits) || cached(round, before)
    || (guessed(round.timing.draft) === verdicts.length && round.timing.verify >= LEAST ? '' : wrong.times);
}

/** What is wrong with a race of these rounds. */
export function raceTrouble(race, rounds) {
  const made = rounds.reduce((sum, { path, extra }) => sum + path.length + (extra ? 1 : 0), 0);
  const counts = [race.passes, race.tokens, race.texts];
  const same = race.rounds.length === rounds.length && race.rounds.every(({ draft }, index) => guessed(draft) === rounds[index].verdicts.length);
  const whole = counts.every(({ length }) => length === made) && race.laps.length > 0 && race.laps.length === race.plain_laps.length;
  const timed = [...race.passes, ...race.laps, ...race.plain_laps, ...race.rounds.map(spent), ...race.rounds.map(({ verify }) => verify)];
  return same && whole && timed.every((time) => time >= LEAST) ? '' : wrong.race;
}

/** Guesses of all draft calls. */
function guessed(calls) {
  return calls.reduce((sum, { nodes }) => sum + nodes, 0);
}

function grown(verdicts) {
  const node = verdicts.findIndex(({ node: number, parent, depth }, place) =>
    number !== place || parent >= place || depth !== (parent < 0 ? 0 : verdicts[parent].depth + 1));
  return node < 0 ? '' : wrong.tree(node);
}

/** Whether the path is the accepted guesses, each on the one before. */
function follows(verdicts, path) {
  const accepted = verdicts.filter(({ verdict }) => verdict === 'accepted');
  return accepted.length === path.length && path.every((node, place) => accepted[place].node === node && accepted[place].parent === (path[place - 1] ?? -1));
}

/** Whether the right guesses were tested, and the walk ended as it says. */
function walked(round, { eos }) {
  const { verdicts, path, extra } = round;
  const end = path.at(-1) ?? -1;
  const ended = path.length > 0 && eos.includes(verdicts[end].token);
  const whole = verdicts.some(({ weight }) => weight !== null);
  const node = whole ? -1 : verdicts.findIndex(({ parent, verdict }, place) => {
    const reached = (parent < 0 || path.includes(parent)) && !(ended && parent === end);
    const passed = verdicts.slice(0, place).some((other) => other.parent === parent && other.verdict === 'accepted');
    return (verdict === 'untested') === (reached && !passed);
  });
  if (node >= 0) return wrong.walk(node);
  if ((extra === null) !== ended) return wrong.extra;
  const refused = verdicts.findLast(({ parent, verdict }) => parent === end && verdict === 'rejected')?.node ?? null;
  return !extra || ((extra.emission === 'resampled') === (refused !== null) && extra.node === refused) ? '' : wrong.emission;
}

/** Whether every guess has the numbers it was decided by, and they decide so. */
function numbered(verdicts, { rolls }) {
  const dice = rolls === 'dice';
  const chain = isChain({ verdicts });
  for (const { node, parent, verdict, law, p, q, draft_u: drafted, low, high, u, accept_prob: keep, weight, mass } of verdicts) {
    const [tested, point] = [verdict !== 'untested', law === 'point'];
    const thrown = tested && dice && (chain || weight === null || verdict === 'rejected'); // a branch of a tree weighed as a whole stands by its last guess
    if ((drafted !== null) !== (dice && !point) || (thrown ? u === null : u !== null && !(tested && dice)) || (keep !== null) !== tested || q === 0) return wrong.numbers(node);
    if (Math.abs(high - low - q) > CLOSE || (drafted !== null && (drafted < low - CLOSE || drafted > high + CLOSE))) return wrong.placed(node);
    if (point && q !== 1) return wrong.placed(node);
    if (weight !== null && !chain) {
      if (u !== null && Math.abs(u - keep) > CLOSE && (u < keep) !== (verdict === 'accepted')) return wrong.decided(node);
    } else if (weight !== null) {
      const before = parent < 0 ? 1 : verdicts[parent].weight ?? 0;
      if (Math.abs(weight - Math.min(1, before * p / q)) > CLOSE || Math.abs(keep - chanceOf(weight, mass)) > 10 * CLOSE) return wrong.decided(node);
    } else {
      if (dice && tested && Math.abs(keep - Math.min(1, p / q)) > CLOSE) return wrong.decided(node);
      if (u !== null && Math.abs(u - keep) > CLOSE && (u < keep) !== (verdict === 'accepted')) return wrong.decided(node);
    }
  }
  if (!chain) return '';
  const kept = verdicts.findLastIndex(({ weight, u, accept_prob: keep }) => weight !== null && u < keep);
  const wrongly = verdicts.find(({ weight, verdict, u, accept_prob: keep }, place) => weight !== null && Math.abs(u - keep) > CLOSE && (verdict === 'accepted') !== (place <= kept));
  return wrongly ? wrong.decided(wrongly.node) : '';
}

/** The chance that a block stands up to a guess, by its weight and the mass behind it, null at the last. arXiv:2403.10444. */
export function chanceOf(weight, mass) {
  if (mass === null) return weight;
  const whole = mass + 1 - weight;
  return whole > 0 ? mass / whole : 1;
}

/** Whether the target's own token stands where it was drawn from. */
function drawn({ extra }, { rolls }) {
  if (!extra) return '';
  const { u, low, high, view, token } = extra;
  if ((u === null) !== (rolls !== 'dice') || low > high) return wrong.drawn;
  if (extra.emission === 'bonus' || extra.zero_residual || rolls !== 'dice') return '';
  const over = view.bars.find((bar) => bar.token === token)?.residual ?? 0;
  return over > 0 && view.overlap < 1 ? '' : wrong.drawn;
}

function cached({ verdicts, path, extra, position, target_cache: target, draft_caches: drafts }, { info, cached: held }) {
  const lengths = [position - 1, position + verdicts.length, position + path.length];
  if ([target.before, target.written, target.kept].some((length, at) => length !== lengths[at])) return wrong.cache('target');
  if (drafts.length !== info.draft_caches.length) return wrong.cache('drafter');
  const most = position + path.length + (extra?.zero_residual ? 1 : 0);
  const stand = drafts.every((draft, which) => draft.before <= draft.written && draft.written <= position + verdicts.length
    && draft.kept <= most && draft.kept <= draft.written && (held?.[which] ?? draft.before) === draft.before);
  return stand ? '' : wrong.cache('drafter');
}

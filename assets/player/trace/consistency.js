/**
 * consistency.js: whether the rounds of an opened file hang together, so that every beat can be drawn. Pure.
 * It checks no numbers against each other: specviz/check does, on a server or by `specviz check`.
 */

import { count } from '../base/format.js';
import { Unfit, unfit } from './check-schema.js';
import { stopProblem } from './stops.js';
import { spent } from './story.js';
import { isChain } from './timeline.js';
import { words } from '../words/words.js';

const { wrong } = words.file;
/** How many guesses of a tree may be read, those included that are not kept: eight in each of twenty levels. */
const READ = 160;
/** No pass takes less, in milliseconds; times are divided by. */
const LEAST = 1e-6;
/** Tokens of the longest text. */
const LONGEST = 8192;

/** Throws Unfit where a trace does not hang together. */
export function requireConsistent(trace) {
  const { info, prompt, prompt_texts: texts, rounds } = trace;
  const { contradicts, missing } = words.file;
  if (!prompt.length || texts.length !== prompt.length) unfit('trace.prompt_texts', texts, wrong.prompt);
  const edges = [...(info.template ?? []).flat(), prompt.length + 1];
  const apart = edges.every((edge, at) => edge > (edges[at - 1] ?? -1));
  if (!apart) unfit('trace.info.template', info.template, wrong.template);
  if (info.traits.rolls === 'threshold' && !info.threshold)
    throw new Unfit(missing({ where: 'trace.info.threshold' }));
  if (!rounds.length) throw new Unfit(wrong.rounds);
  let position = prompt.length;
  rounds.forEach((round, index) => {
    const what = roundProblem(round, { index, position, info });
    if (what) throw new Unfit(contradicts({ where: `trace.rounds[${index}]`, what }));
    position += round.path.length + (round.extra ? 1 : 0);
  });
  if (position > LONGEST) throw new Unfit(wrong.tokens({ most: count(LONGEST) }));
  const ending = stopProblem(trace);
  const where = ending?.round === null ? 'trace.stop' : `trace.rounds[${ending?.round}]`;
  if (ending) throw new Unfit(contradicts({ where, what: ending.what }));
}

/**
 * What does not hang together in a round, '' if nothing. before: { index, position, info }, the rounds and the
 * tokens before it.
 */
function roundProblem(round, { index, position, info }) {
  const { verdicts, path, timing } = round;
  if (round.index !== index || round.position !== position) return wrong.place;
  const stray = strayOf(round);
  if (stray >= 0) return wrong.tree({ node: stray });
  const accepted = verdicts.filter(({ verdict }) => verdict === 'accepted');
  const follows = path.every(
    (node, at) => accepted[at]?.node === node && verdicts[node].parent === (path[at - 1] ?? -1),
  );
  if (!follows || accepted.length !== path.length) return wrong.path;
  const lacking = verdicts.find((verdict) => lacks(verdict, isChain(round), info));
  if (lacking) return wrong.numbers({ node: lacking.node });
  if (!endsWell(round)) return wrong.emission;
  if (!isDrawn(round, info)) return wrong.drawn;
  const view = viewProblem(round);
  if (view) return view;
  const timed = guessesOf(timing.draft) === verdicts.length && (info.loop || timing.verify >= LEAST);
  return cacheProblem(round, info) || imaginedProblem(round) || (timed ? '' : wrong.times);
}

/** The first guess that hangs on none before it, those included that were not checked; -1 if there is none. */
function strayOf({ verdicts, unchecked = [] }) {
  const made = [...verdicts, ...unchecked.map((cut, at) => ({ ...cut, node: verdicts.length + at }))];
  return made.findIndex(
    ({ node, parent, depth }, place) =>
      node !== place || parent >= place || depth !== (parent < 0 ? 0 : made[parent].depth + 1),
  );
}

/** True if a guess lacks a number that it is drawn with; of a tree weighed as a whole, the last of a branch has one. */
function lacks(
  { verdict, accept_prob: keep, q, u, weight, rank },
  chain,
  { traits: { rolls }, loop, config, relaxation },
) {
  const tested = verdict !== 'untested';
  const told = !loop || config.temperature > 0; // a greedy loop that others wrote rolls no dice
  const thrown =
    rolls === 'dice' && told && tested && !rank && (chain || weight === null || verdict === 'rejected');
  return (
    (keep !== null) !== tested ||
    q === 0 ||
    (thrown && u === null) ||
    (weight !== null && rolls !== 'dice') ||
    (Boolean(rank) && !relaxation)
  );
}

/** True if the target's own token came after the path, and after the guess whose place it took. */
function endsWell({ verdicts, path, extra }) {
  if (!extra) return path.length > 0;
  const refused = verdicts.findLast(
    ({ parent, verdict }) => parent === (path.at(-1) ?? -1) && verdict === 'rejected',
  );
  return extra.node === (refused?.node ?? null) && (extra.emission === 'resampled') === Boolean(refused);
}

/** True if the target's own token lies in what it was drawn from; where others wrote the loop, it may be wrong. */
function isDrawn({ extra, verdicts }, { traits: { rolls }, loop }) {
  if (!extra || rolls !== 'dice') return true;
  if (extra.u === null && !loop) return false;
  if (extra.emission === 'bonus' || extra.zero_residual || verdicts[extra.node].rank) return true;
  const bar = extra.view.bars.find(({ token }) => token === extra.token);
  return (loop ? bar : bar?.residual > 0) && extra.view.overlap < 1 && verdicts[extra.node].view.overlap < 1;
}

/** What is wrong with p and q at a place; what changed a token's p is before it. */
function viewProblem({ verdicts, extra, position, path }) {
  const views = verdicts.map(({ view, depth }) => [view, position + depth]);
  if (extra) views.push([extra.view, position + path.length]);
  for (const [view, end] of views) {
    const uneven = ['noise', 'before', 'target'].find(
      (name) => view[name] && view[name].length !== view.bars.length,
    );
    if (uneven) return wrong[uneven];
    if (new Set(view.bars.map(({ token }) => token)).size < view.bars.length) return wrong.twice;
    if (!(view.changed ?? []).every(({ places }) => places.every((place) => place < end)))
      return wrong.changed;
  }
  return '';
}

function cacheProblem(
  { verdicts, path, extra, position, scouts = [], target_cache: target, draft_caches: drafts },
  info,
) {
  const lengths = [position - 1, position + verdicts.length + scouts.length];
  const read = [target.before, target.written].every((length, at) => length === lengths[at]);
  const gone = position + path.length - target.kept;
  // a token that ends the text may have lost its slot
  if (!read || !(gone === 0 || (gone === 1 && !extra))) return wrong.cache({ name: 'target' });
  const stand = drafts.every(
    ({ before, written, kept }, place) =>
      before <= written &&
      kept <= written &&
      (info.draft_caches[place]?.own_tokens || written <= position + READ),
  );
  return stand && drafts.length === info.draft_caches.length ? '' : wrong.cache({ name: 'drafter' });
}

/** True if each state that a head imagined is that of the pending token or of a guess, beside as many true numbers. */
function imaginedProblem({ verdicts, imagined = [] }) {
  const stray = imagined.find(
    ({ node, own, true: true_ }, at) =>
      !verdicts.some(({ parent }) => parent === node) ||
      node <= (imagined[at - 1]?.node ?? -2) ||
      own.length !== true_.length,
  );
  return stray ? wrong.imagined({ node: stray.node }) : '';
}

/** True if a race is one of these rounds, and took time. */
export function isRaceOf({ rounds: timed, passes, tokens, texts, laps, plain_laps: plain }, rounds) {
  const made = rounds.reduce((sum, { path, extra }) => sum + path.length + (extra ? 1 : 0), 0);
  const times = [...passes, ...laps, ...plain, ...timed.map(spent), ...timed.map(({ verify }) => verify)];
  return (
    timed.length === rounds.length &&
    timed.every(({ draft }, index) => guessesOf(draft) === rounds[index].verdicts.length) &&
    [passes, tokens, texts].every(({ length }) => length === made) &&
    laps.length > 0 &&
    laps.length === plain.length &&
    times.every((time) => time >= LEAST)
  );
}

/** The guesses of all draft calls. */
function guessesOf(calls) {
  return calls.reduce((sum, { nodes }) => sum + nodes, 0);
}

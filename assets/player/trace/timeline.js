/**
 * timeline.js: a run as beats, the unit of playing, stepping and scrubbing. Pure: no DOM, no clock. The first
 * beat of a run is `rest`, the picture before anything plays; the last one, once it is over, its `result`.
 */

/**
 * slot: the guess it is about, null for the whole round.
 * @typedef {{ round: number, kind: string, slot: number | null }} Beat
 */

/**
 * Paces: `auto` reads the first rounds slowly; the real ones take the run's own times, that many times
 * slower.
 */
export const PACES = ['auto', 'reading', 'quick', 'real20', 'real5', 'real1'];
const REAL = { real20: 20, real5: 5, real1: 1 };

export const REST = { round: 0, kind: 'rest', slot: null };

/** Whether random numbers test the guesses of a run: not at temperature 0, unless a rule mixes p and q. */
export function rolls({ config, traits, ensemble }) {
  return traits.rolls === 'dice' && (config.temperature > 0 || Boolean(ensemble));
}

/** Whoever guesses ahead; '' where the target does so itself. */
export function whoGuesses({
  info: {
    config: { drafter },
  },
}) {
  return ['jacobi', 'lookahead'].includes(drafter) ? '' : drafter;
}

/**
 * The beats of one round in order: each level of guesses, one check, a number and a verdict for each tested
 * guess, or for all of a block, the target's own token, the text that grows, the cache that drops what was for
 * nothing. What is left of p gets its own beat where something is drawn from it, or where a sibling is
 * tested against it; slots of a kept branch that lie apart are gathered before the cache drops the others.
 * @returns {Beat[]}
 */
export function beatsOf(round, index, rolled = true) {
  const { verdicts, extra, path } = round;
  const beat = (kind, slot = null) => ({ round: index, kind, slot });
  const beats = levelsOf(round).map(([first]) => beat('draft', first));
  beats.push(beat('verify'));
  const tested = testedOf(round);
  if (isBlock(round)) beats.push(beat('dart', tested.at(-1)), beat('verdict', path.at(-1) ?? tested[0]));
  else
    tested.forEach((slot, at) => {
      beats.push(beat('dart', slot), beat('verdict', slot));
      if (rolled && !verdicts[slot].rank && isAdjusted(round, slot, tested[at + 1]))
        beats.push(beat('adjust', tested[at + 1]));
    });
  if (extra?.emission === 'resampled') {
    if (rolled && !extra.zero_residual && !verdicts[extra.node].rank)
      beats.push(beat('residual', extra.node));
    beats.push(beat('replace', extra.node));
  } else if (extra) beats.push(beat('bonus', verdicts.length));
  beats.push(beat('join'));
  if (isGathered(round)) beats.push(beat('gather'));
  beats.push(beat('trim'));
  return beats;
}

/** True if a round's guesses form a chain. */
export function isChain({ verdicts }) {
  return verdicts.every(({ parent }, node) => parent === node - 1);
}

/** True if a round's guesses are a chain that is judged as a whole, once all of their numbers have fallen. */
export function isBlock(round) {
  return isChain(round) && round.verdicts.some(({ weight }) => weight !== null);
}

/** The guesses of each depth, in draft order. */
export function levelsOf({ verdicts }) {
  const levels = [];
  verdicts.forEach(({ depth }, node) => (levels[depth] ??= []).push(node));
  return levels;
}

/** The children of a guess, in draft order. */
export function childrenOf({ verdicts }, parent) {
  return [...verdicts.keys()].filter((node) => verdicts[node].parent === parent);
}

/** True if a refused guess leaves the next one, its sibling, what is left of p to be tested against. */
function isAdjusted({ verdicts }, slot, next) {
  const { verdict, weight, parent, view } = verdicts[slot];
  return verdict === 'rejected' && weight === null && verdicts[next]?.parent === parent && view.overlap < 1;
}

/** True if the slots of the kept guesses have to be copied to where the text continues. */
function isGathered({ path }) {
  return path.some((node, place) => node !== place);
}

/**
 * The guesses that were tested, in the order of their tests: place by place down the tree, those of a place
 * as they were drawn. A tree that is weighed as a whole is tested from its leaves, branch by branch.
 */
export function testedOf(round) {
  const { verdicts } = round;
  if (verdicts.some(({ weight }) => weight !== null) && !isChain(round)) {
    const leavesFirst = (parent) => childrenOf(round, parent).flatMap((node) => [...leavesFirst(node), node]);
    return leavesFirst(-1).filter((node) => verdicts[node].u !== null);
  }
  const tested = [...verdicts.keys()].filter((node) => verdicts[node].verdict !== 'untested');
  return tested.sort((one, other) => verdicts[one].depth - verdicts[other].depth || one - other);
}

/**
 * For each place that decided the round: the guess that was accepted, else the last of its guesses to be refused. A
 * block continues to test guesses after that one; they decide nothing.
 */
export function placesOf({ verdicts, path, extra }) {
  return [...path, ...(extra && extra.node !== null ? [extra.node] : [])].map((node) => verdicts[node]);
}

/** The guesses that were tested at the places that decided the round, refused siblings too. */
export function decidingOf(round) {
  const places = placesOf(round).map(({ parent }) => parent);
  return round.verdicts.filter(({ parent, verdict }) => places.includes(parent) && verdict !== 'untested');
}

/** What the target's own token is: `resampled`, `bonus` or, where nothing was guessed, a `plain` step. */
export function ownState({ verdicts, extra }) {
  return verdicts.length ? extra.emission : 'plain';
}

/** How deep a round's draft went: the most guesses it could have kept. */
export function offeredOf({ verdicts }) {
  return Math.max(0, ...verdicts.map(({ depth }) => depth + 1));
}

/**
 * The guess whose p and q are in the figure while a node is looked at: the refused one where that is its
 * replacement.
 */
export function guessOf(round, node, settled) {
  if (node >= round.verdicts.length && settled && round.extra?.emission === 'resampled')
    return round.extra.node;
  return Math.min(node, round.verdicts.length);
}

/** True if a pace shows the run's own times, without motion. */
export function isReal(pace) {
  return pace in REAL;
}

/**
 * Where playback at a real pace is when a beat's time ran out `late` milliseconds ago: { at, left }.
 * Lost time is made up for, so several beats may pass at once.
 */
export function passed(story, at, pace, late) {
  const last = story.beats.length - 1;
  if (at >= last) return { at, left: 0 };
  let next = at + 1;
  let left = realStay(story, next, pace) - late;
  while (left <= 0 && next < last) {
    next += 1;
    left += realStay(story, next, pace);
  }
  return { at: next, left: Math.max(0, left) };
}

/** Milliseconds a beat stays at a real pace. */
export function realStay({ beats, trace }, at, pace) {
  return beats[at].kind === 'rest' ? 0 : REAL[pace] * measured(trace.rounds[beats[at].round], beats[at]);
}

/** Milliseconds the run itself spent on a beat: judging is timed as one, so its beats share it evenly. */
function measured(round, { kind, slot }) {
  const { timing, extra } = round;
  if (kind === 'draft') return levelTime(round, round.verdicts[slot].depth);
  if (kind === 'verify')
    return timing.verify + timing.draft.reduce((sum, { nodes, ms }) => sum + (nodes ? 0 : ms), 0);
  if (kind === 'gather') return timing.trim;
  if (kind === 'trim') return timing.overhead + (isGathered(round) ? 0 : timing.trim);
  if (['residual', 'adjust', 'join', 'result'].includes(kind)) return 0;
  const judged = 2 * (isBlock(round) ? 1 : testedOf(round).length) + (extra ? 1 : 0);
  return timing.accept / judged;
}

/** Milliseconds of each guess: those of a draft call share its time. */
function draftTimes(calls) {
  return calls.flatMap(({ nodes, ms }) => Array.from({ length: nodes }, () => ms / nodes));
}

/** Milliseconds that the guesses of one depth took. */
function levelTime(round, depth) {
  const times = draftTimes(round.timing.draft);
  return levelsOf(round)[depth].reduce((sum, node) => sum + times[node], 0);
}

/**
 * Milliseconds of each level of a draft: a call makes one guess, several at one place, or several in a row.
 */
export function levelTimes(calls, { verdicts }) {
  let from = 0;
  return calls.flatMap(({ nodes, ms }) => {
    const levels = new Set(verdicts.slice(from, (from += nodes)).map(({ depth }) => depth)).size;
    return Array.from({ length: levels }, () => ms / levels);
  });
}

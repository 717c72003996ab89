/**
 * tree.js: a round's guesses as the lane draws them: nodes with a parent, a column and a tier. Pure. A
 * chain is a tree with one branch; nothing depends on a guess's place in the list. The column is the depth.
 * Tier 1 is what the text will be; guesses that were rejected or that still wait are in tier 2 and below.
 */

import { apart, bytesOf, number, show, spelt } from '../../base/format.js';
import { speak } from '../../words/words.js';
import { branchOf, isSettled, isThrown, ORDER, stateOf } from '../../trace/moment.js';
import { lastBefore, token } from '../../trace/story.js';
import { ownState } from '../../trace/timeline.js';
import { ruleOf } from '../../rules/rules.js';
import { keepChance, letterAt, scored } from '../../trace/chance.js';
import { cheapDrafter, innerOf } from './inner.js';
import { isForced } from './grammar.js';
import { words } from '../words.js';

/** The edge to a guess, by its state. */
const EDGES = { draft: 'guess', accepted: 'kept', rejected: 'refused', untested: 'dropped' };
/** What a node has that says nothing. */
export const BARE = {
  token: null,
  state: null,
  p: null,
  q: null,
  keep: null,
  u: null,
  strip: null,
  weight: null,
  edge: 'none',
  inner: null,
  certain: false,
};

/**
 * The lane of a round at a moment: { shape, columns, root, nodes, focus, cheap }. The guesses come first,
 * as they were drawn; then the target's own token, or the place where a bonus would be; after a refusal
 * that place comes last. cheap: who guessed for the draft model, or ''.
 */
export function treeOf(story, round, moment, focus) {
  const { verdicts, path, extra } = round;
  const columns = Math.max(0, ...verdicts.map(({ depth }) => depth + 1)) + 1;
  const settled = isSettled(moment);
  const end = path.at(-1) ?? -1;
  const resampled = settled && extra?.emission === 'resampled';
  const line = mainline(round, moment);
  const last = [...line].at(-1) ?? -1;
  const nodes = verdicts.map((verdict, node) => guess(story, round, moment, verdict, node, line.has(node)));
  const place = { ...BARE, node: null, parent: last, column: columns, tier: 1, kind: 'empty' };
  const fromTarget = settled && extra && targetNode(round, { parent: end, column: path.length + 1 }, moment);
  const note = settled
    ? words.lane[extra ? 'notReached' : 'ended']
    : verdicts.length
      ? words.lane.bonusWaits
      : words.lane.ownOnly;
  const free = {
    ...place,
    note,
    label: !verdicts.length
      ? note
      : note === words.lane.bonusWaits
        ? words.lane.bonusIfAll
        : words.lane.bonusPlace({ note }),
  };
  if (fromTarget) nodes.push(fromTarget);
  if (!fromTarget || resampled) nodes.push(free);
  return {
    shape: 'chain',
    columns,
    root: rootOf(story, round),
    nodes: apartIn(nodes).map((node, index) => ({ ...node, focused: index === focus })),
    focus,
    cheap: cheapDrafter(verdicts),
    held: Boolean(story.trace.info.config.grammar),
  };
}

/** The text so far, which the first guesses hang on. */
export function rootOf(story, { position }) {
  const before = lastBefore(story, position);
  return { text: before ? `…${before.text}`.replace(/^…·+/u, '… ') : '…' };
}

/** What a guess shows at a moment, in a chain and in a tree; thrown: whether its random number landed. */
export function guessAt(round, moment, { node, parent, depth, text, token: id, q, u }) {
  const state = stateOf(round, moment, node);
  const thrown = isThrown(round, moment, node) && u !== null && ruleOf(moment.info).by === 'number';
  return {
    node,
    parent,
    column: depth + 1,
    kind: 'guess',
    state,
    token: state && token(text, id, state, null),
    q,
    p: moment.order >= ORDER.verify ? scored(round, node) : null,
    u: thrown ? u : null,
    thrown,
    edge: state ? EDGES[state] : 'none',
    weight: q,
  };
}

/** Nodes of a column outside the text are below each other. */
function apartIn(nodes) {
  const below = new Map();
  return nodes.map((node) => {
    if (node.tier === 1) return node;
    below.set(node.column, (below.get(node.column) ?? 1) + 1);
    return { ...node, tier: below.get(node.column) };
  });
}

function guess(story, round, moment, verdict, node, inLine) {
  const { thrown, ...seen } = guessAt(round, moment, verdict);
  const { state, column, parent, p, q } = seen;
  const tier = inLine ? tierOf(round, moment, state) : 2;
  if (!state) {
    const { notYet: note, empty } = words.lane;
    return { ...BARE, node, parent, column, tier, kind: 'empty', note, label: empty({ position: column }) };
  }
  const rest = moment.kind === 'rest';
  const known = p !== null && state !== 'untested';
  const keep = keepChance(verdict);
  const [u, chance] = thrown ? apart(verdict.u, keep) : ['', number(keep)];
  const measured = rest || (p !== null && !known) ? null : strip(moment, known, state, keep, seen.u);
  const note = rest ? words.lane.ends[state] : '';
  const inner = innerOf(verdict);
  const certain = isForced(verdict);
  const values = measured
    ? words.lane.values({ p: p === null ? null : number(p), q: number(q), name: letterAt(round, node) })
    : '';
  return {
    ...seen,
    tier,
    stands: letterAt(round, node),
    keep: known ? keep : null,
    strip: measured,
    inner,
    certain,
    note,
    label: words.lane.guess({
      position: column,
      text: named(story, round, moment, node, values),
      state: note || words.states[state],
      chance: known && ruleOf(moment.info).chances ? chance : '',
      u,
      inner: inner?.says,
      certain,
    }),
  };
}

/**
 * A guess for a screen reader, with the values that are under it; bytes say which character they are part
 * of, once all of it is there.
 */
function named({ text, places }, round, moment, node, values) {
  const { verdicts } = round;
  const label = speak(verdicts[node].text) + values;
  if (!bytesOf(verdicts[node].text)) return label;
  const codes = [];
  const open = text
    .slice(places[round.position]?.from ?? round.position, round.position)
    .flatMap((each) => each.codes ?? []);
  const branch = branchOf(round, node);
  for (
    let at = node;
    at >= 0 && stateOf(round, moment, at) !== null;
    at = verdicts.findIndex(({ parent }) => parent === branch.at(-1))
  ) {
    if (at !== node) branch.push(at);
  }
  for (const at of branch) {
    const part = bytesOf(verdicts[at].text);
    if (!part) {
      if (branch.indexOf(at) > branch.indexOf(node)) break;
      open.length = codes.length = 0;
    } else {
      codes.push(...part);
      const letter = spelt([...open, ...codes]);
      if (letter !== null && branch.indexOf(at) >= branch.indexOf(node))
        return words.lane.part({ bytes: label, letter: show(letter) });
      if (letter !== null) open.length = codes.length = 0;
    }
  }
  return words.lane.part({ bytes: label, letter: null });
}

/**
 * The chance of a guess as a bar from 0 to 1. Where no number is drawn it fills, or not, with the verdict.
 */
function strip({ info }, known, state, keep, dart) {
  if (ruleOf(info).by === 'number') return { accept: known ? keep : 0, known, dart };
  const accepted = state === 'accepted';
  return { accept: accepted ? 1 : 0, known: accepted || state === 'rejected', dart: null };
}

/**
 * The branch the text may take as far as the round has come, as a set of nodes: at each fork the accepted
 * guess, else the first that may still be, else the last that was refused.
 */
function mainline(round, moment) {
  const { verdicts } = round;
  const line = new Set();
  let at = -1;
  for (;;) {
    const forks = verdicts.map((_, node) => node).filter((node) => verdicts[node].parent === at);
    const states = new Map(forks.map((node) => [node, stateOf(round, moment, node)]));
    const next =
      forks.find((node) => states.get(node) === 'accepted') ??
      forks.find((node) => states.get(node) !== 'rejected') ??
      forks.at(-1);
    if (next === undefined) return line;
    line.add(next);
    at = next;
  }
}

/** What never counted steps down once that is known; the refused guess when its place is taken. */
function tierOf(round, moment, state) {
  if (state === 'untested') return 2;
  return state === 'rejected' && isSettled(moment) && round.extra?.emission === 'resampled' ? 2 : 1;
}

/** The target's own token, once it is drawn. */
export function targetNode(round, at, moment) {
  const { extra } = round;
  const state = ownState(round);
  return {
    ...BARE,
    ...at,
    node: null,
    tier: 1,
    kind: 'own',
    state,
    token: token(extra.text, extra.token, state, null),
    p: extra.p,
    edge: state === 'bonus' ? 'bonus' : 'own',
    note: moment.kind === 'rest' ? words.lane.ends[state] : '',
    label: words.lane.own({ position: at.column, text: speak(extra.text), state: words.states[state] }),
  };
}

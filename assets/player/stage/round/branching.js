/**
 * branching.js: a round whose guesses fork, as the stage draws it: nodes that hang on each other, and the
 * siblings under test. Pure. A chain is drawn by tree.js.
 */

import { apart, inSentence, number, plainName } from '../../base/format.js';
import { speak } from '../../words/words.js';
import { branchOf, isSettled, isThrown, ORDER, stateOf } from '../../trace/moment.js';
import { token } from '../../trace/story.js';
import { childrenOf, offeredOf } from '../../trace/timeline.js';
import { ruleOf } from '../../rules/rules.js';
import { elders, keepChance, letterAt, scored } from '../../trace/chance.js';
import { isTargetToken } from './bars.js';
import { waits } from './ruler.js';
import { BARE, guessAt, targetNode, rootOf } from './tree.js';
import { words } from '../words.js';

/** The most siblings in the trial line. */
const TRIED = 4;
/** A guess that was chosen without q gets an edge as wide as this q would. */
const CHOSEN = 0.1;
const RANK = {
  focus: 200,
  own: 180,
  path: 150,
  accepted: 140,
  rejected: 90,
  sibling: 70,
  child: 50,
  likely: 20,
};

/**
 * The tree of a round at a moment: { shape, columns, root, nodes, focus, places, trial, drafters, rows }.
 * The guesses come first, as they were drawn; then the target's own token, which has its place from the
 * first beat on and is seen when it is drawn. drafters: [[letter, name], ...] where several guess; rows:
 * the most nodes a column holds.
 */
export function branchesOf(story, round, moment, focus) {
  const { verdicts, path, extra, position } = round;
  const end = path.at(-1) ?? -1;
  const parent = isTargetToken(round, moment, focus) ? end : (verdicts[focus]?.parent ?? -1);
  const line = new Set(focus < verdicts.length ? branchOf(round, focus) : path);
  const drafters = [...new Set(verdicts.map(({ source }) => source.who))];
  const nodes = verdicts.map((verdict) => guess(round, moment, verdict, { focus, parent, line, drafters }));
  if (extra) nodes.push(targetPlace(round, moment, { parent: end, column: path.length + 1 }));
  const columns = Math.max(offeredOf(round), extra ? path.length + 1 : 0);
  const each = Array.from(
    { length: columns },
    (_, at) => nodes.filter(({ column }) => column === at + 1).length,
  );
  return {
    shape: 'tree',
    columns,
    root: rootOf(story, round),
    focus,
    nodes: nodes.map((node, index) => ({ ...node, focused: index === focus })),
    places: Array.from({ length: columns + 1 }, (_, at) => position - 1 + at),
    trial: trial(story, round, moment, focus, parent),
    drafters: drafters.length > 1 ? drafters.map((who) => [letter(who), plainName(who)]) : [],
    rows: Math.max(...each),
  };
}

const letter = (who) => (who[0] ?? '').toLowerCase();

function guess(round, moment, verdict, looked) {
  const { node, parent, depth, q, text, source } = verdict;
  const siblings = childrenOf(round, parent);
  const order = siblings.indexOf(node) + 1;
  const { thrown, ...seen } = guessAt(round, moment, verdict);
  const [u, chance] = thrown ? apart(verdict.u, keepChance(verdict)) : ['', ''];
  const several = looked.drafters.length > 1;
  return {
    ...seen,
    order,
    siblings: siblings.length,
    text,
    keep: thrown ? keepChance(verdict) : null,
    weight: verdict.law === 'point' ? CHOSEN : q,
    slot: round.position + node,
    letter: several ? letter(source.who) : '',
    rank: rank(seen, looked) + RANK.likely * likely(round, node),
    label: seen.state
      ? words.lane.branch({
          text: speak(text),
          who: several ? plainName(source.who) : '',
          level: depth + 1,
          order,
          siblings: siblings.length,
          state: words.states[seen.state],
          chance,
          u,
        })
      : words.lane.empty({ position: depth + 1 }),
  };
}

/** How much a guess matters, by which chips are given out. */
function rank({ node, parent, state }, { focus, parent: tested, line }) {
  if (node === focus) return RANK.focus;
  if (line.has(node)) return RANK.path;
  if (state === 'accepted') return RANK.accepted;
  if (state === 'rejected') return RANK.rejected;
  if (parent === tested) return RANK.sibling;
  return parent === focus ? RANK.child : 0;
}

/** The product of q along a branch, up to a guess. */
function likely(round, node) {
  return branchOf(round, node).reduce((product, each) => product * round.verdicts[each].q, 1);
}

/** The target's own token, or its place until it is drawn. */
function targetPlace(round, moment, at) {
  const shown = isSettled(moment)
    ? targetNode(round, at, moment)
    : { ...BARE, ...at, node: null, kind: 'coming', label: words.lane.empty({ position: at.column }) };
  return { ...shown, order: 1, siblings: 1, text: round.extra.text, letter: '', rank: RANK.own };
}

/**
 * The siblings where the round is looked at, in the order they are tried: { after, tries: [{ node, turn,
 * text, state, says, now }], before, more }; those there is no room for are counted.
 */
function trial(story, round, moment, focus, parent) {
  const all = childrenOf(round, parent).filter((node) => stateOf(round, moment, node) !== null);
  const at = Math.max(0, all.indexOf(focus));
  const first = Math.max(0, Math.min(at - 1, all.length - TRIED));
  const tries = all.slice(first, first + TRIED).map((node) => {
    const verdict = round.verdicts[node];
    const state = stateOf(round, moment, node);
    return {
      node,
      turn: first + all.slice(first).indexOf(node) + 1,
      text: token(verdict.text, verdict.token, state, null).text,
      state,
      says: said(round, moment, verdict, state),
      now: node === focus,
    };
  });
  const before = story.text[round.position - 1]?.text.replace(/^·+(?=.)/u, '') ?? '';
  return {
    after: parent < 0 ? before : inSentence(round.verdicts[parent].text),
    tries,
    before: first,
    more: all.length - first - tries.length,
    none: all.length ? '' : moment.order >= ORDER.verify ? words.trial.leaf : '',
  };
}

/**
 * The number beside a sibling: its chance once its number has landed, before that what p or p′ gives it, or
 * q.
 */
function said(round, moment, verdict, state) {
  const { by, cools, chances } = ruleOf(moment.info);
  if (cools) return [];
  if (state !== 'untested' && chances && isThrown(round, moment, verdict.node))
    return [number(keepChance(verdict))];
  const primed =
    by === 'number' &&
    verdict.weight === null &&
    state !== 'untested' &&
    elders(round, verdict.node).length &&
    !waits(round, moment, verdict.node);
  if (primed) return [{ var: 'p′' }, ` ${number(verdict.p)}`];
  const p = moment.order >= ORDER.verify ? scored(round, verdict.node) : null;
  return p === null
    ? [{ var: 'q' }, ` ${number(verdict.q)}`]
    : [{ var: letterAt(round, verdict.node) }, ` ${number(p)}`];
}

/**
 * The node that a key leads to from another: up to its parent, down to the child on the kept path or the
 * first, beside it.
 */
export function turned({ nodes }, from, key) {
  const seen = (index) => nodes[index].state !== null;
  const { parent, column } = nodes[from];
  if (key === 'ArrowLeft') return parent < 0 ? from : parent;
  if (key === 'ArrowRight') {
    const below = nodes.flatMap((node, index) =>
      node.parent === from && seen(index) && nodes[from].kind === 'guess' ? [index] : [],
    );
    return (
      below.find((index) => ['accepted', 'resampled', 'bonus', 'plain'].includes(nodes[index].state)) ??
      below[0] ??
      from
    );
  }
  const order = (parent_) =>
    nodes.flatMap((node, index) =>
      node.parent === parent_ ? [index, ...(node.kind === 'guess' ? order(index) : [])] : [],
    );
  const level = order(-1).filter((index) => nodes[index].column === column && seen(index));
  return level[level.indexOf(from) + (key === 'ArrowUp' ? -1 : 1)] ?? from;
}

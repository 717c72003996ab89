/**
 * moment.js: where in its round a beat is, and what that makes of each guess.
 * Pure: from a trace and a beat of timeline.js.
 */

import { isBlock, testedOf } from './timeline.js';

/** How far a round has come at a kind of beat. The picture at rest is that of a round that is over. */
export const ORDER = {
  draft: 0,
  verify: 1,
  dart: 2,
  verdict: 3,
  adjust: 3,
  residual: 4,
  replace: 5,
  bonus: 5,
  join: 6,
  gather: 6,
  trim: 6,
  rest: 6,
  result: 6,
};

/**
 * A beat with its place in the round's order, the result being the end of its round, and what the trace says of its
 * run, see specviz/trace/info.py.
 */
export function momentOf({ info }, beat) {
  const kind = beat.kind === 'result' ? 'trim' : beat.kind;
  return { ...beat, kind, order: ORDER[kind], info };
}

/** True if the round's tokens have joined the text. */
export function isJoined({ order }) {
  return order >= ORDER.join;
}

/** True if the round's verdicts are all in and the target's own token is drawn. */
export function isSettled({ order }) {
  return order >= ORDER.replace;
}

/** The branch of a guess: its ancestors from the first on, then itself. */
export function branchOf({ verdicts }, node) {
  const branch = [];
  for (let at = node; at >= 0; at = verdicts[at].parent) branch.unshift(at);
  return branch;
}

/** The descendants of a guess. */
export function under(round, node) {
  return round.verdicts
    .filter((each) => each.node !== node && branchOf(round, each.node).includes(node))
    .map((each) => each.node);
}

/**
 * Why a guess was never tested: the guess it hangs on that was refused, or the one that took its place;
 * null otherwise.
 */
export function passedOver(round, node) {
  const { verdicts } = round;
  for (const at of branchOf(round, node)) {
    if (verdicts[at].verdict === 'rejected') return { refused: at, kept: null };
    const kept = verdicts.find(
      ({ parent, verdict }) => parent === verdicts[at].parent && verdict === 'accepted',
    );
    if (kept && kept.node !== at) return { refused: null, kept: kept.node };
  }
  return null;
}

/** The state of a guess at a moment, null while it is still to come. */
export function stateOf(round, { kind, slot: now, order }, slot) {
  const { verdict, depth } = round.verdicts[slot];
  if (kind === 'draft') return depth <= round.verdicts[now].depth ? 'draft' : null;
  if (kind === 'verify') return 'draft';
  if (order >= ORDER.residual) return verdict;
  if (isBlock(round)) return kind === 'dart' ? 'draft' : verdict;
  const tested = testedOf(round);
  const judged = tested.indexOf(now) + (kind === 'verdict' ? 1 : 0);
  if (judged === tested.length) return verdict;
  const decides = verdict === 'untested' ? passedOver(round, slot) : { kept: slot };
  const since = tested.indexOf(decides?.refused ?? decides?.kept);
  return since >= 0 && since < judged ? verdict : 'draft';
}

/** True if the random number that tests a guess has landed. */
export function isThrown(round, { kind, order, slot: now }, slot) {
  const tested = testedOf(round);
  if (!tested.includes(slot)) return false;
  if (order >= ORDER.residual || (isBlock(round) && order >= ORDER.dart)) return true;
  return order >= ORDER.dart && tested.indexOf(slot) <= tested.indexOf(now) - (kind === 'adjust' ? 1 : 0);
}

/**
 * The node a beat is about: a guess, or the target's own token, which is node `verdicts.length`. The check
 * looks at the first guess, the roll-back at the token the round ended with.
 */
export function followed(round, { kind, slot }) {
  const { path, extra, verdicts } = round;
  if (kind === 'replace' || kind === 'bonus') return verdicts.length;
  if (kind === 'residual') return extra.node;
  if (slot !== null) return slot;
  if (kind === 'verify') return 0;
  return extra ? verdicts.length : (path.at(-1) ?? 0);
}

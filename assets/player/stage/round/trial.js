/**
 * trial.js: the siblings under test where guesses fork. Pure.
 */

import { inSentence, number } from '../../base/format.js';
import { isThrown, ORDER, stateOf } from '../../trace/moment.js';
import { token } from '../../trace/story.js';
import { childrenOf } from '../../trace/timeline.js';
import { ruleOf } from '../../rules/rules.js';
import { elders, keepChance, letterAt, scored } from '../../trace/chance.js';
import { waits } from './ruler.js';
import { words } from '../words.js';

/** The most siblings in the trial line. */
const TRIED = 4;

/**
 * The siblings where the round is looked at, in the order they are tried: { after, tries: [{ node, turn,
 * text, state, says, now }], before, more }; those there is no room for are counted.
 */
export function trialOf(story, round, moment, focus, parent) {
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

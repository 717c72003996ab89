/**
 * suppose.js: what would have come of a round had a random number fallen elsewhere. Pure: the recorded round, with what
 * its own p, q and residual make of the other number.
 */

import { keepChance } from '../../trace/chance.js';
import { isChain } from '../../trace/timeline.js';
import { ruleOf } from '../../rules/rules.js';
import { ruler } from './ruler.js';

/** Whether the number on a ruler may be moved: in a chain whose guesses are tested by a number each. */
export function isMovable(round, { info }, { kind, dart }) {
  const { by, weighs } = ruleOf(info, round.verdicts[0]);
  return (
    ['accept', 'residual'].includes(kind) && dart !== null && isChain(round) && by === 'number' && !weighs
  );
}

/** The round with u as the number that tests a guess; guesses after it wait, or are dropped. */
export function judgedBy(round, info, slot, u) {
  const accepted = u < keepChance(round.verdicts[slot]);
  const verdict = accepted ? 'accepted' : 'rejected';
  const same = round.verdicts[slot].verdict === verdict;
  const later = (each) => (same ? each : { ...each, verdict: accepted ? 'draft' : 'untested' });
  const verdicts = round.verdicts.map((each, node) => {
    if (node === slot) return { ...each, verdict, u };
    return node > slot ? later(each) : each;
  });
  const path = round.verdicts.slice(0, slot + (accepted ? 1 : 0)).map(({ node }) => node);
  const extra = accepted || same ? round.extra : drawnBy(round, info, slot, round.extra?.u ?? 0);
  return same ? { ...round, verdicts } : { ...round, verdicts, path, extra };
}

/**
 * The target's own token where u falls on what the rejection of a guess leaves of p; its token is null among those that
 * have no place of their own on the ruler.
 */
export function drawnBy(round, info, node, u) {
  const { view } = round.verdicts[node];
  const rejected = { ...round, extra: { node } };
  const { segments } = ruler(rejected, { kind: 'residual', order: 4, slot: node, info }, node);
  const { start, share, token } = segments.findLast((segment) => segment.start <= u);
  const bar = view.bars.find((each) => each.token === token);
  const { p = null, text = '…' } = bar ?? {};
  return {
    emission: 'resampled',
    node,
    zero_residual: false,
    token,
    text,
    p,
    u,
    low: start,
    high: start + share,
    view,
  };
}

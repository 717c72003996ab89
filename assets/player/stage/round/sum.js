/**
 * sum.js: the sum beside the figure: what is worked out at this beat, in words, as a formula, as a verdict.
 * Pure. An entry is { label, terms, verdict }; terms are pieces of mathematics: text, { var }, { sub }, {
 * frac: [top, bottom] }.
 */

import { inSentence, number, times } from '../../base/format.js';
import { isJoined, isSettled, passedOver, stateOf } from '../../trace/moment.js';
import { elders, viewAt } from '../../trace/chance.js';
import { v } from '../../rules/number.js';
import { ruleOf } from '../../rules/rules.js';
import { WEIGHED } from '../../rules/weighed.js';
import { isTargetToken } from './bars.js';
import { evidence } from './inner.js';
import { ownState } from '../../trace/timeline.js';
import { waits } from './ruler.js';
import { words } from '../words.js';

const over = (letter) => ['(', v(letter), ' − ', v('q'), ')⁺'];
/** What the target's own token is. */
const ownOf = (state) => ({
  text: words.sum[{ bonus: 'bonus', resampled: 'replacement', plain: 'step' }[state]],
  state,
  late: true,
});

/** The entries at a node. */
export function sum(round, moment, focus) {
  const { kind } = moment;
  if (isTargetToken(round, moment, focus))
    return [
      ...targetSum(round, ruleOf(moment.info, round.verdicts[round.extra.node])),
      ...totals(round, moment),
    ];
  const node = kind === 'residual' ? round.extra.node : focus;
  const verdict = round.verdicts[node];
  const rule = ruleOf(moment.info, verdict);
  const state = verdict && stateOf(round, moment, node);
  if (!state)
    return [
      {
        label:
          words.sum[
            isSettled(moment)
              ? round.extra
                ? 'notReached'
                : 'ended'
              : round.verdicts.length
                ? 'waits'
                : 'plain'
          ],
      },
    ];
  if (kind === 'residual' && focus === node) return left(viewAt(round, node));
  if (kind === 'draft') return guessed(verdict, rule);
  if (state === 'untested')
    return [
      {
        label:
          words.sum[
            isSettled(moment) && !round.extra
              ? 'ended'
              : (passedOver(round, node)?.kept ?? -1) >= 0
                ? 'passed'
                : 'untested'
          ],
      },
    ];
  if (kind === 'adjust' && node === moment.slot) return adjusted(round, verdict);
  if (rule.by === 'number' && waits(round, moment, node)) return [{ label: words.sum.sibling }];
  return rule.terms(round, moment, verdict);
}

/** The chance of a guess in its draft, and how it was drawn. */
function guessed(verdict, rule) {
  if (rule.bare) return rule.terms();
  const chosen = verdict.law === 'point';
  const chance = {
    label: words.sum[chosen ? 'chosen' : 'guess']({ text: inSentence(verdict.text) }),
    terms: [v('q'), ` = ${number(verdict.q)}`],
  };
  if (chosen) return [chance];
  if (rule.guessed) return rule.guessed(verdict, chance);
  if (verdict.draft_u === null) return [chance, { label: evidence(verdict) || words.sum.steps }];
  return [chance, { label: words.sum.number, terms: [v('u'), ` = ${number(verdict.draft_u)}`] }];
}

/** What a guess is tested against at a place: v where a lossy rule puts that there, else p. */
const letterOf = ({ target }) => (target ? 'v' : 'p');

/**
 * What a refused sibling leaves: all that is left grows by one factor, and so does the chance of the next.
 */
function adjusted(round, { node, text, p }) {
  const elder = round.verdicts[elders(round, node).at(-1)];
  const { left: mass } = viewAt(round, elder.node);
  const struck =
    elder.law === 'point'
      ? [v('p′'), `(${inSentence(elder.text)}) ← 0`]
      : [v('p′'), ' ← ', ...over(letterOf(elder.view))];
  return [
    { label: words.sum.grows, terms: [...struck, ` × ${times(1 / mass)}`] },
    { label: words.sum.adjusted({ text: inSentence(text) }), terms: [v('p′'), ` = ${number(p)}`] },
  ];
}

function left({ left: all, weight, target }) {
  const mass = number(all);
  return [
    {
      label: words.sum.left,
      terms: ['Σ ', ...(weight ? WEIGHED : over(letterOf({ target }))), ` = ${mass}`],
    },
    { label: words.sum.stretch, terms: ['× ', { frac: [['1'], [mass]] }, ` = ×${times(1 / all)}`] },
  ];
}

/** How the target's own token came about. */
function targetSum(round, rule) {
  const { extra } = round;
  const [text, verdict] = [inSentence(extra.text), ownOf(ownState(round))];
  if (rule.by === 'same') return [{ ...rule.own(extra), verdict }];
  const number_ = {
    label: words.sum.number,
    terms: [v('u'), extra.u === null ? `: ${words.untold}` : ` = ${number(extra.u)}`],
    verdict,
  };
  if (extra.emission === 'bonus' || extra.zero_residual || rule.by !== 'number')
    return [{ label: words.sum.target({ text }), terms: [v('p'), ` = ${number(extra.p)}`] }, number_];
  if (extra.token === null) return [number_];
  const { left: mass, weight, target } = viewAt(round, extra.node);
  const excess = extra.view.bars.find(({ token }) => token === extra.token).residual;
  return [
    {
      label: words.sum.share({ text }),
      terms: [
        { frac: [weight ? WEIGHED : over(letterOf({ target })), [number(mass)]] },
        ' = ',
        { frac: [[number(excess)], [number(mass)]] },
        ` = ${number(excess / mass)}`,
      ],
    },
    number_,
  ];
}

/** What the round came to, once it is over. */
function totals(round, moment) {
  return isJoined(moment) ? [{ label: words.sum.total({ tokens: round.path.length + 1 }) }] : [];
}

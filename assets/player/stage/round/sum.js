/**
 * sum.js: the sum beside the figure: what is worked out at this beat, in words, as a formula, as a verdict.
 * Pure. An entry is { label, terms, verdict }; terms are pieces of mathematics: text, { var }, { sub }, {
 * frac: [top, bottom] }.
 */

import { apart, inSentence, number, times } from '../../base/format.js';
import { isJoined, isSettled, isThrown, momentAt, ORDER, passedOver, stateOf } from '../../trace/moment.js';
import { isPassedBy, thresholdOf } from '../../trace/threshold.js';
import { elders, isTargetToken, keepChance, viewAt, weightAfter } from './bars.js';
import { evidence } from './inner.js';
import { childrenOf, isChain, ownState } from '../../trace/timeline.js';
import { waits } from './ruler.js';
import { words } from '../words.js';

const v = (letter) => ({ var: letter });
const over = (letter) => ['(', v(letter), ' − ', v('q'), ')⁺'];
const WEIGHED = ['(', v('ρ'), v('p'), ' − ', v('q'), ')⁺'];

/** The verdict on a guess. */
const judged = (won) =>
  won ? { text: words.sum.accept, state: 'accepted' } : { text: words.sum.reject, state: 'rejected' };

/** What the target's own token is. */
const ownOf = (state) => ({
  text: words.sum[{ bonus: 'bonus', resampled: 'replacement', plain: 'step' }[state]],
  state,
  late: true,
});

/** The entries at a node. */
export function sum(round, whole, focus) {
  const { kind } = whole;
  if (isTargetToken(round, whole, focus))
    return targetSum(round, momentAt(whole, round.verdicts[round.extra.node]));
  const node = kind === 'residual' ? round.extra.node : focus;
  const verdict = round.verdicts[node];
  const moment = momentAt(whole, verdict);
  const { noDice } = moment;
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
  if (kind === 'draft') return guessed(verdict, noDice);
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
  if (!noDice && waits(round, moment, node)) return [{ label: words.sum.sibling }];
  if (noDice === 'typical') return compared(verdict, state, moment);
  return noDice ? matched(verdict, state, noDice) : tested(round, moment, node);
}

function guessed(verdict, noDice) {
  const [text, q] = [inSentence(verdict.text), number(verdict.q)];
  if (noDice === 'greedy' && verdict.law === 'row')
    return [
      {
        label: words.sum.likeliest,
        terms: [{ frac: [['argmax'], [v('x')]] }, ' ', v('q'), `(x) = ${words.quoted({ token: text })}`],
      },
    ];
  const chance = {
    label: words.sum[verdict.law === 'point' ? 'chosen' : 'guess']({ text }),
    terms: [v('q'), ` = ${q}`],
  };
  if (verdict.law === 'point') return [chance];
  const drawn = !noDice || noDice === 'typical';
  if (verdict.draft_u === null && drawn) return [chance, { label: evidence(verdict) || words.sum.steps }];
  if (!drawn) return [chance, { label: words.sum.noise, terms: ['argmax(log ', v('q'), ' + ', v('g'), ')'] }];
  return [chance, { label: words.sum.number, terms: [v('u'), ` = ${number(verdict.draft_u)}`] }];
}

function tested(round, moment, node) {
  const verdict = round.verdicts[node];
  const keep = keepChance(verdict);
  const thrown = isThrown(round, moment, node);
  const decided = stateOf(round, moment, node) !== 'draft';
  const [u, chance] = thrown ? apart(verdict.u, keep) : ['', number(keep)];
  const [p, q] = [number(verdict.p), number(verdict.q)];
  const sure = verdict.p >= verdict.q;
  const tops = v(elders(round, node).length ? 'p′' : letterOf(verdict.view));
  const entries =
    verdict.weight !== null
      ? weighed(round, verdict, p, q, chance)
      : [
          {
            label: words.sum.chance({ text: inSentence(verdict.text) }),
            terms: sure
              ? [tops, ` = ${p} ≥ ${q} = `, v('q'), ' → 1']
              : [{ frac: [[tops], [v('q')]] }, ' = ', { frac: [[p], [q]] }, ' = ', chance],
          },
        ];
  if (verdict.view.target) entries.unshift(...mixed(verdict, moment.ensemble));
  if (thrown) {
    entries.push({
      label: verdict.weight === null ? words.sum.number : null, // what it is weighed by needs the room
      terms: [v('u'), ` = ${u} ${verdict.u < keep ? '<' : '≥'} ${chance}`],
      verdict: decided ? (isRescued(verdict) ? words.sum.rescued : judged(verdict.u < keep)) : null,
    });
  }
  return entries;
}

/** What a guess is tested against at a place: v where a lossy rule puts that there, else p. */
function letterOf({ target }) {
  return target ? 'v' : 'p';
}

/** What a lossy rule mixes, and how far that is from the target. arXiv:2604.07622. */
function mixed({ q, token, view }, { weight }) {
  const own = number(view.target[view.bars.findIndex((bar) => bar.token === token)]);
  const [one, rest] = [weight, 1 - weight].map((share) => String(Number(share.toFixed(3))));
  return [
    { label: words.sum.mixed, terms: [v('v'), ` = ${one} · ${own} + ${rest} · ${number(q)}`] },
    { label: words.sum.apart, terms: ['TVD(', v('v'), ', ', v('p'), `) = ${number(view.distance ?? 0)}`] },
  ];
}

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

/** A guess kept by a later one, though its own number was too high. */
export function isRescued({ verdict, weight, u, accept_prob: keep }) {
  return weight !== null && verdict === 'accepted' && u >= keep;
}

/** The weight of the guesses so far, and the chance that all of them stand. arXiv:2403.10444. */
function weighed(round, { node, text, weight: tokenWeight, mass }, p, q, chance) {
  const before = number(viewAt(round, node).weight ?? 1);
  const taken = childrenOf(round, node).filter((child) => round.verdicts[child].verdict === 'rejected');
  const weight = isChain(round) ? tokenWeight : weightAfter(round, node, taken.slice(0, -1));
  const [name, value] = [[v('ρ')], number(tokenWeight)];
  return [
    {
      label: words.sum.weight({ text: inSentence(text) }),
      terms: [...name, ` = min(1, ${before} · `, { frac: [[p], [q]] }, `) = ${value}`],
    },
    ...(mass === null
      ? []
      : [{ label: words.sum.rest, terms: [v('Z'), ' = Σ ', ...WEIGHED, ` = ${number(mass)}`] }]),
    {
      label: words.sum.block({ text: inSentence(text) }),
      terms:
        mass === null
          ? [v('h'), ' = ', ...name, ` = ${chance}`]
          : [
              v('h'),
              ' = ',
              { frac: [[v('Z')], [v('Z'), ' + 1 − ', ...name]] },
              ' = ',
              { frac: [[number(mass)], [number(mass + (1 - weight))]] },
              ` = ${chance}`,
            ],
    },
  ];
}

/** p against its threshold, which its entropy sets. arXiv:2401.10774. */
function compared(verdict, state, moment) {
  if (verdict.rank) return ranked(verdict, state, moment);
  const { entropy = 0, p } = verdict;
  const needed = thresholdOf(verdict, moment.threshold);
  const { epsilon, delta } = moment.threshold;
  const [chance, mark] = apart(p, needed);
  const decided = state !== 'draft';
  const result = isPassedBy(verdict) ? words.sum.passedBy : judged(p > needed);
  return [
    { label: words.sum.entropy, terms: [v('H'), ' = −Σ ', v('p'), ' ln ', v('p'), ` = ${number(entropy)}`] },
    {
      label: words.sum.threshold,
      terms: [v('τ'), ` = min(${epsilon}, ${delta} exp(−`, v('H'), `)) = ${mark}`],
    },
    ...(moment.order < ORDER.dart
      ? []
      : [
          {
            label: words.sum.target({ text: inSentence(verdict.text) }),
            terms: [v('p'), ` = ${chance} ${p > needed ? '>' : '≤'} ${mark} = `, v('τ')],
            verdict: decided ? result : null,
          },
        ]),
  ];
}

/** Where a guess between think tags stands among the target's tokens. */
function ranked(verdict, state, moment) {
  const { top, delta } = moment.relaxation;
  const [chance, mark] = apart(verdict.p, thresholdOf(verdict, moment.relaxation));
  const near = verdict.p >= thresholdOf(verdict, moment.relaxation);
  return [
    { label: words.sum.thinking({ top, delta }) },
    ...(moment.order < ORDER.dart
      ? []
      : [
          { label: words.sum.rank, terms: [`${verdict.rank} ${verdict.rank <= top ? '≤' : '>'} ${top}`] },
          {
            label: words.sum.target({ text: inSentence(verdict.text) }),
            terms: [v('p'), ` = ${chance} ${near ? '≥' : '<'} ${mark} = max `, v('p'), ` − ${delta}`],
            verdict: state === 'draft' ? null : judged(state === 'accepted'),
          },
        ]),
  ];
}

/** Where no number is drawn, equality decides. */
function matched(verdict, state, noDice) {
  const sign = { accepted: ' = ', rejected: ' ≠ ' }[state] ?? ' ≟ ';
  const side = (letter) =>
    noDice === 'greedy' ? ['argmax ', v(letter)] : ['argmax(log ', v(letter), ' + ', v('g'), ')'];
  return [
    {
      label: words.sum[noDice],
      terms: [...side('q'), sign, ...side('p')],
      verdict: state === 'draft' ? null : judged(state === 'accepted'),
    },
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

function targetSum(round, moment) {
  const { extra } = round;
  const [text, verdict] = [inSentence(extra.text), ownOf(ownState(round))];
  const { noDice } = moment;
  if (noDice && noDice !== 'typical') {
    const terms =
      noDice === 'greedy'
        ? [{ frac: [['argmax'], [v('x')]] }, ' ', v('p'), `(x) = ${words.quoted({ token: text })}`]
        : ['argmax(log ', v('p'), ' + ', v('g'), `) = ${words.quoted({ token: text })}`];
    return [
      { label: words.sum[noDice === 'greedy' ? 'first' : 'pick'], terms, verdict },
      ...totals(round, moment),
    ];
  }
  const number_ = {
    label: words.sum.number,
    terms: [v('u'), extra.u === null ? `: ${words.untold}` : ` = ${number(extra.u)}`],
    verdict,
  };
  if (extra.emission === 'bonus' || extra.zero_residual || noDice) {
    return [
      { label: words.sum.target({ text }), terms: [v('p'), ` = ${number(extra.p)}`] },
      number_,
      ...totals(round, moment),
    ];
  }
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
    ...totals(round, moment),
  ];
}

/** What the round came to, once it is over. */
function totals(round, moment) {
  return isJoined(moment) ? [{ label: words.sum.total({ tokens: round.path.length + 1 }) }] : [];
}

/**
 * sum.js: the sum beside the figure: what is worked out at this beat, in words, as a formula, as a verdict.
 * Pure. An entry is { label, terms, verdict }; terms are pieces of mathematics: text, { var }, { sub }, { frac: [top, bottom] }.
 */

import { apart, number, plain, times } from '../base/format.js';
import { isSettled, isThrown, ORDER, stateOf } from '../trace/moment.js';
import { isOwn, keepChance } from './bars.js';
import { words } from './words.js';

const v = (letter) => ({ var: letter });
const OVER = ['(', v('p'), ' − ', v('q'), ')⁺'];

/** The entries at a node. */
export function sum(round, moment, focus) {
  const { kind, noDice } = moment;
  if (isOwn(round, moment, focus)) return own(round, moment);
  const node = kind === 'residual' ? round.extra.node : focus;
  const verdict = round.verdicts[node];
  const state = verdict && stateOf(round, moment, node);
  if (!state) return [{ label: words.sum[isSettled(moment) ? (round.extra ? 'notReached' : 'ended') : round.verdicts.length ? 'waits' : 'plain'] }];
  if (kind === 'residual' && focus === node) return left(verdict.view);
  if (kind === 'draft') return guessed(verdict, noDice);
  if (state === 'untested') return [{ label: words.sum[isSettled(moment) && !round.extra ? 'ended' : 'untested'] }];
  return noDice ? matched(verdict, state, noDice) : tested(round, moment, node);
}

function guessed(verdict, noDice) {
  const [text, q] = [plain(verdict.text), number(verdict.q)];
  if (noDice === 'greedy' && verdict.law === 'row') return [{ label: words.sum.likeliest, terms: [{ frac: [['argmax'], [v('x')]] }, ' ', v('q'), `(x) = “${text}”`] }];
  const chance = { label: words.sum.guess(text), terms: [v('q'), ` = ${q}`] };
  if (verdict.law === 'point') return [{ label: words.sum.chosen(text), terms: chance.terms }];
  if (noDice) return [chance, { label: words.sum.noise, terms: ['argmax(log ', v('q'), ' + ', v('g'), ')'] }];
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
  const entries = [{
    label: words.sum.chance(plain(verdict.text)),
    terms: sure ? [v('p'), ` = ${p} ≥ ${q} = `, v('q'), ' → 1'] : [{ frac: [[v('p')], [v('q')]] }, ' = ', { frac: [[p], [q]] }, ' = ', chance],
  }];
  if (thrown) {
    entries.push({
      label: words.sum.number,
      terms: [v('u'), ` = ${u} ${verdict.u < keep ? '<' : '≥'} ${chance}`],
      verdict: decided ? words.sum.verdict(verdict.u < keep) : null,
    });
  }
  return entries;
}

/** Where no number is drawn, equality decides. */
function matched(verdict, state, noDice) {
  const sign = { accepted: ' = ', rejected: ' ≠ ' }[state] ?? ' ≟ ';
  const side = (letter) => (noDice === 'greedy' ? ['argmax ', v(letter)] : ['argmax(log ', v(letter), ' + ', v('g'), ')']);
  return [{
    label: words.sum[noDice](plain(verdict.text)),
    terms: [...side('q'), sign, ...side('p')],
    verdict: state === 'draft' ? null : words.sum.verdict(state === 'accepted'),
  }];
}

function left({ overlap }) {
  const mass = number(1 - overlap);
  return [
    { label: words.sum.left, terms: ['Σ ', ...OVER, ` = ${mass}`] },
    { label: words.sum.stretch, terms: ['× ', { frac: [['1'], [mass]] }, ` = ×${times(1 / (1 - overlap))}`] },
  ];
}

function own(round, moment) {
  const { extra } = round;
  const [text, verdict] = [plain(extra.text), words.sum.own(extra.emission)];
  const { noDice } = moment;
  if (noDice) {
    const terms = noDice === 'greedy' ? [{ frac: [['argmax'], [v('x')]] }, ' ', v('p'), `(x) = “${text}”`] : ['argmax(log ', v('p'), ' + ', v('g'), `) = “${text}”`];
    return [{ label: words.sum[noDice === 'greedy' ? 'first' : 'pick'], terms, verdict }, ...totals(round, moment)];
  }
  const number_ = { label: words.sum.number, terms: [v('u'), ` = ${number(extra.u)}`], verdict };
  if (extra.emission === 'bonus' || extra.zero_residual) {
    return [{ label: words.sum.target(text), terms: [v('p'), ` = ${number(extra.p)}`] }, number_, ...totals(round, moment)];
  }
  const mass = 1 - extra.view.overlap;
  const over = extra.view.bars.find(({ token }) => token === extra.token).residual;
  return [
    { label: words.sum.share(text), terms: [{ frac: [OVER, [number(mass)]] }, ' = ', { frac: [[number(over)], [number(mass)]] }, ` = ${number(over / mass)}`] },
    number_,
    ...totals(round, moment),
  ];
}

/** What the round came to, once it is over. */
function totals(round, moment) {
  return moment.order >= ORDER.trim ? [{ label: words.sum.total(round.path.length + 1) }] : [];
}

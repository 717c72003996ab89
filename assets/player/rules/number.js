/**
 * number.js: a random number decides on each guess by itself. Every other rule is this one but for what it says
 * differently. Pure. Leviathan, Kalman, Matias 2023, arXiv:2211.17192; where guesses fork arXiv:2305.09781.
 */

import { apart, inSentence, number } from '../base/format.js';
import { elders, isRescued, keepChance } from '../trace/chance.js';
import { isThrown, stateOf } from '../trace/moment.js';
import { isChain } from '../trace/timeline.js';
import { words } from '../words/words.js';
import {
  at,
  drafted,
  draftWords,
  gathered,
  left,
  line,
  numbers,
  picked,
  residual,
  returned,
  rows,
  tested,
  unlit,
} from './code.js';

export const v = (letter) => ({ var: letter });

/** The verdict on a guess, once it is there. */
export function judged(state, won = state === 'accepted') {
  if (state === 'draft') return null;
  return won ? { text: words.sum.accept, state: 'accepted' } : { text: words.sum.reject, state: 'rejected' };
}

/** A guess's random number and its limit, so printed that they differ. */
export function against(verdict) {
  const [u, below] = apart(verdict.u, keepChance(verdict));
  return { u, below };
}

/** The line of n: the position of the first rejection. */
function counted({ verdicts, path, extra }, { slot }) {
  if (slot !== extra?.node) return null;
  const { u, below } = against(verdicts[slot]);
  return [`n = ${path.length}: `, ...at('r', path.length), ` = ${u} ≥ ${below} = p/q`];
}

function compared({ verdicts, path }) {
  const answer = path.length < verdicts.length ? words.algorithm.yes : words.algorithm.no;
  return [`if ${path.length} < ${verdicts.length}: ${answer}`];
}

const PAPER = [
  unlit,
  line(['draft'], ({ verdicts }, { slot }) => [`for i = 1 to ${verdicts.length}: i = ${slot + 1}`]),
  line(['draft'], draftWords, 1),
  line(['draft'], drafted, 1),
  unlit,
  line(['verify'], rows),
  unlit,
  line(['dart'], numbers),
  line(['verdict'], counted),
  unlit,
  line(['residual', 'bonus'], ({ path }) => ['p′(x) ← ', ...at('p', path.length), '(x)']),
  line(['residual', 'bonus'], compared),
  line(['residual'], (round) => residual(round, '', number(1 - round.extra.view.overlap)), 1),
  unlit,
  line(['replace', 'bonus'], picked),
  line(['join', 'gather', 'trim'], returned),
];

const TREE = [
  line(['draft']),
  line(['verify'], rows),
  unlit,
  line(['dart']),
  line(['dart', 'verdict'], tested, 1),
  line(['adjust', 'residual'], left, 1),
  line(['replace', 'bonus'], picked),
  line(['join', 'gather', 'trim', 'rest'], gathered),
];

/**
 * What a rule says and shows. decides: true if it is the rule of a guess, or of a run; by: what decides; words: its
 * messages; code: its lines for a round, see code.js; question: the caption before a verdict. In the sum: guessed: a
 * guess that no number drew, terms: a verdict, chance: the part before its number, own: a target's token that no number
 * drew. ruler: one without a number. In the figure: rows: what they show, mode, noise: one noise decides on both sides,
 * cools: temperature 0 decides. weighs: guesses are weighed together; bare: p and q were
 * not recorded; chances: the lane shows a chance for each.
 * @typedef {{
 *   name: ?string, by: 'number' | 'same' | 'threshold', words: any, decides: (info: any, verdict?: any) => boolean,
 *   code: (round: any) => { title: string, source: string, code: string[], lines: any[] },
 *   question: (info: any, round: any, verdict: any) => any[], guessed?: (verdict: any, chance: any) => any[],
 *   terms: (round: any, moment: any, verdict: any) => any[], own?: (extra: any) => any,
 *   chance: (round: any, verdict: any, chance: string, info: any) => any[],
 *   ruler?: (info: any, verdict: any) => any, rows: (rows: any[], view: any, known: any) => any[], mode: string,
 *   noise?: boolean, cools: boolean, weighs?: boolean, bare?: boolean, chances: boolean, [more: string]: any }} Rule
 */

/** @type {Rule} */
export const byNumber = {
  name: null,
  by: 'number',
  mode: 'both',
  cools: false,
  chances: true,
  words: words.rules.number,
  decides: () => true,
  rows: (all) => all,
  code: (round) =>
    isChain(round) ? { ...words.rules.number, lines: PAPER } : { ...words.rules.tree, lines: TREE },

  question({ config: { drafter } }, round, verdict) {
    const { say } = words;
    const text = inSentence(verdict.text);
    const turn = elders(round, verdict.node).length + 1;
    const sure = verdict.p >= verdict.q;
    if (keepChance(verdict) === 0 && !isChain(round)) return say.hopeless({ text });
    if (turn > 1) return sure ? say.sureNow({ text, turn }) : say.next({ text, turn, ...against(verdict) });
    if (sure) return say.sure({ text, equal: verdict.p === verdict.q, drafter });
    return this.words.question({ text, ...against(verdict) });
  },

  /** The chance of a guess, and how it comes about; chance: as it is printed. */
  chance(round, { node, p, q, text, view }, chance) {
    const top = v(elders(round, node).length ? 'p′' : view.target ? 'v' : 'p');
    const [above, below] = [number(p), number(q)];
    const terms =
      p >= q
        ? [top, ` = ${above} ≥ ${below} = `, v('q'), ' → 1']
        : [{ frac: [[top], [v('q')]] }, ' = ', { frac: [[above], [below]] }, ' = ', chance];
    return [{ label: words.sum.chance({ text: inSentence(text) }), terms }];
  },

  terms(round, moment, verdict) {
    const keep = keepChance(verdict);
    if (!isThrown(round, moment, verdict.node)) return this.chance(round, verdict, number(keep), moment.info);
    const { u, below } = against(verdict);
    const state = stateOf(round, moment, verdict.node);
    const thrown = {
      label: this.weighs ? null : words.sum.number, // what it is weighed by needs the room
      terms: [v('u'), ` = ${u} ${verdict.u < keep ? '<' : '≥'} ${below}`],
      verdict: state !== 'draft' && isRescued(verdict) ? words.sum.rescued : judged(state, verdict.u < keep),
    };
    return [...this.chance(round, verdict, below, moment.info), thrown];
  },
};

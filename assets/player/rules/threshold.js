/**
 * threshold.js: p of a guess decides, held against a threshold that its entropy sets; the longest branch of guesses
 * that pass is accepted. Lossy. Pure. Cai et al. 2024, arXiv:2401.10774.
 */

import { apart, inSentence, number, show } from '../base/format.js';
import { ORDER, stateOf } from '../trace/moment.js';
import { words } from '../words/words.js';
import { accepts, line, picked, rows } from './code.js';
import { byNumber, judged, v } from './number.js';

/** A guess's p above or below the threshold, so printed that they differ. */
function above({ verdicts }, { slot, info }) {
  const { text, p } = verdicts[slot];
  const needed = typical.needed(info, verdicts[slot]);
  const [shown, mark] = apart(p, needed);
  return [words.algorithm.above({ text: show(text), p: shown, mark, passes: p > needed })];
}

function threshold({ verdicts }, { slot, info }) {
  const { epsilon, delta } = info.threshold;
  const entropy = number(verdicts[slot].entropy ?? 0);
  return [
    `τ ← min(${epsilon}, ${delta} · exp(−`,
    entropy,
    ')) = ',
    number(typical.needed(info, verdicts[slot])),
  ];
}

const LINES = [
  line(['draft']),
  line(['verify'], rows),
  line(['dart'], threshold),
  line(['dart', 'verdict'], above),
  line(['join', 'gather', 'trim', 'rest'], accepts),
  line(['replace', 'bonus'], picked),
];

/** @type {import('./number.js').Rule} */
export const typical = {
  ...byNumber,
  name: 'typical',
  by: 'threshold',
  chances: false,
  words: { ...byNumber.words, ...words.rules.typical },
  decides: ({ traits }) => traits.rolls === 'threshold',
  code: () => ({ ...words.rules.typical, lines: LINES }),

  /** What p of a guess must exceed. */
  needed: ({ threshold: { epsilon, delta } }, { entropy = 0 }) =>
    Math.min(epsilon, delta * Math.exp(-entropy)),

  question(info, _, verdict) {
    const [, mark] = apart(verdict.p, this.needed(info, verdict));
    return this.words.question({ text: inSentence(verdict.text), threshold: mark });
  },

  /** How the threshold comes about, and once it is judged p against it. */
  terms(round, moment, verdict) {
    const { epsilon, delta } = moment.info.threshold;
    const { entropy = 0, p } = verdict;
    const needed = this.needed(moment.info, verdict);
    const [chance, mark] = apart(p, needed);
    const terms = [
      {
        label: words.sum.entropy,
        terms: [v('H'), ' = −Σ ', v('p'), ' ln ', v('p'), ` = ${number(entropy)}`],
      },
      {
        label: words.sum.threshold,
        terms: [v('τ'), ` = min(${epsilon}, ${delta} exp(−`, v('H'), `)) = ${mark}`],
      },
    ];
    if (moment.order < ORDER.dart) return terms;
    const compared = [v('p'), ` = ${chance} ${p > needed ? '>' : '≤'} ${mark} = `, v('τ')];
    return [...terms, this.target(round, moment, verdict, compared)];
  },

  /** The target's chance of a guess, how it compares, and the verdict. */
  target(round, moment, verdict, terms) {
    const state = stateOf(round, moment, verdict.node);
    const end = isPassedBy(verdict) && state !== 'draft' ? words.sum.passedBy : judged(state);
    return { label: words.sum.target({ text: inSentence(verdict.text) }), terms, verdict: end };
  },

  /** p beside the threshold it must exceed, from 0 to a little more than both. */
  ruler(info, verdict) {
    const { p, text, accept_prob: passes } = verdict;
    const needed = Math.max(0, this.needed(info, verdict));
    const [chance, mark] = apart(p, needed);
    const scale = Math.min(1, Math.max(4 * needed, 1.25 * p));
    const share = needed / scale;
    const part = (role, label, start, wide) => {
      const refuse = role === 'reject';
      return { label, share: wide, start, hit: Boolean(passes) !== refuse, refuse, role };
    };
    return {
      title: words.ruler.threshold({ text: inSentence(text), mark }),
      kind: 'accept',
      segments: [part('reject', words.ruler.no, 0, share), part('accept', words.ruler.yes, share, 1 - share)],
      pin: { at: p / scale, value: chance },
      scale,
      ends: ['0', number(scale)],
    };
  },
};

/** Whether a guess passes and is not accepted: another branch is longer, or likelier. */
export function isPassedBy({ verdict, accept_prob: passes }) {
  return verdict === 'rejected' && passes === 1;
}

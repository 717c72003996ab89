/**
 * relaxed.js: between think tags a guess is accepted if it is among the target's top tokens and close enough to the
 * first; elsewhere a number decides. Lossy. Pure. TensorRT-LLM.
 */

import { apart, inSentence, number, show } from '../base/format.js';
import { ORDER } from '../trace/moment.js';
import { words } from '../words/words.js';
import { lands, left, line, picked, returned, rows, tested } from './code.js';
import { v } from './number.js';
import { typical } from './threshold.js';

const ranked = lands(['dart'], (round, moment) => {
  const { text, p, rank, view } = round.verdicts[moment.slot];
  if (!rank) return tested(round, moment);
  const largest = Math.max(...view.bars.map((bar) => bar.p));
  const { top } = moment.info.relaxation;
  return [show(text), `: ${rank} / ${top}, p = ${number(p)}, max p = ${number(largest)}`];
});

const LINES = [
  line(['draft']),
  line(['verify'], rows),
  line(['dart', 'verdict'], ranked),
  line(['dart', 'verdict']),
  line(['adjust', 'residual'], left),
  line(['replace', 'bonus'], picked),
  line(['join', 'gather', 'trim', 'rest'], returned),
];

/**
 * Of guesses between think tags, which have a rank.
 * @type {import('./number.js').Rule}
 */
export const relaxed = {
  ...typical,
  words: { ...typical.words, ...words.rules.relaxed },
  decides: (_, verdict) => Boolean(verdict?.rank),
  code: () => ({ ...words.rules.relaxed, lines: LINES }),
  needed: ({ relaxation: { delta } }, { view }) => Math.max(0, ...view.bars.map(({ p }) => p)) - delta,

  question({ relaxation }, _, { text }) {
    return [this.words.question({ text: inSentence(text), ...relaxation })];
  },

  terms(round, moment, verdict) {
    const { top, delta } = moment.info.relaxation;
    const { rank, p } = verdict;
    const needed = this.needed(moment.info, verdict);
    const [chance, mark] = apart(p, needed);
    const thinking = { label: words.sum.thinking({ top, delta }) };
    if (moment.order < ORDER.dart) return [thinking];
    const terms = [v('p'), ` = ${chance} ${p >= needed ? '≥' : '<'} ${mark} = max `, v('p'), ` − ${delta}`];
    return [
      thinking,
      { label: words.sum.rank, terms: [`${rank} ${rank <= top ? '≤' : '>'} ${top}`] },
      this.target(round, moment, verdict, terms),
    ];
  },
};

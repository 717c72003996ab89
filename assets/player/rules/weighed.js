/**
 * weighed.js: numbers decide on guesses that are weighed together: a chain as a block, a tree branch by branch. Pure.
 * Sun et al. 2024, arXiv:2403.10444; Weng et al. 2025, arXiv:2505.12398.
 */

import { inSentence, number } from '../base/format.js';
import { keepChance, viewAt, weightAfter } from '../trace/chance.js';
import { childrenOf, isChain } from '../trace/timeline.js';
import { words } from '../words/words.js';
import { accepts, at, drawn, guess, line, picked, residual, rows, tested } from './code.js';
import { against, byNumber, v } from './number.js';

/** What p, times the weight of the guesses before, has over q. */
export const WEIGHED = ['(', v('ρ'), v('p'), ' − ', v('q'), ')⁺'];

const BLOCK = [
  line(['draft'], guess),
  line(['verify'], rows),
  line(['dart'], ({ verdicts }, { slot }) => [...at('ρ', slot), ' = ', number(verdicts[slot].weight)]),
  line(['dart'], ({ verdicts }, { slot }) => [...at('h', slot), ' = ', number(verdicts[slot].accept_prob)]),
  line(['verdict'], ({ verdicts }, { slot }) => [
    ...at('r', slot),
    ` = ${drawn(verdicts[slot], verdicts[slot].accept_prob)} = `,
    ...at('h', slot),
  ]),
  line(['residual'], (round) => residual(round, number(round.verdicts[round.path.at(-1)]?.weight ?? 1), '…')),
  line(['replace', 'bonus', 'join', 'gather', 'trim', 'rest'], picked),
];

const TRAVERSAL = [
  line(['draft', 'verify']),
  line(['dart', 'verdict'], tested),
  line(['verdict'], undefined, 1),
  line(['residual'], undefined, 1),
  line(['replace', 'bonus'], picked),
  line(['join', 'gather', 'trim', 'rest'], accepts),
];

/** @type {import('./number.js').Rule} */
export const weighed = {
  ...byNumber,
  weighs: true,
  words: { ...byNumber.words, ...words.rules.traversal },
  decides: (_, verdict) => typeof verdict?.weight === 'number',
  code: (round) =>
    isChain(round) ? { ...words.rules.block, lines: BLOCK } : { ...words.rules.traversal, lines: TRAVERSAL },

  question(_, __, verdict) {
    const text = inSentence(verdict.text);
    if (keepChance(verdict) === 0) return words.say.hopeless({ text });
    return this.words.question({ text, ...against(verdict) });
  },

  /** The weight of the guesses so far, and the chance that all of them stand. */
  chance(round, { node, text: token, p, q, weight: own, mass }, chance) {
    const before = number(viewAt(round, node).weight ?? 1);
    const taken = childrenOf(round, node).filter((child) => round.verdicts[child].verdict === 'rejected');
    const weight = isChain(round) ? own : weightAfter(round, node, taken.slice(0, -1));
    const [name, text] = [v('ρ'), inSentence(token)];
    const ratio = { frac: [[number(p)], [number(q)]] };
    const entries = [
      {
        label: words.sum.weight({ text }),
        terms: [name, ` = min(1, ${before} · `, ratio, `) = ${number(own)}`],
      },
    ];
    /** @type {any[]} */
    const terms = [v('h'), ' = '];
    if (mass === null) terms.push(name, ` = ${chance}`);
    else {
      entries.push({ label: words.sum.rest, terms: [v('Z'), ' = Σ ', ...WEIGHED, ` = ${number(mass)}`] });
      terms.push(
        { frac: [[v('Z')], [v('Z'), ' + 1 − ', name]] },
        ' = ',
        { frac: [[number(mass)], [number(mass + (1 - weight))]] },
        ` = ${chance}`,
      );
    }
    return [...entries, { label: words.sum.block({ text }), terms }];
  },
};

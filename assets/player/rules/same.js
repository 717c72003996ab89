/**
 * same.js: equality decides: a guess is accepted if the target picks the same token, at temperature 0 its first choice,
 * else its pick under the noise that both share. Pure. Daliri, Musco and Suresh 2024, arXiv:2408.07978.
 */

import { inSentence } from '../base/format.js';
import { stateOf } from '../trace/moment.js';
import { words } from '../words/words.js';
import { guess, line, matched, unlit } from './code.js';
import { byNumber, judged, v } from './number.js';
import { cooled, scored } from './scores.js';

const END = line(['verdict', 'replace', 'bonus', 'join', 'gather', 'trim', 'rest'], matched);

const quoted = (text) => words.quoted({ token: inSentence(text) });

/**
 * pick(letter): what a side picks, as mathematics; first(letter, text): the same, and which token that is.
 * @type {import('./number.js').Rule}
 */
const same = {
  ...byNumber,
  by: 'same',

  question(_, __, { text }) {
    return this.words.question({ text: inSentence(text) });
  },

  terms(round, moment, { node }) {
    const state = stateOf(round, moment, node);
    const sign = { accepted: ' = ', rejected: ' ≠ ' }[state] ?? ' ≟ ';
    return [
      { label: this.words.same, terms: [...this.pick('q'), sign, ...this.pick('p')], verdict: judged(state) },
    ];
  },

  /** The target's own pick. */
  own({ text }) {
    return { label: this.words.pick, terms: this.first('p', text) };
  },
};

/** @type {import('./number.js').Rule} */
export const greedy = {
  ...same,
  name: 'greedy',
  mode: 'argmax',
  cools: true,
  chances: false,
  words: { ...byNumber.words, ...words.rules.greedy },
  decides: ({ config, ensemble }) => config.temperature === 0 && !ensemble,
  code: () => ({ ...words.rules.greedy, lines: [line(['draft'], guess), line(['verify', 'dart']), END] }),
  pick: (letter) => ['argmax ', v(letter)],
  first: (letter, text) => [{ frac: [['argmax'], [v('x')]] }, ' ', v(letter), `(x) = ${quoted(text)}`],
  rows: (rows, view, known) => (view.raw ? cooled(rows, view, known) : rows),

  guessed: ({ text }) => [{ label: words.sum.likeliest, terms: greedy.first('q', text) }],
};

/** @type {import('./number.js').Rule} */
export const coupled = {
  ...same,
  name: 'coupled',
  mode: 'apart',
  noise: true,
  words: { ...byNumber.words, ...words.rules.coupled },
  decides: ({ traits }) => traits.rolls === 'shared noise',
  code: () => ({ ...words.rules.coupled, lines: [unlit, line(['draft', 'verify', 'dart'], guess), END] }),
  pick: (letter) => ['argmax(log ', v(letter), ' + ', v('g'), ')'],
  first: (letter, text) => ['argmax(log ', v(letter), ' + ', v('g'), `) = ${quoted(text)}`],
  rows: (rows, view, known) =>
    view.noise ? scored(rows, view, known) : rows.map((row) => ({ ...row, overlap: null, residual: null })),

  guessed: (_, chance) => [chance, { label: words.sum.noise, terms: coupled.pick('q') }],
};

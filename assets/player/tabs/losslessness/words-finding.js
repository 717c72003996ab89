/**
 * words-finding.js: the sentences of the Losslessness tab; words.js puts them into the one table. Pure.
 */

const LAWS = { first: 'first token', second: 'second token', bonus: 'bonus token' };
const after = (position) => (position === '0' ? 'after the prompt' : `after token ${position} of this run`);

export const finding = {
  title: 'Is it the target’s own law?',
  asks: {
    first: (position) => `Is the first token ${after(position)} distributed as the target alone would write it?`,
    second: (position) => `Where the most likely token stands first ${after(position)}, is the second one distributed as the target alone would write it?`,
    bonus: (position) => `Where a guess is kept ${after(position)}, is the bonus token behind it distributed as the target alone would write it?`,
  },
  place: 'After',
  places: { prompt: 'the prompt', here: (position) => (position === '0' ? 'here: the prompt' : `here: token ${position}`) },
  law: 'Token',
  laws: { first: 'first', second: 'second', bonus: 'bonus' },
  n: 'N',
  samples: (n) => `${n} samples`,
  seed: 'Seed',
  bug: 'Break it',
  real: 'The rule as it is',
  draw: 'Draw',
  cancel: 'Cancel',
  compare: 'Compare with plain decoding',
  progress: 'Samples drawn',
  waiting: 'waiting for a turn',
  done: (done, n) => `${done} of ${n}`,
  cancelled: 'Cancelled.',
  refused: (reason) => `Nothing drawn: ${reason}.`,
  broke: 'The engine broke off; the server’s log says why.',
  nothing: 'Nothing drawn yet. The rows of p and q are computed once; then the rule itself plays rounds over them, without the models, until there are N samples.',
  why: 'Why nothing is lost ↓',

  about: (law, position, given) => `The ${LAWS[law]} ${after(position)}${given ? `, behind “${given}”` : ''}`,
  same: (n, p) => `no evidence of difference at N = ${n} (p ${p})`,
  different: (p, reason) => `different (p ${p}): ${reason}`,
  worst: (chi2, bins, token, share, p) => `χ² = ${chi2} on ${bins} bins; ${token} came up in ${share} of the samples, p is ${p}`,
  impossible: (many, n) => `${many} of ${n} samples are tokens that the target never writes`,
  hides: (law, n) => `The bug is in there, but this does not show it. The ${LAWS[law]} does, from N = ${n} on.`,
  token: (text) => `“${text}”`,
  others: 'the others',
  columns: { token: 'token', p: 'p', share: 'share', range: '95 % if p' },
  legend: { p: 'p', share: 'share of the samples', whisker: '95 % if p is the law', outside: 'outside' },
  numbers: {
    distance: ['distance', (tvd, median, high) => `TVD ${tvd}; by chance: median ${median}, 95 % below ${high}`],
    chi2: ['chi-square', (chi2, bins, p) => `${chi2} on ${bins} bins; p-value ${p}`],
    rounds: ['rounds', (rounds, rule, accepted, overlap) => `${rounds}; ${rule} kept ${accepted} of the first guesses, ${rule === 'coupled' ? 'at most' : 'on average'} Σ min(p, q) = ${overlap}`],
    seed: ['seed', (seed) => seed],
    drafter: ['drafter', (drafter, temperature) => `${drafter}, ${temperature === '0' ? 'greedy' : `T ${temperature}`}`],
    rule: ['rule', (rule, bug) => (bug ? `${rule}, broken: ${bug}` : rule)],
  },

  equality: {
    title: 'The whole run against plain decoding',
    asked: 'decoding the run both ways',
    equal: (tokens) => `equal: all ${tokens} tokens are those that plain decoding writes with the same target`,
    tie: (at, gap, error) => `first difference at token ${at}: a numerical tie, as the gap of ${gap} is under 4 times the measured error of ${error}`,
    bug: (at, gap, error) => `first difference at token ${at}: a bug, as the gap of ${gap} is not under 4 times the measured error of ${error}`,
    shown: (from, to, tokens) => `Tokens ${from} to ${to} of ${tokens}`,
    rows: { speculative: 'speculative', plain: 'plain' },
    logits: 'Logits of the two tokens there',
    columns: (speculative, plain) => ['pass', `speculative: ${speculative}`, `plain: ${plain}`, 'gap'],
    passes: ['many tokens at once', 'one token'],
  },
};

/**
 * words.js: the sentences of the tab Is it exact?, beside the words of all tabs. Numbers arrive as text.
 * Pure.
 */

import { inLanguage } from '../language.js';
import { words as below } from '../words.js';
import { plainName } from '../../base/format.js';

const TOKENS = { first: 'first token', second: 'second token', bonus: 'bonus token' };
const after = (position) => (position === '0' ? 'after the prompt' : `after token ${position} of this run`);
const RULES = {
  rejection: 'rejection sampling',
  block: 'block verification',
  coupled: 'shared noise',
  typical: 'typical acceptance (lossy)',
};

const finding = {
  question: 'Is the output really the target’s distribution?',
  title: 'What is sampled',
  asks: {
    first: (position) =>
      `The real accept/reject code picks the first token ${after(position)}, again and again.`,
    second: (position) =>
      `The same for the second token ${after(position)}, wherever the most likely token comes first.`,
    bonus: (position) =>
      `The same for the bonus token ${after(position)}, wherever the guess before it is accepted.`,
  },
  place: 'After',
  places: {
    prompt: 'the prompt',
    here: (position) => (position === '0' ? 'here: the prompt' : `here: token ${position}`),
  },
  law: 'Token',
  laws: { first: 'first', second: 'second', bonus: 'bonus' },
  n: 'Samples',
  samples: (n) => `${n} samples`,
  seed: 'Seed',
  bug: 'Sabotage',
  real: 'none (correct algorithm)',
  bugs: {
    'accept-always': 'Accept every guess',
    'resample-from-p': 'Resample from p',
    'keep-testing': 'Keep testing after a rejection',
    'q-before-temperature': 'Use q from before temperature',
    'bonus-from-wrong-row': 'Take the bonus from the wrong row',
    'one-number': 'Reuse one random number',
  },
  whys: {
    'accept-always':
      'Every guess is accepted, so the text is the draft model’s: what it over-predicts is never corrected.',
    'resample-from-p':
      'Accepted guesses already supply min(p, q). Drawing from all of p supplies it a second time.',
    'keep-testing':
      'Later guesses follow a token that is gone. Accepting one leaves no room for the replacement, which alone supplies what the draft model under-predicts.',
    'q-before-temperature':
      'The guess was drawn from one distribution and is tested against another. At temperature 1 the two are equal, and the bug hides.',
    'bonus-from-wrong-row':
      'The bonus must follow the last guess. Here it is drawn from the row before, which never saw that guess.',
    'one-number':
      'A rejection already says that the number is large. Drawing the replacement with it reaches only the far end of what is left.',
  },
  draw: 'Draw',
  compare: 'Compare with plain decoding',
  waiting: 'Waiting for a turn.',
  done: (done, n) => `${done} of ${n} samples`,
  cancelled: 'Cancelled.',
  refused: (reason) => `Nothing drawn: ${reason}.`,
  broke: 'The engine broke off; see the server’s log.',
  nothing:
    'Press Draw: the real accept/reject code runs 2,000 times on this one position; the dots should land on the blue bars.',
  why: 'Why nothing is lost ↓',
  hereOf: (run) => `This server, just now: ${run}`,

  answer: (high, n) =>
    `away from the target’s distribution after ${n} samples. Pure chance gives up to ${high}.`,
  impossibleAnswer: (n) => `of ${n} samples are tokens that the target never writes.`,
  about: (law, position, given) =>
    `The ${TOKENS[law]} ${after(position)}${given ? `, behind “${given}”` : ''}`,
  same: (n, p) => `No evidence of a difference at N = ${n} (p-value ${p}).`,
  lossy: {
    nothing:
      'This run’s rule is lossy. Press Draw: the real accept/reject code runs 2,000 times on this one position, and the dots miss the blue bars.',
    shows:
      'This rule is lossy by design: every guess that is likely enough passes, so the target’s distribution is lost. The distance is the price.',
    hides: 'This rule is lossy, but this token does not show it. The first one does at most positions.',
  },
  different: (p, reason) => `Different (p-value ${p}): ${reason}.`,
  worst: (chi2, bins, token, share, p) =>
    `${token} came up in ${share} of the samples, the target gives it ${p}; χ² = ${chi2} on ${bins} bins`,
  impossible: (many, n) => `${many} of ${n} samples are tokens that the target never writes`,
  hides: (law, n) =>
    `The bug is there, but this test does not show it. The ${TOKENS[law]} does, with at least ${n} samples.`,
  others: 'other tokens',
  columns: { token: 'token', p: 'target p', share: 'samples', range: 'by chance' },
  legend: {
    p: 'target p',
    share: 'share of the samples',
    whisker: 'where 95 % fall by chance',
    outside: 'outside',
  },
  numbers: {
    distance: [
      'distance',
      (tvd, median, high) => `${tvd} (pure chance gives up to ${high}, half the time less than ${median})`,
    ],
    chi2: ['chi-square', (chi2, bins, p) => `${chi2} on ${bins} bins, p-value ${p}`],
    rounds: [
      'rounds',
      (rounds, rule, accepted, overlap) =>
        `${rounds}: ${accepted} of first guesses accepted, ${{ coupled: 'at most', typical: 'a lossless rule at most' }[rule] ?? 'expected'} ${overlap}`,
    ],
    seed: ['seed', (seed) => seed],
    drafter: [
      'draft model',
      (drafter, temperature) =>
        `${plainName(drafter)}, ${temperature === '0' ? 'greedy' : `T = ${temperature}`}`,
    ],
    rule: ['rule', (rule, bug) => `${RULES[rule] ?? rule}${bug ? `, sabotaged: ${bug}` : ''}`],
  },

  equality: {
    title: 'The whole run against plain decoding',
    asked: 'Decoding the run both ways.',
    answer: (differs, tokens) =>
      differs === null
        ? [tokens, 'tokens, every one as plain decoding writes it.']
        : [`token ${differs + 1}`, 'is the first that plain decoding writes differently.', 'different'],
    equal: (tokens) =>
      `Equal: all ${tokens} tokens are those that plain decoding writes with the same target.`,
    tie: (at, gap, error) =>
      `First difference at token ${at}: a numerical tie. The gap of ${gap} is under 4 times the measured rounding error of ${error}.`,
    bug: (at, gap, error) =>
      `First difference at token ${at}: a bug. The gap of ${gap} is at least 4 times the measured rounding error of ${error}.`,
    shown: (from, to, tokens) => `Tokens ${from} to ${to} of ${tokens}`,
    rows: { speculative: 'speculative', plain: 'plain' },
    logits: 'Logits of the two tokens there',
    columns: (speculative, plain) => ['pass', `speculative: ${speculative}`, `plain: ${plain}`, 'gap'],
    passes: ['many tokens at once', 'one token'],
  },
};

const proof = {
  title: 'Why nothing is lost',
  claim:
    'Whatever the draft model believes, a token x comes out with exactly the probability p(x) that the target gives it. It comes out in one of two ways: guessed and accepted, or drawn after a rejection.',
  unknown:
    'No guess was tested at this position, so there is no p and q to compare. You can type a row below.',
  kinds: {
    enough: {
      title: 'p(x) ≤ q(x)',
      about: 'guessed as often as the target wants, or more',
      none: 'No token of this row has p ≤ q.',
    },
    short: {
      title: 'p(x) > q(x)',
      about: 'guessed less often than the target wants',
      none: 'No token of this row has p > q.',
    },
  },
  choose: 'x =',
  option: (token, state) => `${state}: ${token}`,
  mass: (overlap, z) => [
    'This is how often a guess is rejected, and also how much probability the draft model missed:',
    `Z = Σ max(0, p − q) = 1 − Σ min(p, q) = 1 − ${overlap} = ${z}`,
  ],
  noMass: [
    'p and q are equal, so no guess is ever rejected:',
    'Z = Σ max(0, p − q) = 1 − Σ min(p, q) = 1 − 1 = 0',
  ],
  lines: {
    guessed: (q) => ['x is guessed with', `q(x) = ${q}`],
    never: ['x is never guessed', 'q(x) = 0'],
    sometimes: (p, q, share) => ['and then accepted with', `p(x)/q(x) = ${p}/${q} = ${share}`],
    kept: (p, q) => ['Guessed and accepted', `P(accepted x) = q(x) · p(x)/q(x) = ${q} · ${p}/${q} = ${p}`],
    always: (q) => [
      'and then always accepted, so guessed and accepted',
      `P(accepted x) = q(x) · 1 = ${q} · 1 = ${q}`,
    ],
    notDrawn: ['After a rejection it is never drawn', 'max(0, p(x) − q(x)) = 0'],
    refused: (z) => ['Any guess is rejected with', `Z = ${z}`],
    share: (p, q, z, share) => [
      'and then x is drawn with',
      `(p(x) − q(x))/Z = (${p} − ${q})/${z} = ${share}`,
    ],
    drawn: (z, share, excess) => [
      'Rejected, and x drawn',
      `P(drawn x) = Z · (p(x) − q(x))/Z = ${z} · ${share} = ${excess}`,
    ],
    together: (kept, drawn, p) => ['Together', `P(out = x) = ${kept} + ${drawn} = ${p} = p(x)`],
  },
  conclusion: [
    'One of the two holds for every token, so the output has the target’s own distribution:',
    'P(out) = p',
  ],
  account: 'Where each token’s probability comes from',
  caption: { slot: 'At this position', typed: 'In your own row' },
  columns: {
    token: 'x',
    p: 'p',
    q: 'q',
    accept: 'min(1, p/q)',
    excess: 'max(0, p−q)',
    accepted: 'guessed and accepted',
    resampled: '+ drawn instead',
    out: '= P(out)',
    bar: 'both fill p',
  },
  total: 'sum',
  sources: { slot: 'The position on stage', typed: 'A row of your own' },
  whose: 'Whose numbers',
  inputs: { p: 'p, the target', q: 'q, the draft model' },
  preset: (p, q) => `p ${p} · q ${q}`,
  examples: 'Examples',
  scaled: (law, sum) => `${law} summed to ${sum} and was divided by that.`,
  wrong: {
    number: (law, piece) => `${law}: “${piece}” must be a number of 0 or more, such as 0.5, 50 % or 1/2.`,
    many: (law, count, fewest, most) =>
      `${law} has ${count === 1 ? '1 number' : `${count} numbers`}; it needs ${fewest} to ${most}.`,
    sum: (law, sum) => `${law} sums to ${sum}; it must be 1, give or take 0.001.`,
    lengths: (p, q) => `p has ${p} numbers and q has ${q}; both need the same number.`,
  },
  kept: (problem) => `${problem} The last valid row stays.`,
};

export const words = { ...below, ...inLanguage({ finding, proof }) };

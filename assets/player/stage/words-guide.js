/**
 * words-guide.js: the guided first minute: six stills, a sentence each and a shorter one under it. Pure.
 */

import { inWords } from '../base/format.js';

const draft = (text) => ({ text, role: 'draft' });
const target = (text) => ({ text, role: 'target' });
const accepted = (text) => ({ text, role: 'accepted' });
const rejected = (text) => ({ text, role: 'rejected' });
const bonus = (text) => ({ text, role: 'bonus' });
const quoted = (text) => `“${text}”`;
const all = (many) =>
  many === 1 ? 'the guess' : many === 2 ? 'both guesses' : `all ${inWords(many)} guesses`;
const WHO = {
  bigram: 'a table of word pairs',
  ngram: 'a table of phrases',
  recycling: 'a memory of choices',
  quantized: 'an 8-bit copy of the target',
  'prompt-lookup': 'a search of the text',
  suffix: 'a search of the text',
  retrieval: 'a search of a library',
};
const who = (drafter) =>
  !drafter
    ? ['The ', target('target'), ' itself']
    : ['A ', draft('draft model'), `, ${WHO[drafter] ?? 'small and fast'},`];

export const guide = {
  label: 'Guided first minute',
  of: (at, many) => `${at} of ${many}`,
  next: 'Next →',
  back: 'Back',
  skip: 'Skip',
  race: 'Watch the race →',
  step: 'Step through it yourself',

  plain: ['Normally, every token costs one slow pass of the big model, the ', target('target'), '.'],
  plainUnder: (passes, time) => `${passes} tokens, ${passes} passes one after another: ${time}.`,
  plainUntimed: (tokens) => `So these ${tokens} tokens would cost ${tokens} passes, one after another.`,

  guess: (drafter, many) => [
    ...who(drafter),
    ` guesses the next ${many === 1 ? 'token' : `${inWords(many)} tokens`}.`,
  ],
  guessTree: (drafter, many) => [...who(drafter), ` guesses several ways on: ${inWords(many)} tokens.`],
  guessUnder(many, chosen) {
    if (many === 1) return 'Guessing is quick, but it may be wrong.';
    return `Each guess continues the guesses before it; ${chosen ? 'it is chosen, not drawn, so q is 1' : 'q is how likely the draft model found it'}.`;
  },
  none: 'This run makes no guesses: every token is one pass.',
  noneUnder: 'Set γ above 0 and press Run to see guesses.',

  check: (many) => ['One pass of the ', target('target'), ` checks ${all(many)} at once.`],
  checkUnder: (many) =>
    `It also scores the position after ${many === 1 ? 'it' : 'them'}. If ${many === 1 ? 'it is' : 'all are'} accepted, the bonus token there costs no extra pass.`,

  checkTreeUnder:
    'Each guess sees the text and its own branch. One branch can be kept; the pass has already scored what follows it.',

  number: ['Each guess faces a random number. Below the mark, it is ', accepted('accepted'), '.'],
  numberUnder: 'The mark is p/q, at most 1: the target’s chance of the guess over the draft model’s.',
  greedy: [
    'Is the guess also the ',
    target('target’s'),
    ' first choice? Then it is ',
    accepted('accepted'),
    '.',
  ],
  greedyUnder: 'At temperature 0 there are no random numbers.',
  coupled: ['Both models use the same random noise. Same token: ', accepted('accepted'), '.'],
  coupledUnder: 'The noise belongs to the position, whoever picks there.',

  typical: [
    'Is the ',
    target('target’s'),
    ' chance of the guess above a threshold? Then it is ',
    accepted('accepted'),
    '.',
  ],
  typicalUnder: 'No random number decides. The rule is lossy: the text is not quite the target’s.',

  fails: (text, dropped, noDice) => [
    rejected(quoted(text)),
    ` ${noDice && noDice !== 'typical' ? 'differs' : 'is rejected'}. The next ${dropped === 1 ? 'guess' : `${inWords(dropped)} guesses`} continued `,
    rejected(quoted(text)),
    dropped === 1 ? ', so it is dropped too.' : ', so they are dropped too.',
  ],
  failsLast: (text, own) => [
    rejected(quoted(text)),
    ' is rejected. The ',
    target('target'),
    ' picks ',
    target(quoted(own)),
    ' instead.',
  ],
  blue: (own) =>
    `Accepted guesses bring the green, what both share. Drawing from p would count it twice: “${own}” comes from the blue.`,
  first: (own) => `“${own}”, the target’s own first choice, takes its place.`,
  sameNoise: (own) => `“${own}”, what the target picks with that noise, takes its place.`,
  allOfP: (own) =>
    `“${own}” is drawn from all of p. What was accepted is not accounted for: the rule is lossy.`,
  equal: (own) => `“${own}” is drawn from p: p and q are equal here.`,
  free: (text, many) => [
    accepted(
      many === 1
        ? 'The guess is accepted'
        : many === 2
          ? 'Both are accepted'
          : `All ${inWords(many)} are accepted`,
    ),
    ', and the same pass gives ',
    bonus(quoted(text)),
    ' for free.',
  ],
  freeUnder: 'Had one been rejected, the guesses after it would be dropped: they continue it.',

  faster: (tokens, steps) =>
    `On average: a round gives ${tokens} tokens in the time of ${steps} slow ${steps === '1' ? 'pass' : 'passes'}.`,
  fasterUnder: 'Slower when too few guesses are accepted, or guessing and checking cost too much.',
  slower: (tokens, steps) => `Here: ${tokens} tokens in the time of ${steps} slow passes. It took longer.`,
  slowerUnder: 'Too few guesses were accepted for what guessing and checking cost.',
  untimed: (tokens, passes) =>
    `These ${tokens} tokens took ${passes} slow ${passes === 1 ? 'pass' : 'passes'}, not ${tokens}.`,
  untimedUnder: 'Not timed here. It is slower when too few guesses are accepted for what they cost.',
};

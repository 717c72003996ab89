/**
 * words-quiz.js: what the questions to the watcher ask and answer. Pure: tokens come as plain text.
 */

import { inWords, plural } from '../base/format.js';

const draft = (text) => ({ text, role: 'draft' });
const target = (text) => ({ text, role: 'target' });
const accepted = (text) => ({ text, role: 'accepted' });
const rejected = (text) => ({ text, role: 'rejected' });
const quoted = (text) => `“${text}”`;
const amount = (many) => (many === 1 ? 'the one guess' : `the ${inWords(many)} guesses`);

export const quiz = {
  label: 'Predict, then reveal',
  offer: 'Predict',
  offerTitle: 'Predict what happens, then see it (Q)',
  of: (at, many) => `Predict: question ${at} of ${many}`,
  room: 'Show of hands',
  roomTitle: 'Nothing is revealed until Enter',
  leave: 'Leave',
  skip: 'Skip',
  next: 'Next →',
  reveal: 'Reveal ⏎',
  again: 'Five more',
  answers: 'Your answer',
  none: ['This run makes no guesses, so there is nothing to predict.'],
  noneUnder: 'Set γ above 0 and press Run.',
  keys: (many) => `Keys 1 to ${many}. Nothing leaves this page.`,
  hands: (many) => `Keys 1 to ${many} mark an answer. Enter reveals.`,

  often: ['never', 'unlikely', 'coin flip', 'likely', 'always'],
  shares: ['0', '¼', '½', '¾', '1'],
  dart: (text) => ['How often does the ', target('target'), ' accept ', draft(quoted(text)), ' here?'],
  same: (text) => ['How likely is it that the ', target('target'), ' picks ', draft(quoted(text)), ' too?'],
  drawn: (q) => `The draft model drew it with q = ${q}.`,
  chosen: 'The draft model chose it outright: q = 1.',
  kept: (text, chance, happened) => [
    quoted(text),
    chance === '1' ? ' is always accepted. This time: ' : ` is accepted with chance ${chance}. This time: `,
    happened ? accepted('accepted') : rejected('rejected'),
    '.',
  ],
  whether: (text, happened) =>
    happened
      ? ['Yes: ', quoted(text), ' is ', accepted('accepted'), '.']
      : ['No: ', quoted(text), ' is ', rejected('rejected'), '.'],

  count: (many) => [`How many of ${amount(many)} will be `, accepted('accepted'), '?'],
  countUnder: 'They stand or fall in order: the first rejection drops the rest.',
  many: (low, high, all) =>
    high === 0
      ? 'none'
      : low === all
        ? `all ${inWords(all)}`
        : low === high
          ? String(low)
          : `${low} to ${high}`,
  stood: (text, many, all) => [
    many === all
      ? 'All of them are '
      : many
        ? `${text[0].toUpperCase()}${text.slice(1)} of them ${many === 1 ? 'is' : 'are'} `
        : 'None of them is ',
    many ? accepted('accepted') : rejected('accepted'),
    '.',
  ],
  stoodUnder: (tokens) => `The round gives ${plural(tokens, 'token')} from one pass of the target.`,

  pay: (many) => [`Will this tree of ${many} guesses pay?`],
  payUnder: 'It pays if plain decoding would write fewer tokens in the same time.',
  yesNo: ['yes', 'no'],
  paid: (pays) => [pays ? 'It ' : 'It does not ', pays ? accepted('pays') : rejected('pay'), '.'],
  paidUnder: (tokens, passes) => `It gives ${plural(tokens, 'token')} in the time of ${passes} plain passes.`,

  cannot: (text) => ['Which token ', rejected('cannot'), ' replace ', rejected(quoted(text)), '?'],
  cannotUnder: 'A replacement is drawn from what the target has over the draft model.',
  gone: (text) => [quoted(text), ' cannot: nothing of it is left.'],
  goneUnder: (p, q) => `Its p = ${p} is not above its q = ${q}, so accepted guesses already bring all of it.`,

  gamma: ['Which ', { var: 'γ' }, ' is the fastest for this run?'],
  gammaUnder: 'More guesses cost more time, and late ones are rarely reached.',
  best: (gamma, times) => [{ var: 'γ' }, ` = ${gamma} is the fastest: ${times}×.`],
  bestUnder: (alpha, c) => `By the formula, with this run’s α = ${alpha} and a guess at ${c} of a pass.`,

  right: '✓ Your answer is right.',
  wrong: (text) => `Your answer: ${text}.`,
  off: (said, error) => `You said ${said}; squared error ${error}.`,
  you: 'you',
  strip: (said, chance, u) =>
    `${said ? `You said ${said}; ` : ''}the chance is ${chance}${u ? `; the random number ${u}` : ''}`,
  score: (error, blind) => [`Your mean squared error is ${error}; always “coin flip” gets ${blind}.`],
  scoreNone: ['No chances were predicted this time.'],
  others: (right, many) => `Of the other questions, ${right} of ${many} right.`,
  calibrated: (said, many, chance, kept) =>
    `You said ${said} ${many === 1 ? 'once' : `${many} times`}: mean chance ${chance}, ${kept} accepted.`,
};

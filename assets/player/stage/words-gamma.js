/**
 * words-gamma.js: the sentences about γ rules; words.js puts them into the one table. Pure.
 */

import { clean } from '../base/format.js';

export const gamma = {
  round: (round, guessed, kept) => `Round ${round}: ${guessed} guessed, ${kept} kept.`,
  because: (reason) => `Why so many: ${clean(reason)}.`,
  entropy: (nats) => `H(q) ${nats} nats on average.`,
  ghost: (name, gamma, unknown, reason) => `${name} would have guessed ${unknown ? 'up to ' : ''}${gamma}: ${clean(reason)}.`,
};

export const ghost = {
  title: 'What would another rule have done?',
  about: 'Asked about each round of the run on stage, with the rounds before as they were recorded. The dashed line is drawn in the γ lane, too.',
  none: 'choose a γ rule',
  waiting: 'being asked',
  refused: (reason) => `Not asked: ${reason}.`,
  chart: (name) => `γ as ${name} would have set it`,
  round: 'round',
  guesses: 'guesses',
  says: (name, own, would, drawn, same, rounds, open) => `${name} would have guessed ${would} tokens a round where ${own} guessed ${drawn}, the same in ${same} of ${rounds} rounds.`
    + (open ? ` In ${open} it would have gone on past what was recorded, so that its line is the most it could be.` : ''),
};

/**
 * words-gamma.js: the sentences about γ rules; words.js puts them into the one table. Pure.
 */

import { clean } from '../base/format.js';

export const gamma = {
  round: (round, guessed, kept) => `Round ${round}: ${guessed} guessed, ${kept} accepted.`,
  because: (reason) => `Why so many: ${clean(reason)}.`,
  entropy: (nats) => `H(q) ${nats} nats on average.`,
  ghost: (name, gamma, unknown, reason) =>
    `${name} would have guessed ${unknown ? 'up to ' : ''}${gamma}: ${clean(reason)}.`,
};

export const ghost = {
  noLength: 'The guesses of this run have no length for a rule to choose.',
  title: 'What would another rule have done?',
  about:
    'What the rule would have set in each round of this run, given the rounds before it. Its dashed line is in the γ lane, too.',
  none: 'choose a γ rule',
  waiting: 'Waiting for the answer.',
  refused: (reason) => `Not asked: ${reason}.`,
  chart: (name) => `γ as ${name} would have set it`,
  round: 'round',
  guesses: 'guesses',
  point: (gamma, reason) => `${gamma}: ${reason}`,
  says: (name, own, would, drawn, same, rounds, open) =>
    `${name} would have guessed ${would} tokens a round where ${own} guessed ${drawn}, the same in ${same} of ${rounds} rounds.` +
    (open
      ? ` In ${open} it might have stopped earlier than its line shows: the recording ends before that.`
      : ''),
};

/**
 * score.js: how good predictions were. Pure.
 */

import { mean } from '../../base/statistics.js';
import { SAID } from './questions.js';

/**
 * answered: [{ question, said }], said being the number of an option. { guesses: chances that were
 * predicted, error: their mean squared error, blind: that of always saying one half, right and others: of
 * the questions that have one right answer, said: [{ option, many, chance: their mean, accepted }] of each
 * chance that was said }. error and blind are null of no guesses.
 */
export function scoreOf(answered) {
  const darts = answered
    .filter(({ question }) => question.kind === 'dart')
    .map(({ question: { chance, happened }, said }) => ({ said, chance, happened }));
  const others = answered.filter(({ question }) => question.kind !== 'dart');
  const squared = (value) => mean(darts.map(({ said, chance }) => ((value ?? SAID[said]) - chance) ** 2));
  return {
    guesses: darts.length,
    error: squared(),
    blind: squared(0.5),
    others: others.length,
    right: others.filter(({ question, said }) => question.right === said).length,
    said: SAID.map((_, option) =>
      calibrated(
        option,
        darts.filter(({ said }) => said === option),
      ),
    ).filter(({ many }) => many),
  };
}

function calibrated(option, darts) {
  return {
    option,
    many: darts.length,
    chance: mean(darts.map(({ chance }) => chance)),
    accepted: darts.filter(({ happened }) => happened).length,
  };
}

/**
 * sums-here.js: the position in the text that the stage shows, and its p and q, for the tab Is it exact?
 * Pure. Input: a story, a moment of it and the guess in focus.
 */

import { ruleOf } from '../../rules/rules.js';
import { ORDER, isSettled, stateOf } from '../../trace/moment.js';

/** How many tokens of the run are before a slot: those a refused guess took with it have no place. */
export function positionOf({ rounds, trace }, round, slot) {
  return (
    rounds[round].text -
    rounds[0].text +
    Math.min(trace.rounds[round].verdicts[slot]?.depth ?? Infinity, trace.rounds[round].path.length)
  );
}

/**
 * A slot's p and q for draw-proof.js: { rows: [{ token, text, p, q }], rest, drafted, emitted, verdict },
 * null for what is not known at that moment, and altogether where nothing was guessed, or neither was recorded.
 */
export function lawsAt(round, moment, slot) {
  const guess = round.verdicts[slot];
  const state = guess && stateOf(round, moment, slot);
  if (!state || ruleOf(moment.info).bare) return null;
  const known = (law) => ({ ...law, p: moment.order >= ORDER.verify ? law.p : null });
  const replaced = isSettled(moment) && round.extra?.emission === 'resampled' && slot === round.extra.node;
  return {
    rows: guess.view.bars.map(({ token, text, p, q }) => known({ token, text, p, q })),
    rest: known(guess.view.rest),
    drafted: guess.token,
    emitted: replaced ? round.extra.token : null,
    verdict: state === 'draft' ? null : state,
  };
}

/**
 * words-tour.js: the tour, nine stops: a sentence, a shorter one under it, and what to do there. Pure.
 */

import { inWords } from '../base/format.js';
import { guide } from './words-guide.js';

const draft = (text) => ({ text, role: 'draft' });
const target = (text) => ({ text, role: 'target' });
const rejected = (text) => ({ text, role: 'rejected' });
const bonus = (text) => ({ text, role: 'bonus' });

export const tour = {
  label: 'Tour',
  offer: (stop, many) => (stop ? `Resume the tour, ${stop} of ${many}` : 'Take the tour'),
  leave: 'Leave',
  finish: 'Finish',
  done: '✓ Done',

  passes: [
    ['The ', target('target'), ' alone writes one token per pass.'],
    'Each token runs the whole big model from start to end. That is what makes it slow.',
    'Press → to begin a round.',
  ],
  guesses: (many) => [
    ['A small ', draft('draft model'), ' guesses ahead.'],
    'Amber and dashed: nothing is decided yet. Guessing costs little.',
    many === 1 ? 'Press → for the guess.' : `Press → until all ${inWords(many)} guesses are there.`,
  ],
  check: [
    ['One pass of the ', target('target'), ' checks them all.'],
    'It reads the text and every guess together, and scores each position at once.',
    'Press → to run the pass.',
  ],
  number: [guide.number, guide.numberUnder, 'Press → to let the number fall.'],
  greedy: [guide.greedy, guide.greedyUnder, 'Press → to compare.'],
  coupled: [guide.coupled, guide.coupledUnder, 'Press → to compare.'],
  typical: [guide.typical, guide.typicalUnder, 'Press → to compare.'],
  dropped: (text) => [
    [rejected(`“${text}”`), ' is rejected, so what was guessed after it is dropped.'],
    'Its probabilities assumed a token that is gone, so it is never tested.',
    'Open a dropped guess: click it, or Tab to it and press Enter.',
  ],
  rejected: (text) => [
    [rejected(`“${text}”`), ' is rejected. It was the last guess.'],
    'That does not mean “wrong”: some such guesses must go.',
    'Open the rejected guess: click it, or Tab to it and press Enter.',
  ],
  left: [
    ['The ', target('target'), ' does not simply draw again.'],
    'It draws from the blue alone: what it has over the draft model. That keeps its distribution.',
    'Press → to draw the replacement.',
  ],
  free: [
    ['If all are accepted, one more token is ', bonus('free'), '.'],
    'The pass scored one position more than there were guesses.',
    'Press → for the bonus.',
  ],
  cache: [
    ['What was rejected leaves the cache.'],
    'The cache keeps an entry per token read. Those of rejected guesses are cut off.',
    'Press → to roll back.',
  ],
  race: [
    ['Does it pay?'],
    'Only if guesses are cheap and mostly accepted. Race times both ways on one machine.',
    'Open the Race tab, or press 2.',
  ],
};

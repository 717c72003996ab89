/**
 * sources.js: who guesses, and from what: the line under the headline and the picture beside q, while guesses
 * are made. Pure. Every drafter has a function, which reads the round's record and nothing else; one that has none
 * yet says what its entry says.
 */

import { stateOf } from '../../trace/moment.js';
import { words } from '../words.js';
import { blanksOf } from './blanks.js';
import { lookupOf, retrievalOf, suffixOf } from './copied.js';
import { fedOf, headsOf, imaginedOf, putOutOf } from './heads.js';
import { told } from './parts.js';
import { exitOf, roundedOf, slotsOf, smallOf } from './stack.js';
import { forcedOf, learnedOf, pairsOf, phrasesOf, recyclingOf } from './table.js';
import { membersOf, stagedOf, takenOf } from './tree.js';
import { passesOf, windowOf } from './window.js';

/**
 * By the drafter's name, its source: (story, round, moment, node) => { line, picture }, node being a guess that is made
 * at that moment. line: a sentence, or pieces of one. picture: see Picture in parts.js, or null where the record lacks
 * its numbers.
 */
export const SOURCES = {
  bigram: pairsOf,
  ngram: phrasesOf,
  'small-model': smallOf,
  online: learnedOf,
  'prompt-lookup': lookupOf,
  suffix: suffixOf,
  retrieval: retrievalOf,
  recycling: recyclingOf,
  'early-exit': exitOf,
  quantized: roundedOf,
  window: slotsOf,
  staged: stagedOf,
  grammar: forcedOf,
  'copy-first': (story, round, at, node) => sourceBy(round.verdicts[node].source.who)(story, round, at, node),
  'small-tree': takenOf,
  ensemble: membersOf,
  eagle: headed(imaginedOf),
  mtp: headed(putOutOf),
  medusa: headed(headsOf),
  hydra: headed(fedOf),
  dflash: headed(blanksOf),
  jacobi: passesOf,
  lookahead: windowOf,
};

/**
 * { drafter, line: [piece], picture, chosen: whether no guess of the round is drawn }; null where no guess is made, or
 * nobody knows its drafter.
 */
export function sourceOf(story, round, moment, focus) {
  const { drafter } = story.trace.info.config;
  // whose source the check tells more of: the states that the target has, the window that the same pass reads
  const isChecked = moment.kind === 'verify' && ['eagle', 'mtp', 'lookahead'].includes(drafter);
  if (!(moment.kind === 'draft' || isChecked) || !Object.hasOwn(words.plugins, drafter)) return null;
  const isMade = round.verdicts[focus] && stateOf(round, moment, focus) !== null;
  const { line, picture } = sourceBy(drafter)(story, round, moment, isMade ? focus : (moment.slot ?? 0));
  const chosen = !isChecked && round.verdicts.every(({ law }) => law === 'point');
  return { drafter, line: [line].flat().filter(Boolean), picture, chosen };
}

function sourceBy(drafter) {
  return Object.hasOwn(SOURCES, drafter) ? SOURCES[drafter] : told;
}

/** For heads; a file may name them where it says nothing of heads. */
function headed(source) {
  return (story, ...about) => (story.trace.info.heads ? source : told)(story, ...about);
}

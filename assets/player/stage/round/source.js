/**
 * source.js: who guesses, and from what: the line under the headline and the picture beside q, while guesses
 * are made. Pure. Every drafter has its own maker, which reads the round's record and nothing else.
 */

import { stateOf } from '../../trace/moment.js';
import { tell } from '../../words/words.js';
import { words } from '../words.js';
import { lookupOf, recyclingOf, retrievalOf, suffixOf } from './source-copies.js';
import { pairsOf, phrasesOf } from './source-counts.js';
import { forcedOf } from './source-grammar.js';
import { blanksOf, fedOf, headsOf, imaginedOf, putOutOf } from './source-heads.js';
import { exitOf, learnedOf, roundedOf, smallOf, stagedOf } from './source-models.js';
import { passesOf, windowOf } from './source-passes.js';
import { membersOf, takenOf } from './source-trees.js';

/**
 * By the drafter's name, what makes its source: (story, round, moment, node) => { line, picture }, node being
 * a guess that is made at that moment. line: a sentence, or pieces of one. picture: { kind, … } for the
 * drawer of that kind in draw-source.js, or null where the record lacks its numbers. What gives away where
 * a number lands is drawn with data-late.
 */
export const MAKERS = {
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
  staged: stagedOf,
  grammar: forcedOf,
  'copy-first': (story, round, at, node) =>
    (MAKERS[round.verdicts[node].source.who] ?? told)(story, round, at, node),
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
  if (!(moment.kind === 'draft' || isChecked) || !Object.hasOwn(MAKERS, drafter)) return null;
  const isMade = round.verdicts[focus] && stateOf(round, moment, focus) !== null;
  const { line, picture } = MAKERS[drafter](story, round, moment, isMade ? focus : (moment.slot ?? 0));
  const chosen = !isChecked && round.verdicts.every(({ law }) => law === 'point');
  return { drafter, line: [line].flat().filter(Boolean), picture, chosen };
}

/** In words, as the engine gives them, or else what the drafter does. */
function told({ trace }, { verdicts }, _, node) {
  const summary = words.plugins[trace.info.config.drafter]?.summary;
  return { line: tell(verdicts[node].source.words) || summary, picture: null };
}

/** A maker for heads; a file may name them where it says nothing of heads. */
function headed(maker) {
  return (story, ...about) => (story.trace.info.heads ? maker : told)(story, ...about);
}

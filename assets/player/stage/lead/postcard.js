/**
 * postcard.js: the round of a run that tells most, as a picture that leaves the page, step by step. Pure.
 */

import { clean, inSentence } from '../../base/format.js';
import { keepChance } from '../../trace/chance.js';
import { isSettled, momentOf, stateOf } from '../../trace/moment.js';
import { tokensOf } from '../../trace/race.js';
import { childrenOf, isBlock, ownState } from '../../trace/timeline.js';
import { tell } from '../../words/words.js';
import { numbered } from './guide-stops.js';
import { headline } from '../round/say.js';
import { scene } from '../scene.js';
import { words } from '../words.js';

/** Guesses that fell away and are still there to see. */
const DROPPED = 3;
/** Milliseconds that each kind of beat stays, all of a kind together; the end stays longest. */
const [STAYS, END] = [{ draft: 1300, verify: 1000, dart: 900, verdict: 900 }, 2000];

/**
 * { before: [{ raw, state }], round: [text] of its guesses and the target's own token, steps, passes: pieces, about };
 * a step is { states: of each text of the round, null while it is not there, says: pieces, ruler: as in ruler.js, or
 * null, falls: the number is about to fall, ms }.
 */
export function postcardOf(story) {
  const { trace, beats, rounds, shown, places } = story;
  const index = mostTelling(story);
  const round = trace.rounds[index];
  const { verdicts, extra } = round;
  const focus = verdicts.length ? numbered(round) : -1;
  const nodes = [...round.path, ...refusedIn(round)];
  const told = ({ kind, slot }) =>
    ['draft', 'verify', 'replace', 'bonus'].includes(kind) ||
    (['dart', 'verdict'].includes(kind) && (slot === focus || isBlock(round)));
  const stops = [...beats.keys()]
    .slice(rounds[index].beat, rounds[index + 1].beat)
    .filter((at) => told(beats[at]));
  const judged = stops.findLast((at) => beats[at].kind === 'verdict');
  const verdict = judged ? scene(story, judged, focus) : null;
  const stepAt = (at) => {
    const { kind } = beats[at];
    const moment = momentOf(trace, beats[at]);
    return {
      states: [
        ...nodes.map((node) => stateOf(round, moment, node)),
        ...(extra ? [isSettled(moment) ? ownState(round) : null] : []),
      ],
      // a replacement has a number of its own, and the ruler is still the verdict's
      says: kind === 'replace' ? verdict.headline : headline(story, at),
      ruler: rulerAt(kind, verdict?.ruler),
      falls: kind === 'dart' && verdict.ruler.kind === 'accept',
      ms: (STAYS[kind] ?? END) / stops.filter((each) => beats[each].kind === kind).length,
    };
  };
  return {
    before: shown.slice(0, places[rounds[index].text].shown).filter(({ template }) => !template),
    round: [...nodes.map((node) => verdicts[node].text), ...(extra ? [extra.text] : [])].map(inSentence),
    steps: stops.map(stepAt),
    ...linesOf(trace),
  };
}

/** The ruler of the verdict, as far as it is known: its mark by the check, its number once it falls. */
function rulerAt(kind, ruler) {
  if (ruler?.kind !== 'accept') return null;
  if (kind === 'draft') return { ...ruler, title: '', segments: [], dart: null, pin: null };
  return kind === 'verify' ? { ...ruler, dart: null, pin: null } : ruler;
}

/** How many passes the text took, and who wrote it. */
function linesOf(trace) {
  const { config, target, traits } = trace.info;
  const [tokens, passes] = [tokensOf(trace), trace.rounds.length];
  return {
    passes: words.result.passes({ tokens, passes, fewer: passes < tokens }),
    about: words.result.about({
      drafter: config.drafter,
      lossless: traits.lossless,
      pair: clean(config.pair),
      target: tell(target),
    }),
  };
}

/** The refused guess and some of what hung on it. */
function refusedIn(round) {
  const nodes = [];
  let node = round.extra?.node ?? null;
  for (; node !== null && nodes.length <= DROPPED; node = childrenOf(round, node)[0] ?? null)
    nodes.push(node);
  return nodes;
}

/** What each counts: words, a guess that fell away, one that stays, two, text before it, a mark one can see. */
const WEIGHTS = [4, 2, 2, 2, 3, 1];
const isWord = ({ text }) => /\p{L}\p{L}|\p{Script=Han}/u.test(text);

/** The round that says most about guessing: words rejected for words, well into the text, by a number one can see. */
function mostTelling({ trace, rounds }) {
  const scores = trace.rounds.map(({ verdicts, extra, path }, index) => {
    const refused = verdicts[extra?.node];
    if (!refused || extra.zero_residual) return verdicts.length && extra ? 1 : 0;
    const chance = keepChance(refused);
    const told = [
      isWord(refused) && isWord(extra),
      verdicts.some(({ parent }) => parent === extra.node),
      path.length > 0,
      path.length > 1,
      rounds[index].text - rounds[0].text > 12,
      chance > 0.05 && chance < 0.95,
    ];
    return 1 + told.reduce((sum, each, at) => sum + (each ? WEIGHTS[at] : 0), 0);
  });
  return scores.indexOf(Math.max(...scores));
}

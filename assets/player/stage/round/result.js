/**
 * result.js: what came of a run that is over, as plain data: its whole text, how fast it was, and the guess that was
 * accepted against the odds. Pure.
 */

import { inSentence, multiple, number } from '../../base/format.js';
import { bestLength, byLength, byPlace } from '../../trace/lengths.js';
import { paceLine } from '../../trace/reason.js';
import { resultOf as measuredOf, raceOf, tokensOf } from '../../trace/race.js';
import { testedOf } from '../../trace/timeline.js';
import { generationLine } from '../../trace/tried.js';
import { sentences } from '../../words/words.js';
import { isRescued, keepChance } from '../../trace/chance.js';
import { oneIn } from './bars.js';
import { ruleOf } from '../../rules/rules.js';
import { textOf } from './text.js';
import { words } from '../words.js';

/** An accepted guess was lucky where its chance was smaller. */
const LUCKY = 0.2;
/** A draft length is advised where it would be that many times as fast as the run was. */
const GAIN = 1.05;

/**
 * { text, pace, advice, lengths, facts }; pace is '', advice and lengths null where nothing was raced, facts '' where
 * nothing was tested and the model's file asked for nothing.
 */
export function resultOf({ shown, trace }) {
  const raced = Boolean(raceOf(trace));
  return {
    text: textOf(shown),
    pace: raced ? paceLine(trace) : '',
    advice: raced ? adviceOf(trace) : null,
    lengths: raced || ruleOf(trace.info).bare ? lengthsOf(trace, raced) : null,
    facts: sentences([factsOf(trace), apartOf(trace), generationLine(trace.info)]),
  };
}

/** The headline: how many passes the tokens took. It is exact, and the same on every machine. */
export function resultLine({ trace }) {
  const [tokens, passes] = [tokensOf(trace), trace.rounds.length];
  return words.say.result({ tokens, passes, fewer: passes < tokens });
}

/** { line, gamma }: the draft length that would have been faster, 0 where none would pay; null where this is best. */
function adviceOf(trace) {
  const [best, { speedup, verdict }] = [bestLength(trace), measuredOf(trace)];
  if (!best || (best.speedup <= 1 ? verdict !== 'slower' : best.speedup < GAIN * speedup)) return null;
  const gamma = best.speedup > 1 ? best.gamma : 0;
  return { gamma, line: words.result.advice({ gamma, times: multiple(best.speedup) }) };
}

/**
 * What other draft lengths would have come to: { gamma: the run's own, all: by length from 1, { tokens, passes,
 * reached, speedup, where it was raced } }; null where the run does not tell.
 */
function lengthsOf(trace, raced) {
  const made = tokensOf(trace);
  const all = (raced ? byLength : byPlace)(trace)?.map((each) => ({
    ...each,
    passes: Math.round(made / each.tokens),
  }));
  return all ? { gamma: trace.info.config.gamma, all } : null;
}

/** How many of the tested guesses were accepted, and the luckiest of them. */
function factsOf(trace) {
  const tested = trace.rounds.flatMap((round) => testedOf(round).map((node) => round.verdicts[node]));
  if (!tested.length) return '';
  const accepted = tested.filter(({ verdict }) => verdict === 'accepted');
  const luckiest = luckiestOf(trace, accepted);
  return words.result.facts({
    accepted: accepted.length,
    tested: tested.length,
    luckiest: luckiest && inSentence(luckiest.text),
    many: luckiest && oneIn(keepChance(luckiest)),
  });
}

/** How far what a lossy rule mixed was from the target, on average over the places where guesses were judged. */
function apartOf({ info, rounds }) {
  if (!info.ensemble) return '';
  const judged = rounds.flatMap((round) => testedOf(round).map((node) => round.verdicts[node].view));
  const places = judged.filter(({ target }) => target);
  const sum = places.reduce((all, { distance = 0 }) => all + distance, 0);
  return places.length ? words.result.apart({ distance: number(sum / places.length) }) : '';
}

/** The accepted word with the lowest mark; null where none needed luck. */
function luckiestOf({ info }, accepted) {
  if (ruleOf(info).by !== 'number') return null;
  const own = accepted.filter((verdict) => verdict.text.trim() && !isRescued(verdict));
  const [least] = own.sort((one, other) => keepChance(one) - keepChance(other));
  return least && keepChance(least) < LUCKY ? least : null;
}

/**
 * guide-stops.js: the stills of the guided first minute, as plain data, made from the run on stage.
 * Pure. What a run does not have is not claimed of it: the still says what is true instead.
 */

import { apart, count, duration, inSentence } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { under } from '../../trace/moment.js';
import { isBlock, isChain, levelsOf, whoGuesses } from '../../trace/timeline.js';
import { ruleOf } from '../../rules/rules.js';
import { raceOf, tokensOf } from '../../trace/race.js';
import { clocks, exchange } from '../round/clocks.js';
import { said } from '../../words/words.js';
import { words } from '../words.js';

/**
 * [{ at: the beat, lit: names of the parts that stay bright, say: pieces, under: text, moves }]; moves: the
 * beat plays its motion. The parts: plain, spec (the two clocks), lane, figure, ruler, cache.
 */
export function stopsOf(story) {
  const { trace } = story;
  const race = raceOf(trace);
  const says = words.guide;
  const made = tokensOf(trace);
  const first = {
    at: 0,
    lit: ['plain'],
    say: says.plain,
    under: race
      ? says.plainUnder({ passes: count(race.passes.length), time: duration(median(race.plain_laps)) })
      : says.plainUntimed({ tokens: count(made) }),
  };
  const last = { at: 0, lit: ['plain', 'spec'], ...ending(trace, race, made) };
  const shown = roundToShow(trace.rounds);
  if (!shown)
    return [first, { at: 0, lit: ['lane'], say: [says.none], under: says.noneUnder }, last].map(still);
  const { verdicts } = shown;
  const { drafter } = trace.info.config;
  const forks = !isChain(shown);
  const at = (kind, slot) => beatOf(story, shown.index, kind, slot);
  const tested = numbered(shown);
  const rule = ruleOf(trace.info, verdicts[tested]);
  const rolled = rule.by === 'number';
  return [
    first,
    {
      at: at('draft', levelsOf(shown).at(-1)[0]),
      lit: ['lane'],
      say: says[forks ? 'guessTree' : 'guess']({ drafter: whoGuesses(trace), many: verdicts.length }),
      under: says.guessUnder({
        many: verdicts.length,
        chosen: verdicts.every(({ law }) => law === 'point'),
        drafter,
      }),
    },
    {
      at: at('verify'),
      lit: ['lane'],
      say: says.check({ many: verdicts.length }),
      under: forks ? says.checkTreeUnder : says.checkUnder({ many: verdicts.length }),
      moves: true,
    },
    {
      at: at('dart', tested),
      lit: rolled ? ['lane', 'ruler'] : ['lane', 'figure'],
      say: rule.words.guide,
      under: said(rule.words.guideUnder, { drafter }),
      moves: rolled,
    },
    {
      lit: rolled ? ['lane', 'figure', 'ruler'] : ['lane', 'figure'],
      ...outcome(shown, at, ruleOf(trace.info, verdicts[shown.extra?.node])),
    },
    ...(shown.extra.emission === 'resampled' ? [rollback(trace, at)] : []),
    last,
  ].map(still);
}

const still = (stop) => ({ moves: false, ...stop });

/** How the round ends: a refusal with what takes its place, or the bonus. */
function outcome(round, at, rule) {
  const { verdicts, extra, path } = round;
  const says = words.guide;
  const refused = extra.node;
  const targetText = inSentence(extra.text);
  if (refused === null)
    return {
      at: at('bonus', verdicts.length),
      say: says.free({ text: targetText, many: path.length }),
      under: says.freeUnder,
    };
  const dropped = under(round, refused).length;
  const text = inSentence(verdicts[refused].text);
  const drawn = extra.zero_residual && rule.by === 'number' ? says.equal : rule.words.takes;
  return {
    at: at('replace', refused),
    say: dropped
      ? says.fails({ text, dropped, differs: rule.by === 'same' })
      : says.failsLast({ text, own: targetText }),
    under: drawn({ own: targetText }),
  };
}

/** What was rejected leaves the caches. */
function rollback({ info }, at) {
  const says = words.guide;
  const still = { at: at('trim'), lit: ['cache'] };
  return info.target_state_bytes
    ? { ...still, say: says.state, under: says.stateUnder }
    : { ...still, say: says.cache, under: says.cacheUnder };
}

/** The result: tokens per round against their time, or only the count where nothing was timed. */
function ending({ rounds }, race, made) {
  const says = words.guide;
  if (!race)
    return { say: [says.untimed({ tokens: count(made), passes: rounds.length })], under: says.untimedUnder };
  const { verdict } = clocks({ trace: { rounds, race } });
  const [tokens, steps] = apart(...exchange({ race, rounds }));
  if (verdict === 'slower') return { say: [says.slower({ tokens, steps })], under: says.slowerUnder };
  return { say: [says.faster({ tokens, steps })], under: says.fasterUnder };
}

/**
 * The most telling round: one guess accepted, one rejected, one dropped after it; else the closest to that.
 */
function roundToShow(rounds) {
  const ended = rounds.filter(({ verdicts, extra }) => verdicts.length && extra);
  const refuses = ended.filter(({ extra }) => extra.emission === 'resampled' && !extra.zero_residual);
  const drops = refuses.filter(({ verdicts }) => verdicts.some(({ verdict }) => verdict === 'untested'));
  return drops.find(({ path }) => path.length) ?? drops[0] ?? refuses[0] ?? ended[0] ?? null;
}

/** The tested guess whose number matters most: the refused one, else one that could have been. */
export function numbered({ verdicts, extra }) {
  return (
    extra.node ??
    Math.max(
      0,
      verdicts.findIndex(({ p, q, verdict }) => p < q && verdict !== 'untested'),
    )
  );
}

/** The beat of a kind about a guess, null for any; those of a block are about all of its guesses. */
export function beatOf({ beats, rounds, trace }, round, kind, slot = null) {
  const any = slot === null || (['dart', 'verdict'].includes(kind) && isBlock(trace.rounds[round]));
  for (let at = rounds[round].beat; at < rounds[round + 1].beat; at += 1) {
    if (beats[at].kind === kind && (any || beats[at].slot === slot)) return at;
  }
  throw new RangeError(`round ${round} has no beat ${kind} ${slot}`);
}

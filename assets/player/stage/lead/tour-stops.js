/**
 * tour-stops.js: the stops of the tour, as plain data, made from the run on stage. Pure. A stop that the
 * run cannot show is left out.
 */

import { inSentence } from '../../base/format.js';
import { under } from '../../trace/moment.js';
import { levelsOf, noDiceOf, offeredOf } from '../../trace/timeline.js';
import { beatOf, numbered, roundToShow } from './guide-stops.js';
import { said, saidAll } from '../../words/words.js';
import { words } from '../words.js';

/**
 * [{ at: the beat, lit: names of the parts it is about, say: pieces, under: text, deed: what to do, moves,
 * and what that is: to: a beat to reach, card: the verdict of a guess whose card to open, or opens: a tab
 * }]. races: whether there is a race to open.
 */
export function tourOf(story, races) {
  const { trace } = story;
  const says = words.tour;
  const stop = ([say, below, deed], rest) => ({ say, under: below, deed, moves: false, ...rest });
  const last = races ? [stop(says.race, { at: 0, lit: ['tabs'], opens: 'race' })] : [];
  const round = roundToShow(trace.rounds);
  if (!round) return [stop(says.passes, { at: 0, lit: ['text'], to: 1 }), ...last];
  const at = (kind, slot) => beatOf(story, round.index, kind, slot);
  const drafted = levelsOf(round).map(([first]) => at('draft', first));
  const tested = numbered(round);
  const noDice = noDiceOf(trace.info, round.verdicts[tested]);
  const { drafter } = trace.info.config;
  const number = noDice ?? 'number';
  const below = said(words.guide[`${number}Under`], { drafter });
  return [
    stop(says.passes, { at: 0, lit: ['text'], to: 1 }),
    stop(saidAll(says.guesses, { many: offeredOf(round), drafter }), {
      at: drafted.length > 1 ? drafted[0] : drafted[0] - 1,
      lit: ['lane'],
      to: drafted.at(-1),
    }),
    stop(says.check, { at: drafted.at(-1), lit: ['lane'], to: at('verify') }),
    stop([words.guide[number], below, says.press[noDice ? 'compare' : 'number']], {
      at: at('dart', tested) - 1,
      lit: noDice ? ['lane', 'figure'] : ['lane', 'ruler'],
      to: at('dart', tested),
    }),
    ...refusal(round, at, noDiceOf(trace.info, round.verdicts[round.extra?.node])).map(([text, rest]) =>
      stop(text, rest),
    ),
    ...bonusIn(story).map((to) => stop(says.free, { at: to - 1, lit: ['lane'], to })),
    ...(round.extra?.emission === 'resampled'
      ? [
          stop(trace.info.target_state_bytes ? says.state : says.cache, {
            at: at('trim') - 1,
            lit: ['cache'],
            to: at('trim'),
          }),
        ]
      : []),
    ...last,
  ];
}

/** What a refusal shows: what it drops, and what its replacement is drawn from. */
function refusal(round, at, noDice) {
  const { verdicts, extra } = round;
  if (extra.node === null) return [];
  const says = words.tour;
  const drops = under(round, extra.node).length > 0;
  const text = inSentence(verdicts[extra.node].text);
  const card = [
    saidAll(says[drops ? 'dropped' : 'rejected'], { text }),
    { at: at('verdict', extra.node), lit: ['lane'], card: drops ? 'untested' : 'rejected' },
  ];
  const residual = !noDice && !extra.zero_residual;
  return [
    card,
    ...(residual
      ? [
          [
            says.left,
            { at: at('residual', extra.node), lit: ['figure', 'ruler'], to: at('replace', extra.node) },
          ],
        ]
      : []),
  ];
}

/** The first bonus after guesses, a beat. */
function bonusIn(story) {
  const round = story.trace.rounds.find(
    ({ extra, verdicts }) => extra?.emission === 'bonus' && verdicts.length,
  );
  return round ? [beatOf(story, round.index, 'bonus', round.verdicts.length)] : [];
}

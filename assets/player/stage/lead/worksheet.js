/**
 * worksheet.js: a round as a sheet to be worked out by hand: what is given, what is left blank, and the
 * answers. Pure.
 */

import { apart, inSentence, number } from '../../base/format.js';
import { isChain, noDiceOf, testedOf } from '../../trace/timeline.js';
import { keepChance, viewAt } from '../round/bars.js';
import { words } from '../words.js';

const says = words.sheet;
/**
 * Guesses that find room on a page beside the questions. Those behind the first that is never tested are
 * left out beyond.
 */
const ROOM = 5;

/**
 * { about, guesses: [{ text, given: [lines], blank: [[label, answer]], mark: the chance, u }], parts: [{
 * title, text, items: [[question, answer]] }] }; null of a round in which no random number tests a guess by
 * itself, or siblings are tested against what is left of p. u and mark are null where nobody tests it.
 */
export function worksheetOf({ trace }, index) {
  const round = trace.rounds[index];
  const { verdicts, extra } = round;
  const { config } = trace.info;
  if (
    noDiceOf(trace.info) ||
    !verdicts.length ||
    !isChain(round) ||
    verdicts.some(({ weight }) => weight !== null)
  )
    return null;
  const tested = testedOf(round);
  const guesses = verdicts.slice(0, Math.max(ROOM, tested.length + 1)).map((verdict) => {
    const known = tested.includes(verdict.node);
    const keep = keepChance(verdict);
    const [u, chance] = known ? apart(verdict.u, keep) : ['', number(keep)];
    return {
      text: inSentence(verdict.text),
      given: [`p = ${number(verdict.p)}`, `q = ${number(verdict.q)}`, `u = ${known ? u : '–'}`],
      blank: [
        ['a', known ? chance : '–'],
        [says.verdict, known ? (verdict.verdict === 'accepted' ? says.accept : says.reject) : says.never],
      ],
      mark: known ? keep : null,
      u: known ? verdict.u : null,
    };
  });
  return {
    about: says.about({
      round: index + 1,
      rounds: trace.rounds.length,
      gamma: config.gamma,
      temperature: config.temperature,
      seed: config.seed,
    }),
    guesses,
    parts: [
      { title: says.test, text: says.how, items: [] },
      ...refusal(round),
      {
        title: says.words,
        text: '',
        items: [extra?.emission === 'resampled' ? says.openRefused : says.openBonus, says.openSlower],
      },
    ],
  };
}

/** What is worked out after a refusal: the chance of it, what is left of a token, where the number falls. */
function refusal(round) {
  const { extra } = round;
  if (extra?.emission !== 'resampled' || extra.zero_residual) return [];
  const refused = round.verdicts[extra.node];
  const { overlap, left, bars } = viewAt(round, extra.node);
  const bar = bars.find(({ token }) => token === extra.token);
  const text = inSentence(extra.text);
  return [
    {
      title: says.left,
      text: '',
      items: [
        [says.odds({ text: inSentence(refused.text), overlap: number(overlap) }), number(left)],
        [says.cannot({ text: inSentence(refused.text) }), says.because({ text: inSentence(refused.text) })],
        [says.over({ text, p: number(bar.p), q: number(bar.q) }), number(bar.residual)],
        [says.stretched, number(bar.residual / left)],
      ],
    },
  ];
}

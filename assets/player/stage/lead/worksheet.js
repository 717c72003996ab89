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
 * title, text, items: [[question, answer]] }] }; the numbers drawn stand in one row, since a guess without one would
 * tell that it is never tested; null of a round in which no random number tests a guess by
 * itself, or siblings are tested against what is left of p. u and mark are null where nobody tests it.
 */
export function worksheetOf({ trace }, index) {
  const round = trace.rounds[index];
  const { verdicts, extra } = round;
  const { config } = trace.info;
  if (
    noDiceOf(trace.info) ||
    !trace.info.traits.lossless ||
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
      given: [`p = ${number(verdict.p)}`, `q = ${number(verdict.q)}`],
      blank: [
        ['u', known ? u : '–'],
        ['a', known ? chance : '–'],
        [says.verdict, known ? (verdict.verdict === 'accepted' ? says.accept : says.reject) : says.never],
      ],
      mark: known ? keep : null,
      u: known ? verdict.u : null,
    };
  });
  const drawn = numbersFrom(trace.rounds, index, guesses.length + 1).map(([u, keep]) =>
    keep === null ? number(u) : apart(u, keep)[0],
  );
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
      { title: says.test, text: says.how({ numbers: drawn.join(', ') }), items: [] },
      ...refusal(round),
      {
        title: says.words,
        text: '',
        items: [extra?.emission === 'resampled' ? says.openRefused : says.openBonus, says.openSlower],
      },
    ],
  };
}

/** The next numbers that are drawn from a round on, each with the chance that it is held against, if to one. */
function numbersFrom(rounds, index, many) {
  return rounds
    .slice(index)
    .flatMap((round) => [
      ...testedOf(round).map((node) => [round.verdicts[node].u, keepChance(round.verdicts[node])]),
      [round.extra?.u ?? null, null],
    ])
    .filter(([u]) => u !== null)
    .slice(0, many);
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

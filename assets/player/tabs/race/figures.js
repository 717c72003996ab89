/**
 * figures.js: the lines of the cost panel and of the result: the numbers of trace/race.js in words. Pure.
 */

import { count, factor, multiple, number, numbers, raised } from '../../base/format.js';
import { saidAll } from '../../words/words.js';
import { words } from '../words.js';

/**
 * @typedef {object} CostLine
 * @property {string} name
 * @property {string} symbol
 * @property {string} about
 * @property {string} formula
 * @property {number | null} value exact
 * @property {string} text the value as it is printed
 */

/**
 * The lines of the panel.
 * @returns {CostLine[]}
 */
export function costLines(costs) {
  return [...roundLines(costs), ...tokenLines(costs), ...speedLines(costs)];
}

function line(name, [symbol, about], formula, value, text = number(value)) {
  return { name, symbol, about, formula, value, text };
}

/** What a round takes, in plain steps. */
function roundLines({ t1, rows, siblings, draft, verify, rest, learned, c, v, overhead, teaching }) {
  const texts = words.race.cost;
  const step = number(t1);
  const drafting = c === null ? texts.noDraft : texts.c[2]({ draft: number(draft), t1: step });
  const pass = saidAll(texts.v, { rows, verify: number(verify), t1: step });
  const lines = [
    line('c', siblings ? texts.level : texts.c, drafting, c),
    line('v', pass, pass[2], v),
    line('overhead', texts.overhead, texts.overhead[2]({ rest: number(rest), t1: step }), overhead),
  ];
  if (teaching === null) return lines;
  const formula = texts.teaching[2]({ learned: number(learned), t1: step });
  return [...lines, line('teaching', texts.teaching, formula, teaching)];
}

/** How many tokens a round should give. */
function tokenLines({ gamma, siblings, alpha, kept, tested, expected }) {
  const texts = words.race.cost;
  const counts = { kept: count(kept), tested: count(tested) };
  const power = { alpha: number(alpha), power: raised(gamma + 1) };
  const series = alpha === 1 ? texts.certain({ gamma }) : texts.expected[2](power);
  const rate = alpha === null ? texts.noDraft : texts.alpha[2](counts);
  return [
    line('alpha', siblings ? texts.places : texts.alpha, rate, alpha),
    line('expected', texts.expected, alpha === null ? '1' : series, expected),
  ];
}

/** How fast that should be, how fast it was, and which α it takes. */
function speedLines({ gamma, c, v, expected, predicted, measured, each, breakEven, roundCost }) {
  const texts = words.race.cost;
  const share = gamma
    ? texts.predicted[2]({ ...numbers({ expected, c, v }), gamma })
    : texts.alone(numbers({ expected, v }));
  const { plain, speculative } = each;
  const least = breakEven.why ? texts.why[breakEven.why] : texts.breakEven[2](numbers({ whole: roundCost }));
  return [
    line('predicted', texts.predicted, share, predicted, multiple(predicted)),
    line(
      'measured',
      texts.measured,
      texts.measured[2](numbers({ plain, speculative })),
      measured,
      multiple(measured),
    ),
    line('break-even', texts.breakEven, least, breakEven.alpha),
  ];
}

/** Where the gap between the measured and the predicted speed-up comes from. */
export function gapLine({ gap, perRound, expected }) {
  const percent = (100 * gap.ratio).toFixed(0);
  return words.race.cost.gap({
    percent,
    overhead: factor(gap.overhead),
    tokens: factor(gap.tokens),
    perRound: number(perRound),
    expected: number(expected),
    rest: factor(gap.rest),
  });
}

/**
 * What the guesses of a tree beside the first of each place bring, and what they cost; '' where there are
 * none.
 */
export function siblingsLine({ gamma, c, alpha, expected, roundCost, siblings }) {
  if (!siblings) return '';
  const [gain, dear] = [expected / siblings.expected, roundCost / (roundCost - siblings.cost)];
  const [texts, pays] = [words.race.cost.siblings, gain > dear ? 'pays' : 'loses'];
  return (
    texts.bring({
      many: siblings.many,
      all: siblings.all,
      first: number(siblings.alpha),
      alpha: number(alpha),
      from: number(siblings.expected),
      to: number(expected),
      gain: factor(gain),
    }) +
    texts.cost({
      cost: number(siblings.cost),
      whole: number(roundCost),
      dear: factor(dear),
      levels: gamma,
      drafting: number(gamma * c),
    }) +
    texts[pays]
  );
}

/** The headline: { verdict, says, range }. */
export function headline({ speedup, low, high, laps, verdict }) {
  const texts = words.race;
  return {
    verdict,
    says: texts.won[verdict]({ times: multiple(speedup) }),
    range: texts.range({ low: factor(low), high: factor(high), laps: count(laps) }),
  };
}

/** Is it faster, and what of, in a sentence: what is printed divides to itself. */
export function answerLine({ perRound, measured }, { verdict }) {
  const steps = number(perRound / measured);
  return words.race.fall[verdict]({ times: multiple(measured), perRound: number(perRound), steps });
}

/**
 * figures.js: the lines of the cost panel and of the result: the numbers of trace/race.js in words. Pure.
 */

import { count, factor, multiple, number, raised } from '../../base/format.js';
import { words } from './words.js';

/**
 * The lines of the panel: [{ name, symbol, about, formula, value, text }], value exact or null, text as it
 * is printed.
 */
export function costLines(costs) {
  const {
    t1,
    gamma,
    rows,
    siblings,
    c,
    v,
    overhead,
    alpha,
    expected,
    predicted,
    measured,
    whole,
    each,
    kept,
    tested,
  } = costs;
  const texts = words.race.cost;
  const line = (name, [symbol, about], formula, value, text = number(value)) => ({
    name,
    symbol,
    about,
    formula,
    value,
    text,
  });
  const rate = number(alpha);
  const grows =
    alpha === null ? '1' : alpha === 1 ? texts.certain(gamma) : texts.expected[2](rate, raised(gamma + 1));
  const share = gamma
    ? texts.predicted[2](number(expected), gamma, number(c), number(v))
    : texts.alone(number(expected), number(v));
  return [
    line(
      'c',
      siblings ? texts.level : texts.c,
      c === null ? texts.noDraft : texts.c[2](number(costs.draft), number(t1)),
      c,
    ),
    line('v', texts.v(rows), texts.v(rows)[2](number(costs.verify), number(t1)), v),
    line('overhead', texts.overhead, texts.overhead[2](number(costs.rest), number(t1)), overhead),
    ...(costs.teaching === null
      ? []
      : [
          line(
            'teaching',
            texts.teaching,
            texts.teaching[2](number(costs.learned), number(t1)),
            costs.teaching,
          ),
        ]),
    line(
      'alpha',
      siblings ? texts.places : texts.alpha,
      alpha === null ? texts.noDraft : texts.alpha[2](count(kept), count(tested)),
      alpha,
    ),
    line('expected', texts.expected, grows, expected),
    line('predicted', texts.predicted, share, predicted, multiple(predicted)),
    line(
      'measured',
      texts.measured,
      texts.measured[2](number(each.plain), number(each.speculative)),
      measured,
      multiple(measured),
    ),
    line(
      'break-even',
      texts.breakEven,
      costs.breakEven.why ? texts.why[costs.breakEven.why] : texts.breakEven[2](number(whole)),
      costs.breakEven.alpha,
    ),
  ];
}

/** Where the gap between the measured and the predicted speed-up comes from. */
export function gapLine({ gap, perRound, expected }) {
  const percent = (100 * gap.ratio).toFixed(0);
  return words.race.cost.gap(
    percent,
    factor(gap.overhead),
    factor(gap.tokens),
    number(perRound),
    number(expected),
    factor(gap.rest),
  );
}

/**
 * What the guesses of a tree beside the first of each place bring, and what they cost; '' where there are
 * none.
 */
export function siblingsLine({ gamma, c, alpha, expected, whole, siblings }) {
  if (!siblings) return '';
  const [gain, dear] = [expected / siblings.expected, whole / (whole - siblings.cost)];
  const [texts, pays] = [words.race.cost.siblings, gain > dear ? 'pays' : 'loses'];
  return (
    texts.bring(
      siblings.many,
      siblings.all,
      number(siblings.alpha),
      number(alpha),
      number(siblings.expected),
      number(expected),
      factor(gain),
    ) +
    texts.cost(number(siblings.cost), number(whole), factor(dear), gamma, number(gamma * c)) +
    texts[pays]
  );
}

/** Why the run was as fast as it was, in numbers. */
export function reasonLine({ gamma, rows, c, v, alpha, whole, teaching, perRound, measured, breakEven }) {
  const { reason } = words.race;
  if (measured >= 1) return reason.faster(number(whole), number(perRound));
  if (gamma === 0) return reason.nothing(number(v));
  const least = number(breakEven.alpha ?? 0);
  const against =
    breakEven.why === 'never'
      ? reason.never
      : breakEven.alpha > alpha
        ? reason.needed(least)
        : reason.enough(least);
  const most =
    gamma * c > v ? reason.drafting(gamma, number(gamma * c), number(v)) : reason.pass(rows, number(v));
  return reason.slower(
    teaching === null ? most : most + reason.teaching(number(teaching)),
    number(alpha),
    against,
  );
}

/**
 * The headline: { times, verdict, range, close }, close being empty unless the laps fall on both sides of
 * 1.
 */
export function headline({ speedup, low, high, laps }) {
  const texts = words.race;
  return {
    times: multiple(speedup),
    verdict: speedup < 1 ? texts.slower : texts.faster,
    range: texts.range(factor(low), factor(high), count(laps)),
    close: low < 1 && high > 1 ? texts.close : '',
  };
}

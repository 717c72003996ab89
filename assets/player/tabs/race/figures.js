/**
 * figures.js: the lines of the cost panel and of the result: the numbers of trace/race.js in words. Pure.
 */

import { count, factor, multiple, number, raised } from '../../base/format.js';
import { saidAll } from '../../words/words.js';
import { words } from '../words.js';

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
  const pass = saidAll(texts.v, { rows, verify: number(costs.verify), t1: number(t1) });
  const rate = number(alpha);
  const grows =
    alpha === null
      ? '1'
      : alpha === 1
        ? texts.certain({ gamma })
        : texts.expected[2]({ alpha: rate, power: raised(gamma + 1) });
  const share = gamma
    ? texts.predicted[2]({ expected: number(expected), gamma, c: number(c), v: number(v) })
    : texts.alone({ expected: number(expected), v: number(v) });
  return [
    line(
      'c',
      siblings ? texts.level : texts.c,
      c === null ? texts.noDraft : texts.c[2]({ draft: number(costs.draft), t1: number(t1) }),
      c,
    ),
    line('v', pass, pass[2], v),
    line(
      'overhead',
      texts.overhead,
      texts.overhead[2]({ rest: number(costs.rest), t1: number(t1) }),
      overhead,
    ),
    ...(costs.teaching === null
      ? []
      : [
          line(
            'teaching',
            texts.teaching,
            texts.teaching[2]({ learned: number(costs.learned), t1: number(t1) }),
            costs.teaching,
          ),
        ]),
    line(
      'alpha',
      siblings ? texts.places : texts.alpha,
      alpha === null ? texts.noDraft : texts.alpha[2]({ kept: count(kept), tested: count(tested) }),
      alpha,
    ),
    line('expected', texts.expected, grows, expected),
    line('predicted', texts.predicted, share, predicted, multiple(predicted)),
    line(
      'measured',
      texts.measured,
      texts.measured[2]({ plain: number(each.plain), speculative: number(each.speculative) }),
      measured,
      multiple(measured),
    ),
    line(
      'break-even',
      texts.breakEven,
      costs.breakEven.why ? texts.why[costs.breakEven.why] : texts.breakEven[2]({ whole: number(whole) }),
      costs.breakEven.alpha,
    ),
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
export function siblingsLine({ gamma, c, alpha, expected, whole, siblings }) {
  if (!siblings) return '';
  const [gain, dear] = [expected / siblings.expected, whole / (whole - siblings.cost)];
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
      whole: number(whole),
      dear: factor(dear),
      levels: gamma,
      drafting: number(gamma * c),
    }) +
    texts[pays]
  );
}

/** Why the run was as fast as it was, in numbers. */
export function reasonLine({ gamma, rows, c, v, alpha, whole, teaching, perRound, measured, breakEven }) {
  const { reason } = words.race;
  if (measured >= 1) return reason.faster({ whole: number(whole), perRound: number(perRound) });
  if (gamma === 0) return reason.nothing({ v: number(v) });
  const least = number(breakEven.alpha ?? 0);
  const against =
    breakEven.why === 'never'
      ? reason.never
      : breakEven.alpha > alpha
        ? reason.needed({ alpha: least })
        : reason.enough({ alpha: least });
  const most =
    gamma * c > v
      ? reason.drafting({ guesses: gamma, steps: number(gamma * c), v: number(v) })
      : reason.pass({ rows, v: number(v) });
  return reason.slower({
    most: teaching === null ? most : most + reason.teaching({ steps: number(teaching) }),
    alpha: number(alpha),
    needed: against,
  });
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
    range: texts.range({ low: factor(low), high: factor(high), laps: count(laps) }),
    close: low < 1 && high > 1 ? texts.close : '',
  };
}

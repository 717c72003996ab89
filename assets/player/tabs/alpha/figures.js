/**
 * figures.js: the charts of the tab Acceptance as figures (see figure.js), each with its sentence. Pure.
 */

import { isChain, offeredOf } from '../../trace/timeline.js';
import { count, multiple, number, percent } from '../../base/format.js';
import { tableOf } from '../../base/figure.js';
import { sum } from '../../base/statistics.js';
import { predictedKept, gapOf } from './sums-rates.js';
import { MOST, WIDTH, bestOf, bestPoint, curveOf, wholeSweep } from './sums-speedup.js';
import { words } from '../words.js';

const LOW = 230;
const wholeNumbers = { dtick: 1 };

/** The columns that are saved of a slot, and what of it each holds. */
const SLOT = {
  position: 'slot',
  accepted: 'part',
  tested: 'whole',
  share: 'value',
  low95: 'low',
  high95: 'high',
  mean_overlap: 'overlap',
};

/** alpha by slot; null where nothing was tested. */
export function slotsFigure({ slots }) {
  const texts = words.alpha.slots;
  const seen = slots.flatMap((share, index) => (share.whole ? [{ ...share, slot: index + 1 }] : []));
  if (!seen.length) return null;
  const x = seen.map(({ slot }) => slot);
  const of = (name) => seen.map((share) => share[name]);
  return {
    title: texts.title,
    says: slotsLine(seen),
    x: texts.x,
    y: texts.y,
    xaxis: wholeNumbers,
    yaxis: { range: [0, 1.02] },
    height: LOW,
    series: [
      {
        name: texts.kept,
        kind: 'bars',
        colour: 'overlap',
        x,
        y: of('value'),
        low: of('low'),
        high: of('high'),
        about: seen.map(({ slot, value, part, whole: tested, low, high }) =>
          texts.at({ slot, value: number(value), part, whole: tested, low: number(low), high: number(high) }),
        ),
      },
      {
        name: texts.overlap,
        kind: 'dots',
        colour: 'q-edge',
        x,
        y: of('overlap'),
        about: seen.map(({ slot, overlap }) => texts.overlapAt({ slot, value: number(overlap) })),
      },
    ],
    table: tableOf(SLOT, seen),
    raw: seen,
  };
}

function slotsLine(seen) {
  const texts = words.alpha.slots;
  const [first, last] = [seen[0], seen.at(-1)];
  const many = count(first.whole);
  if (seen.length === 1) return texts.one({ first: percent(first.value), n: many });
  const trend = last.low > first.high ? 'up' : last.high < first.low ? 'down' : 'none';
  return texts.says({
    first: percent(first.value),
    n: many,
    last: percent(last.value),
    slot: last.slot,
    m: count(last.whole),
    trend: texts.trends[trend],
  });
}

/** Rounds by how many guesses they kept, against one alpha for all; null where nothing was tested. */
export function keptFigure(rounds, { kept, rates, rounds: many }) {
  const alpha = rates.tested.value;
  if (alpha === null) return null;
  const texts = words.alpha.kept;
  const predicted = predictedKept(rounds, alpha);
  const x = kept.map((_, index) => index);
  const about = (values) =>
    values.map((value, index) => texts.at({ many: String(index), rounds: number(value) }));
  return {
    title: texts.title,
    says: texts.says({
      forks: rounds.some((round) => !isChain(round)),
      full: count(
        rounds.filter(({ path, verdicts }) => verdicts.length && path.length === offeredOf({ verdicts }))
          .length,
      ),
      rounds: count(many),
      predictedFull: number(predictedFull(rounds, alpha)),
      none: count(kept[0]),
      predictedNone: number(predicted[0]),
    }),
    x: texts.x,
    y: texts.y,
    xaxis: wholeNumbers,
    height: LOW,
    series: [
      { name: texts.measured, kind: 'bars', colour: 'overlap', x, y: kept, about: about(kept) },
      { name: texts.predicted, kind: 'dots', colour: 'ink', x, y: predicted, about: about(predicted) },
    ],
    table: {
      columns: ['accepted', 'rounds', 'rounds_constant_alpha'],
      rows: kept.map((rounds, index) => [index, rounds, predicted[index]]),
    },
    raw: { kept, predicted, alpha },
  };
}

function predictedFull(rounds, alpha) {
  return sum(rounds.map(({ verdicts: { length } }) => (length ? alpha ** length : 0)));
}

/** Tokens a pass against gamma; null where there is neither a curve nor a point. */
export function tokensFigure(rounds, rates, basis, points) {
  const texts = words.alpha.tokens;
  const gap = gapOf(rounds, rates);
  if (!gap && !points.length) return null;
  const curve = basis.alpha === null ? [] : curveOf(basis, Math.max(MOST, rates.gamma.high));
  const { mean, reach } = rates.perPass;
  const byGamma = Object.fromEntries(points.map((point) => [point.gamma, point]));
  return {
    title: texts.title,
    says: gap ? gapLine(gap, rates) : texts.none,
    x: texts.x,
    y: texts.y,
    xaxis: wholeNumbers,
    series: [
      ...(curve.length
        ? [
            {
              name: texts.curve({ value: number(basis.alpha) }),
              kind: 'line',
              colour: 'p',
              x: curve.map(({ gamma }) => gamma),
              y: curve.map(({ tokens }) => tokens),
            },
          ]
        : []),
      ...swept(points, 'tokens', texts.swept, ({ gamma, tokens }) =>
        texts.at({
          gamma,
          tokens: number(tokens.mean),
          range: rangeOf(tokens, number) || number(tokens.low),
        }),
      ),
      {
        name: texts.run,
        kind: 'dots',
        colour: 'overlap',
        x: [rates.gamma.mean],
        y: [mean],
        low: [mean - reach],
        high: [mean + reach],
        about: [texts.runAt({ gamma: number(rates.gamma.mean), tokens: number(mean), reach: number(reach) })],
      },
    ],
    table: {
      columns: ['gamma', 'expected', 'measured', 'low', 'high', 'runs'],
      rows: rowsOf(curve, points).map((gamma) => [
        gamma,
        curve[gamma]?.tokens,
        ...spread(byGamma[gamma], 'tokens'),
      ]),
    },
    raw: { gap, curve, points },
  };
}

/** Where the gap between measured tokens a pass and E comes from, in a sentence or three. */
export function gapLine(gap, { rounds, perPass: { reach } }) {
  const texts = words.alpha.tokens;
  const off = gap.expected / gap.measured - 1;
  const change =
    Math.abs(off) < 0.005 ? '' : texts.change({ share: number(Math.abs(100 * off), 2), fewer: off < 0 });
  const sizes = Object.entries({
    byGamma: { others: count(gap.others), rounds: count(rounds) },
    ended: {},
    rest: {},
  }).filter(([name]) => Math.abs(gap[name]) >= 0.005);
  const parts = sizes.map(([name, about]) => texts.parts[name]({ size: signed(gap[name]), ...about }));
  const because = change && parts.length ? texts.because({ parts: parts.join('; ') }) : '';
  const chance = texts[Math.abs(gap.rest) > reach ? 'beyond' : 'chance']({ reach: number(reach, 2) });
  return (
    texts.gap({
      measured: number(gap.measured),
      expected: number(gap.expected),
      base: number(gap.alpha),
      gamma: gap.gamma,
      change,
    }) +
    because +
    chance
  );
}

function signed(value) {
  return `${value < 0 ? '−' : '+'}${number(Math.abs(value), 2)}`;
}

/**
 * The speed-up against gamma: what basis predicts, what `whatIf` would, null where nothing is supposed, and
 * the points.
 */
export function speedFigure(basis, whatIf, points) {
  const texts = words.alpha.speed;
  if (basis.alpha === null && !whatIf && !points.length) return null;
  const curve = basis.alpha === null ? [] : curveOf(basis);
  const other = whatIf ? curveOf(whatIf) : [];
  const best = whatIf ? bestOf(whatIf) : curve.length ? bestOf(basis) : null;
  const line = (shown, name, more) =>
    shown.length
      ? [
          {
            name,
            kind: 'line',
            x: shown.map(({ gamma }) => gamma),
            y: shown.map(({ speedup }) => speedup),
            about: shown.map(({ gamma, speedup }) => texts.at({ gamma, times: multiple(speedup) })),
            ...more,
          },
        ]
      : [];
  const byGamma = Object.fromEntries(points.map((point) => [point.gamma, point]));
  const highest = Math.max(
    ...[...curve, ...other].map(({ speedup }) => speedup),
    ...points.map(({ speedup }) => speedup.high),
  );
  return {
    title: texts.title,
    says: speedLine(basis, whatIf, points),
    x: texts.x,
    y: texts.y,
    xaxis: wholeNumbers,
    yaxis: { range: [0, 1.15 * highest] }, // the best one's label lies above the curve
    series: [
      ...line(curve, texts.from[basis.from], { colour: 'p' }),
      ...line(other, texts.whatIf, { colour: 'owed', dash: 'dash' }),
      ...swept(points, 'speedup', texts.swept, ({ gamma, speedup }) =>
        texts.at({ gamma, times: multiple(speedup.mean), range: rangeOf(speedup, multiple) }),
      ),
    ],
    marks: best
      ? [
          {
            x: best.gamma,
            text: texts.mark({ gamma: best.gamma, times: multiple(best.speedup) }),
            colour: whatIf ? 'owed' : 'p',
          },
        ]
      : [],
    table: {
      columns: ['gamma', 'predicted', 'what_if', 'measured', 'low', 'high', 'runs'],
      rows: rowsOf(curve.length ? curve : other, points).map((gamma) => [
        gamma,
        curve[gamma]?.speedup,
        other[gamma]?.speedup,
        ...spread(byGamma[gamma], 'speedup'),
      ]),
    },
    raw: { basis: numbersOf(basis), whatIf: whatIf && numbersOf(whatIf), curve, other, points },
  };
}

/** What the chart of the speed-up shows. */
export function speedLine(basis, whatIf, points) {
  const texts = words.alpha.speed;
  const numbers = ({ alpha, c, v, rows = WIDTH }) => ({
    alpha: number(alpha),
    c: number(c),
    rows,
    v: number(v(rows)),
  });
  const best = basis.alpha === null ? null : bestOf(basis);
  const overhead = basis.overhead ? texts.overhead({ value: number(basis.overhead) }) : '';
  const sentence = !best
    ? texts.none
    : basis.from === 'free'
      ? texts.free({ times: multiple(best.speedup), gamma: best.gamma })
      : texts.says({ ...numbers(basis), overhead, gamma: best.gamma, times: multiple(best.speedup) });
  const other = whatIf && bestOf(whatIf);
  return (
    sentence +
    (other
      ? texts.supposed({ ...numbers(whatIf), gamma: other.gamma, times: multiple(other.speedup) })
      : '') +
    (best && basis.from !== 'free' ? compared(points, best) : '')
  );
}

/**
 * The fastest point against the predicted one, and which others are as fast; empty until the sweep is
 * whole.
 */
function compared(points, predicted) {
  if (!wholeSweep(points)) return '';
  const best = bestPoint(points);
  const texts = words.alpha.speed;
  const { mean, low } = best.speedup;
  const close = points
    .filter((point) => point !== best && point.speedup.high >= low)
    .map(({ gamma }) => gamma);
  return (
    texts.compared({
      gamma: best.gamma,
      times: multiple(mean),
      range: rangeOf(best.speedup, multiple),
      other: predicted.gamma === best.gamma ? null : predicted.gamma,
      predicted: multiple(predicted.speedup),
    }) +
    (close.length ? closeLine(close) : '') +
    (mean <= 1 ? texts.never : '')
  );
}

function swept(points, name, title, about) {
  if (!points.length) return [];
  const of = (end) => points.map((point) => point[name][end]);
  return [
    {
      name: title,
      kind: 'dots',
      colour: 'q',
      x: points.map(({ gamma }) => gamma),
      y: of('mean'),
      low: of('low'),
      high: of('high'),
      about: points.map(about),
    },
  ];
}

function rowsOf(curve, points) {
  return curve.length ? curve.map(({ gamma }) => gamma) : points.map(({ gamma }) => gamma);
}

function spread(point, name) {
  return point ? [point[name].mean, point[name].low, point[name].high, point.runs] : [null, null, null, null];
}

function numbersOf({ from, alpha, c, v, overhead }) {
  return { from, alpha, c, overhead, v: Array.from({ length: MOST + 1 }, (_, gamma) => v(gamma + 1)) };
}

/** Which γ are too close to the best to call. */
function closeLine(gammas) {
  const texts = words.alpha.speed;
  const many = gammas.length;
  return many > 3 ? texts.closeMany({ many }) : texts.close({ many, gammas: gammas.join(', ') });
}

/** “1.2× to 1.4×”; empty where both are printed alike. */
function rangeOf({ low, high }, print) {
  const [least, most] = [print(low), print(high)];
  return least === most ? '' : words.alpha.range({ low: least, high: most });
}

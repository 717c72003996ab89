/**
 * figures-why.js: the charts of the bars under “Why this speed?” as figures (see base/figure.js), each with its
 * sentence. Pure.
 */

import { count, multiple, number, percent, plainName } from '../../base/format.js';
import { tableOf } from '../../base/figure.js';
import { LOADS } from './sums-load.js';
import { middle, passesOf, stick } from './sums-passes.js';
import { verdictOf } from './sums-sweep.js';
import { words } from '../words.js';

/** What all of them have: titles, what is said of it, a height. */
const framed = (texts, says) => ({ title: texts.chart, says, x: texts.x, y: texts.y, height: 230 });
/** A logarithmic axis with these ticks. */
const powers = (ticks) => ({ type: 'log', tickvals: ticks, ticktext: ticks.map(count) });
const wholeNumbers = { dtick: 1 };
/** Lines of drafters, the run's own first. */
const COLOURS = ['q-edge', 'overlap', 'axis'];

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

/** α by place in the draft; null where nothing was tested. */
export function slotsFigure(slots) {
  const texts = words.speed.slots;
  const seen = slots.flatMap((share, index) => (share.whole ? [{ ...share, slot: index + 1 }] : []));
  if (!seen.length) return null;
  const of = (name) => seen.map((share) => share[name]);
  return {
    ...framed(texts, slotsLine(seen)),
    xaxis: wholeNumbers,
    yaxis: { range: [0, 1.02] },
    series: [
      {
        name: texts.kept,
        kind: 'bars',
        colour: 'overlap',
        x: of('slot'),
        y: of('value'),
        low: of('low'),
        high: of('high'),
        about: seen.map(({ slot, value, part, whole, low, high }) =>
          texts.at({ slot, value: number(value), part, whole, low: number(low), high: number(high) }),
        ),
      },
      {
        name: texts.overlap,
        kind: 'dots',
        colour: 'q-edge',
        x: of('slot'),
        y: of('overlap'),
        about: seen.map(({ slot, overlap }) => texts.overlapAt({ slot, value: number(overlap) })),
      },
    ],
    table: tableOf(SLOT, seen),
    raw: seen,
  };
}

function slotsLine(seen) {
  const texts = words.speed.slots;
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

/** The measured speed-up against γ; null of no points. */
export function sweepFigure(points) {
  const texts = words.speed.sweep;
  if (!points.length) return null;
  const of = (end) => points.map(({ speedup }) => speedup[end]);
  return {
    ...framed(texts, texts.about),
    xaxis: wholeNumbers,
    yaxis: { range: [0, 1.1 * Math.max(...of('high'))] },
    series: [
      {
        name: texts.plain,
        kind: 'line',
        colour: 'axis',
        dash: 'dot',
        x: [points[0].gamma, points.at(-1).gamma],
        y: [1, 1],
      },
      {
        name: texts.measured,
        kind: 'dots',
        colour: 'q',
        x: points.map(({ gamma }) => gamma),
        y: of('mean'),
        low: of('low'),
        high: of('high'),
        about: points.map(({ gamma, speedup }) =>
          texts.at({ gamma, times: multiple(speedup.mean), ...range(speedup) }),
        ),
      },
    ],
    table: {
      columns: ['gamma', 'speedup', 'low', 'high', 'runs'],
      rows: points.map(({ gamma, runs, speedup: { mean, low, high } }) => [gamma, mean, low, high, runs]),
    },
    raw: points,
  };
}

/** Which γ are fastest; those whose ranges meet are one answer. */
export function sweepLine(points) {
  const texts = words.speed.sweep;
  const { best, worse, beats } = verdictOf(points);
  const ends = {
    low: Math.min(...best.map(({ speedup }) => speedup.low)),
    high: Math.max(...best.map(({ speedup }) => speedup.high)),
  };
  const said = { many: best.length, gammas: best.map(({ gamma }) => String(gamma)), ...range(ends) };
  return texts.says({ beats, ...said, worse: worse.map(({ gamma }) => String(gamma)), fewer: worse.length });
}

function range({ low, high }) {
  return { low: multiple(low), high: multiple(high) };
}

/** v(k) with its flat part and knee, and what a pass over that many rows costs; null before it is measured. */
export function passesFigure(machine, rows = machine.gamma + 1) {
  const taken = passesOf(machine);
  if (!taken) return null;
  const texts = words.speed.passes;
  const { widths, steps } = taken;
  const y = widths.map(taken.v);
  const ends = steps.map(middle);
  const { knee, level, slope, at } = stick(widths, y);
  const shape = !slope
    ? texts.level({ last: widths.at(-1), level: number(level) })
    : knee === widths[0]
      ? texts.rises({ slope: number(slope) })
      : texts.flat({ knee, level: number(level), slope: number(slope) });
  const marks = [{ x: rows, text: texts.mark({ rows }) }];
  if (slope && knee > widths[0]) marks.push({ x: knee, text: texts.knee({ knee }), colour: 'refused' });
  return {
    ...framed(texts, shape + texts.laps({ laps: machine.passes[0].length, behind: count(machine.behind) })),
    series: [
      { name: texts.stick, x: widths, y: widths.map(at), kind: 'line', colour: 'axis', dash: 'dash' },
      {
        name: texts.measured,
        x: widths,
        y,
        low: ends.map(([low]) => low),
        high: ends.map(([, high]) => high),
        kind: 'dots',
        colour: 'p',
      },
    ],
    marks,
    raw: machine,
    yaxis: { range: [0, 1.15 * Math.max(...y)] }, // a whisker may be long
    table: {
      columns: texts.columns,
      rows: widths.map((k, index) => [k, y[index], taken.passes[index], ...ends[index]]),
    },
  };
}

/** Tokens a second by texts at once, with and without guesses. found: what loadOf says. */
export function loadFigure({ loads, measured }, gamma) {
  const texts = words.speed.load;
  const of = (rows, name) => ({ x: rows.map((row) => row.texts), y: rows.map((row) => row[name]) });
  return {
    ...framed(texts, texts.about({ last: measured.at(-1).texts })),
    xaxis: powers(LOADS),
    height: 300,
    series: [
      { name: texts.plain, ...of(loads, 'plain'), kind: 'line', colour: 'p' },
      { name: texts.whole({ gamma }), ...of(loads, 'whole'), kind: 'line', colour: 'q-edge', dash: 'dash' },
      { name: texts.cut, ...of(loads, 'cut'), kind: 'line', colour: 'overlap' },
      { name: texts.measuredPlain, ...of(measured, 'plain'), kind: 'dots', colour: 'p' },
      { name: texts.measured, ...of(measured, 'whole'), kind: 'dots', colour: 'q-edge' },
    ],
    table: tableOf({ texts: 'texts', plain: 'plain', whole: 'whole', cut: 'cut', guesses: 'guesses' }, loads),
    raw: { loads, measured },
  };
}

/** Whether guesses pay at load, and up to which. */
export function loadLine({ loads }) {
  const none = loads.find(({ guesses }) => !guesses);
  const last = loads.at(-1);
  const [first, most] = [loads[0], none ?? last].map(({ cut, plain }) => multiple(cut / plain));
  return words.speed.load[none ? 'crosses' : 'pays']({ first, most, texts: (none ?? last).texts });
}

/** Each drafter's predicted speed-up by the tokens before, and what a plain step costs there. lines: of lengthsOf. */
export function lengthsFigure(lines) {
  const texts = words.speed.lengths;
  const [{ rows }] = lines;
  const line = (name, of, y, look) => ({
    ...{ name, kind: 'line', ...look },
    ...{ x: of.map(({ behind }) => behind), y: of.map((row) => row[y]) },
  });
  const speeds = lines.map((of, at) =>
    line(plainName(of.drafter), of.rows, 'speedup', { colour: COLOURS[at] }),
  );
  const raw = lines.flatMap((each) => each.rows);
  return {
    ...framed(texts, texts.about({ behind: count(rows[0].behind) })),
    xaxis: powers(rows.map(({ behind }) => behind)),
    series: [line(texts.step, rows, 'cost', { colour: 'p', dash: 'dot' }), ...speeds],
    table: tableOf({ drafter: 'drafter', tokens: 'behind', cost: 'cost', speedup: 'speedup' }, raw),
    raw,
  };
}

/** What the first drafter brings after the shortest and after the longest text, and what a plain step costs there. */
export function lengthsLine(lines) {
  const [{ drafter, rows }] = lines;
  const [from, to] = [rows[0], rows.at(-1)];
  const times = { first: multiple(from.speedup), last: multiple(to.speedup), cost: multiple(to.cost) };
  const lengths = { from: count(from.behind), to: count(to.behind) };
  return words.speed.lengths.answer({ drafter: plainName(drafter), ...lengths, ...times });
}

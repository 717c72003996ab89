/**
 * figures.js: the charts of the tab When is it faster?, each a figure of base/figure.js with a sentence
 * from its numbers. Pure.
 */

import { bytes, count, duration, factor, number, trimmed } from '../../base/format.js';
import { TEXTBOOK, batchesOf, boundOf, middle, passesOf, roofOf, stick } from './sums.js';
import { saidAll } from '../../words/words.js';
import { lengthOf, words } from '../words.js';

const TICKS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const LEVELS = [-3, -2, -1, 0, 1, 2, 3, 4].flatMap((power) =>
  [1, 2, 5].map((digit) => Number(`${digit}e${power}`)),
);
const times = { tickvals: LEVELS, ticktext: LEVELS.map(count) };
const doubling = (ticks) => ({ type: 'log', tickvals: ticks, ticktext: ticks.map(String) });
/** What is saved of a group of cells. */
const SAVED = ['runs', 'kept', 'tested', 'alpha', 'low', 'high', 'perPass', 'speedup'];
const percent = (share) => `${Math.round(100 * share)} %`;
const rate = (perSecond) => `${bytes(perSecond)}/s`;
const flops = (perSecond) =>
  perSecond >= 1e12 ? `${number(perSecond / 1e12)} TFLOP/s` : `${number(perSecond / 1e9)} GFLOP/s`;

/**
 * Weight traffic against arithmetic by tokens in a pass: this machine's, with its measured passes as far as
 * there are.
 */
export function roofline(machine) {
  const texts = words.reason.roofline;
  const taken = passesOf(machine);
  const roof = roofOf(machine);
  const { gamma, memory, last_cache: cache, weight_bytes: weights } = machine;
  const [holds, alone] = [cache === null ? '' : bytes(cache), rate(memory)];
  let says = texts.says({
    weights: bytes(weights),
    traffic: duration(roof.traffic),
    speed: rate(machine.again),
    arithmetic: duration(roof.arithmetic),
    cache:
      cache === null
        ? texts.cache.unknown({ memory: alone })
        : weights <= cache
          ? texts.cache.fits({ size: holds })
          : texts.cache.over({ size: holds, memory: alone }),
    rate: flops(machine.arithmetic),
    threads: words.reason.threads({ many: machine.threads }),
    device: `${machine.machine}, ${machine.dtype}`,
  });
  if (taken) {
    const { pass, share, bound } = boundOf(machine);
    says += texts.bound[bound]({ pass: duration(pass), share: percent(share) });
    says += texts.rows({
      rows: gamma + 1,
      arithmetic: duration((gamma + 1) * roof.arithmetic),
      pass: duration(taken.v(gamma + 1) * pass),
    });
  }
  return roofFigure(texts.title, says, roof, taken?.widths ?? TICKS.slice(0, 7), machine, taken);
}

/** The same as it stands in textbooks, nothing of it measured here. */
export function textbook() {
  const texts = words.reason.textbook;
  const roof = roofOf(TEXTBOOK);
  const says = texts.says({
    traffic: duration(roof.traffic),
    arithmetic: duration(roof.arithmetic),
    times: Math.round(roof.ridge),
    ridge: Math.round(roof.ridge),
  });
  return {
    ...roofFigure(texts.title, says, roof, TICKS, TEXTBOOK, null),
    xaxis: doubling(TICKS.filter((_, index) => index % 2 === 0)),
    marks: [{ x: roof.ridge, text: texts.ridge({ ridge: Math.round(roof.ridge) }) }],
  };
}

function roofFigure(title, says, { traffic, arithmetic }, x, raw, taken) {
  const { tokens, ms, series: names, gamma } = words.reason;
  const [level, rising] = [x.map(() => traffic), x.map((k) => k * arithmetic)];
  const series = [
    { name: names.traffic, x, y: level, kind: 'line', colour: 'p' },
    { name: names.arithmetic, x, y: rising, kind: 'line', colour: 'q-edge', dash: 'dash' },
  ];
  if (taken) series.push({ name: names.measured, x, y: taken.passes, kind: 'dots', colour: 'overlap' });
  return {
    title,
    says,
    x: tokens,
    y: ms,
    series,
    raw,
    ylog: true,
    xaxis: doubling(TICKS),
    yaxis: times,
    marks: taken ? [{ x: raw.gamma + 1, text: gamma({ rows: raw.gamma + 1 }) }] : [],
    table: {
      columns: words.reason.columns.roofline,
      rows: x.map((k, index) => [k, level[index], rising[index], taken?.passes[index] ?? null]),
    },
  };
}

/**
 * v(k) with its flat part and knee, and what a round's pass over so many rows costs; null before it is
 * measured.
 */
export function passes(machine, rows = machine.gamma + 1) {
  const taken = passesOf(machine);
  if (!taken) return null;
  const { passes: texts, series: names, tokens, gamma: widest, columns } = words.reason;
  const { widths, steps } = taken;
  const y = widths.map(taken.v);
  const ends = steps.map(middle);
  const { knee, level, slope, at } = stick(widths, y);
  const shape = !slope
    ? texts.level({ last: widths.at(-1), level: number(level) })
    : knee === widths[0]
      ? texts.rises({ slope: number(slope) })
      : texts.flat({ knee, level: number(level), slope: number(slope) });
  const marks = [
    {
      x: rows,
      text: rows === machine.gamma + 1 ? widest({ rows: machine.gamma + 1 }) : texts.tree({ rows }),
    },
  ];
  if (slope && knee > widths[0]) marks.push({ x: knee, text: texts.knee({ knee }), colour: 'refused' });
  return {
    title: texts.title,
    says:
      shape +
      texts[rows === machine.gamma + 1 ? 'pays' : 'paysTree']({ rows, v: number(taken.v(rows)) }) +
      texts.laps({ laps: machine.passes[0].length, behind: count(machine.behind) }),
    x: tokens,
    y: texts.y,
    series: [
      { name: names.stick, x: widths, y: widths.map(at), kind: 'line', colour: 'axis', dash: 'dash' },
      {
        name: names.measured,
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
      columns: columns.passes,
      rows: widths.map((k, index) => [k, y[index], taken.passes[index], ...ends[index]]),
    },
  };
}

/** Batches: v_B measured, the speed-up predicted with the run's alpha; null before one is measured. */
export function batch(machine, alpha, isTable) {
  if (!machine.batches.length) return null;
  const { batch: texts, series: names, columns } = words.reason;
  const batches = batchesOf(machine, alpha);
  const x = batches.map(({ rows }) => rows);
  const [first, last] = [batches[0], batches.at(-1)];
  let says = texts.measured({
    rows: machine.gamma + 1,
    first: first.rows,
    v: factor(first.v),
    last: last.rows,
    most: factor(last.v),
  });
  const series = [
    { name: names.plain, x, y: x.map(() => 1), kind: 'line', colour: 'axis', dash: 'dot' },
    { name: names.v, x, y: batches.map(({ v }) => v), kind: 'dots', colour: 'p' },
  ];
  if (alpha === null) says += texts.nothing;
  else {
    const below = batches.filter(({ speedup }) => speedup < 1).map(({ rows }) => rows);
    const against = !below.length
      ? 'stays'
      : below.length === batches.length
        ? 'never'
        : batches.at(-below.length).rows === below[0]
          ? 'falls'
          : 'mixed';
    says += texts.predicted({
      alpha: number(alpha),
      first: first.rows,
      speedup: factor(first.speedup),
      last: last.rows,
      most: factor(last.speedup),
      against,
      below: against === 'falls' ? below[0] : below.join(', '),
    });
    series.push({
      name: names.predicted,
      x,
      y: batches.map(({ speedup }) => speedup),
      kind: 'line',
      colour: 'overlap',
    });
  }
  return {
    title: texts.title,
    says: isTable ? says + texts.table : says,
    x: texts.x,
    y: texts.y,
    series,
    xaxis: doubling(TICKS),
    raw: machine,
    table: { columns: columns.batch, rows: batches.map(({ rows, v, c, speedup }) => [rows, v, c, speedup]) },
  };
}

/** α̂ by temperature, from grouped cells; null of none. config: of the cells. */
export function temperature(groups, cells, config) {
  if (!groups.length) return null;
  const texts = words.reason.temperature;
  const tested = groups.filter(([, { alpha }]) => alpha !== null);
  const pick = (name) => tested.map(([, sums]) => sums[name]);
  return {
    title: texts.title,
    says: tested.length ? trend(tested) + madeBy(config) : words.reason.genre.untested,
    x: texts.x,
    y: words.reason.series.alpha,
    raw: cells,
    yaxis: { range: [0, 1.03] },
    series: [
      {
        name: words.reason.series.alpha,
        x: tested.map(([at]) => at),
        y: pick('alpha'),
        low: pick('low'),
        high: pick('high'),
        kind: 'dots',
        colour: 'overlap',
      },
    ],
    table: table('temperature', groups),
  };
}

function trend(tested) {
  const texts = words.reason.temperature;
  const [[first, low], [last, high]] = [tested[0], tested.at(-1)];
  if (first === last) return texts.one({ at: trimmed(first), alpha: number(low.alpha) });
  const kind = high.high < low.low ? 'falls' : high.low > low.high ? 'rises' : 'unclear';
  return texts.says({
    first: trimmed(first),
    low: number(low.alpha),
    last: trimmed(last),
    high: number(high.alpha),
    runs: Math.max(...tested.map(([, { runs }]) => runs)),
    trend: texts.trends[kind],
  });
}

/** α̂, tokens a pass and speed-up by kind of text; null of none. */
export function genre(sorts, cells, config) {
  if (!sorts.length) return null;
  const { genre: texts, series: names } = words.reason;
  const groups = sorts.map(([name, sums]) => [texts.names[name] ?? name, sums]);
  const x = groups.map(([name]) => name);
  const bars = (name, colour, dash) => ({
    name: names[name],
    x,
    y: groups.map(([, sums]) => sums[name]),
    kind: 'bars',
    colour,
    dash,
  });
  return {
    title: texts.title,
    says: ranked(groups) + madeBy(config),
    x: '',
    y: texts.y,
    raw: cells,
    series: [
      {
        ...bars('alpha', 'overlap'),
        low: groups.map(([, { low }]) => low),
        high: groups.map(([, { high }]) => high),
      },
      bars('perPass', 'q', '/'),
      bars('speedup', 'p', '.'),
    ],
    table: table('genre', groups),
  };
}

function ranked(groups) {
  const texts = words.reason.genre;
  const sorted = groups
    .filter(([, { alpha }]) => alpha !== null)
    .sort(([, one], [, other]) => other.alpha - one.alpha);
  if (!sorted.length) return texts.untested;
  const [[best, most], [worst, least]] = [sorted[0], sorted.at(-1)];
  const first = { alpha: number(most.alpha), times: factor(most.speedup) };
  return sorted.length === 1
    ? texts.one({ name: best, ...first })
    : texts.says({
        best,
        ...first,
        worst,
        least: number(least.alpha),
        fewer: factor(least.speedup),
        apart: least.high < most.low,
      });
}

function table(of, groups) {
  return {
    columns: saidAll(words.reason.columns.sweep, { of }),
    rows: groups.map(([name, sums]) => [name, ...SAVED.map((key) => sums[key])]),
  };
}

/** Who guessed in a sweep. */
function madeBy(config) {
  return words.reason.with({ drafter: config.drafter, length: lengthOf(config) });
}

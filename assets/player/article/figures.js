/**
 * figures.js: the charts of the article, each a figure of base/figure.js with a sentence from its numbers.
 * Pure.
 */

import { bytes, count, duration, factor, multiple, number, trimmed } from '../base/format.js';
import { median } from '../base/statistics.js';
import { words } from '../words/words.js';
import { TEXTBOOK, batchesOf, boundOf, roofOf } from './sums.js';

const TICKS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const LEVELS = [-3, -2, -1, 0, 1, 2, 3, 4].flatMap((power) =>
  [1, 2, 5].map((digit) => Number(`${digit}e${power}`)),
);
const times = { tickvals: LEVELS, ticktext: LEVELS.map(count) };
const doubling = (ticks) => ({ type: 'log', tickvals: ticks, ticktext: ticks.map(String) });
const wholes = { dtick: 1, tickformat: 'd' };
const LOW = 260;

/** Weight traffic against arithmetic by tokens in a pass, as it is in textbooks. */
export function textbook() {
  const texts = words.article.textbook;
  const roof = roofOf(TEXTBOOK);
  const ridge = Math.round(roof.ridge);
  const figure = roofFigure(texts.title, texts.says({ ridge }), roof, TICKS, TEXTBOOK, null);
  return {
    ...figure,
    xaxis: doubling(TICKS.filter((_, index) => index % 2 === 0)),
    marks: [{ x: roof.ridge, text: texts.ridge({ ridge }) }],
  };
}

/** The same of a measured machine, with its passes. */
export function roofline(machine) {
  const texts = words.article.roofline;
  const roof = roofOf(machine);
  const { pass, share, bound } = boundOf(machine);
  const says = texts.says({
    weights: bytes(machine.weight_bytes),
    traffic: duration(roof.traffic),
    arithmetic: duration(roof.arithmetic),
    device: machine.machine,
    threads: machine.threads,
    pass: duration(pass),
    share: `${Math.round(100 * share)} %`,
    bound,
  });
  return roofFigure(texts.title, says, roof, machine.widths, machine, machine.passes.map(median));
}

function roofFigure(title, says, { traffic, arithmetic }, x, raw, passes) {
  const { axes, series: names, columns } = words.article;
  const [level, rising] = [x.map(() => traffic), x.map((k) => k * arithmetic)];
  const series = [
    { name: names.traffic, x, y: level, kind: 'line', colour: 'p' },
    { name: names.arithmetic, x, y: rising, kind: 'line', colour: 'q-edge', dash: 'dash' },
  ];
  if (passes) series.push({ name: names.measured, x, y: passes, kind: 'dots', colour: 'overlap' });
  return {
    title,
    says,
    x: axes.tokens,
    y: axes.ms,
    series,
    raw,
    ylog: true,
    height: LOW,
    xaxis: doubling(TICKS),
    yaxis: times,
    table: {
      columns: columns.roofline,
      rows: x.map((k, index) => [k, level[index], rising[index], passes?.[index] ?? null]),
    },
  };
}

/** Tokens a round yields by γ, at the α that is set. */
export function tokens({ alpha, gamma }, { curve }) {
  const { axes, tokens: texts, series: names } = words.article;
  return line(texts.title, texts.says({ ...at(curve, gamma), alpha: trimmed(alpha), most: gamma + 1 }), {
    y: axes.perRound,
    values: curve.map((point) => point.tokens),
    name: names.tokens,
    mark: { x: gamma, text: `γ = ${gamma}` },
  });
}

/** The speed-up by γ, with the costs that are set. */
export function speed({ alpha, c, v, overhead }, { curve, best }) {
  const { axes, speed: texts, series: names } = words.article;
  const says = texts.says({
    ...{ alpha: trimmed(alpha), c: number(c), v: number(v(5)), overhead: number(overhead) },
    ...{ gamma: best.gamma, times: multiple(best.speedup) },
  });
  const label = texts.mark({ gamma: best.gamma, times: multiple(best.speedup) });
  return line(texts.title, says, {
    y: axes.speedup,
    values: curve.map((point) => point.speedup),
    name: names.speedup,
    mark: { x: best.gamma, text: label },
  });
}

function at(curve, gamma) {
  return { gamma, tokens: number(curve[gamma].tokens) };
}

function line(title, says, { y, values, name, mark }) {
  const x = values.map((_, gamma) => gamma);
  return {
    title,
    says,
    x: words.article.axes.gamma,
    y,
    height: LOW,
    xaxis: wholes,
    yaxis: { range: [0, 1.2 * Math.max(...values)] }, // the mark's label lies above the curve
    series: [{ name, x, y: values, kind: 'line', colour: 'p' }],
    marks: [{ ...mark, colour: 'p' }],
    table: { columns: ['gamma', name], rows: x.map((gamma) => [gamma, values[gamma]]) },
    raw: values,
  };
}

/** α by temperature, from grouped cells. */
export function temperature(groups) {
  const texts = words.article.temperature;
  const tested = groups.filter(([, { alpha }]) => alpha !== null);
  const [[first, low], [last, high]] = [tested[0], tested.at(-1)];
  const trend = high.high < low.low ? 'falls' : high.low > low.high ? 'rises' : 'unclear';
  const of = (name) => tested.map(([, sums]) => sums[name]);
  return {
    title: texts.title,
    says: texts.says({
      ...{ first: trimmed(first), low: number(low.alpha) },
      ...{ last: trimmed(last), high: number(high.alpha), trend },
    }),
    x: words.article.axes.temperature,
    y: 'α',
    height: LOW,
    yaxis: { range: [0, 1.03] },
    series: [
      {
        ...{ name: 'α', x: tested.map(([value]) => value), y: of('alpha') },
        ...{ low: of('low'), high: of('high'), kind: 'dots', colour: 'overlap' },
      },
    ],
    table: table('temperature', groups),
    raw: groups,
  };
}

/** α by kind of text, from grouped cells. */
export function genre(groups) {
  const texts = words.article.genre;
  const sorted = [...groups].sort(([, one], [, other]) => other.alpha - one.alpha);
  const [[best, most], [worst, least]] = [sorted[0], sorted.at(-1)];
  const of = (name) => groups.map(([, sums]) => sums[name]);
  return {
    title: texts.title,
    says: texts.says({
      ...{ best: texts.names[best], alpha: number(most.alpha), times: factor(most.speedup) },
      ...{ worst: texts.names[worst], least: number(least.alpha), fewer: factor(least.speedup) },
      apart: least.high < most.low,
    }),
    x: '',
    y: 'α',
    height: LOW,
    yaxis: { range: [0, 1.03] },
    series: [
      {
        ...{ name: 'α', x: groups.map(([name]) => texts.names[name]), y: of('alpha') },
        ...{ low: of('low'), high: of('high'), kind: 'bars', colour: 'overlap' },
      },
    ],
    table: table('genre', groups),
    raw: groups,
  };
}

function table(name, groups) {
  const of = ['runs', 'kept', 'tested', 'alpha', 'low', 'high', 'speedup'];
  return {
    columns: [name, ...of],
    rows: groups.map(([group, sums]) => [group, ...of.map((key) => sums[key])]),
  };
}

/** Batches: what a pass costs there, measured, and the speed-up that predicts at the run's α. */
export function batch(machine, alpha) {
  const { batch: texts, series: names, columns, axes } = words.article;
  const batches = batchesOf(machine, alpha);
  const [x, first, last] = [batches.map(({ rows }) => rows), batches[0], batches.at(-1)];
  return {
    title: texts.title,
    says: texts.says({
      ...{ rows: machine.gamma + 1, first: first.rows, last: last.rows, alpha: number(alpha) },
      ...{ v: factor(first.v), most: factor(last.v) },
      ...{ speedup: factor(first.speedup), fewer: factor(last.speedup) },
    }),
    x: axes.batch,
    y: '×',
    height: LOW,
    xaxis: doubling(TICKS),
    series: [
      { name: names.plain, x, y: x.map(() => 1), kind: 'line', colour: 'axis', dash: 'dot' },
      { name: names.v, x, y: batches.map(({ v }) => v), kind: 'dots', colour: 'p' },
      { name: names.predicted, x, y: batches.map((each) => each.speedup), kind: 'line', colour: 'overlap' },
    ],
    table: { columns: columns.batch, rows: batches.map(({ rows, v, c, speedup }) => [rows, v, c, speedup]) },
    raw: machine,
  };
}

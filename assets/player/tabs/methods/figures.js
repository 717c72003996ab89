/**
 * figures.js: the chart of the tab Methods, a figure of base/figure.js. Pure.
 */

import { multiple, number } from '../../base/format.js';
import { PLAIN, placed } from './sums.js';
import { words } from '../words.js';

const LINES = [0.5, 1, 1.5, 2, 3, 4];
const TICKS = [0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100];
const SYMBOLS = { chain: 'circle', tree: 'triangle-up', none: 'cross' };
/** What is saved of a method on a kind of text, and of its exactness. */
const SAVED = ['tokens', 'speedup', 'low', 'high', 'alpha', 'cost', 'memory'];
const EXACT = ['equal', 'prompts', 'p_value'];
/** By the families of the catalog; plain decoding has none. */
const COLOURS = {
  counts: 'q-edge',
  copies: 'refused',
  models: 'overlap',
  heads: 'ink2',
  target: 'bonus',
  cascades: 'axis',
  trees: 'p',
  'no drafter': 'ink4',
};

/**
 * The cost of a round against tokens a pass, a point a method. rows: { title, entry, result, spread: what
 * each kind says }; kind: of text; beside: results that must fit into the picture too.
 */
export function costs(rows, kind, raw, beside = []) {
  const texts = words.overview.chart;
  const shown = [{ ...PLAIN, title: texts.plain }, ...rows.filter(({ result }) => result)];
  const [x, y] = ['cost', 'tokens'].map((value) =>
    reach([...shown, ...beside].map(({ result }) => result[value])),
  );
  const spots = shown.map(({ title, result }) => ({
    name: title,
    x: within(result.cost, x),
    y: within(result.tokens, y),
  }));
  const places = placed(spots, 0.0085, 0.065);
  const families = [...new Set(shown.map(({ entry }) => entry?.family ?? ''))];
  return {
    title: texts.title,
    says: texts.says({ kind, many: rows.filter(({ result }) => result && result.high < 1).length }),
    x: texts.x,
    y: texts.y,
    raw,
    height: 340,
    xaxis: axis(x),
    yaxis: { ...axis(y), rangemode: 'normal' },
    series: [
      { x: [x[0], x[1], x[1]], y: [x[0], x[1], y[0] / 2], kind: 'area', colour: 'refused' },
      ...LINES.map((speedup) => ({
        x: [x[0], x[1]],
        y: [speedup * x[0], speedup * x[1]],
        kind: 'line',
        colour: speedup === 1 ? 'ink' : 'ink4',
        dash: speedup === 1 ? 'solid' : 'dot',
      })),
      ...LINES.map((speedup) => end(speedup, x, y)).filter(Boolean),
      ...families.map((family) => series(shown, places, family, COLOURS[family] ?? 'ink')),
    ],
    table: { columns: texts.columns, rows: rows.flatMap(tabled) },
  };
}

function series(shown, places, family, colour) {
  const mine = shown
    .map((row, index) => ({ ...row, place: places[index] }))
    .filter(({ entry }) => (entry?.family ?? '') === family);
  const pick = (of) => mine.map(of);
  return {
    name: family && (words.methods.families[family]?.[0].text ?? family),
    x: pick(({ result }) => result.cost),
    y: pick(({ result }) => result.tokens),
    kind: 'points',
    colour,
    left: pick(({ result }) => result.tokens / result.high),
    right: pick(({ result }) => result.tokens / result.low),
    symbols: pick(({ entry }) => SYMBOLS[entry?.shape ?? 'none']),
    labels: pick(({ title }) => title),
    places: pick(({ place }) => place),
    about: pick(({ title, result: { tokens, cost, speedup, low, high } }) =>
      words.overview.chart.point({
        name: title,
        tokens: number(tokens),
        cost: number(cost),
        speedup: multiple(speedup),
        low: multiple(low),
        high: multiple(high),
      }),
    ),
  };
}

/**
 * The name of a line of equal speed-up, where the line leaves the picture; none where it does not enter it.
 */
/**
 * @param {number} speedup
 * @param {number[]} x
 * @param {number[]} y
 */
function end(speedup, [left, right], [low, high]) {
  const at = Math.min(right, high / speedup) * 0.98;
  if (at < left || speedup * at < low) return null;
  return {
    x: [at],
    y: [speedup * at],
    kind: 'text',
    colour: 'mute',
    labels: [words.overview.chart.line({ value: speedup })],
    places: [at * 1.05 > right ? 'bottom left' : 'bottom right'],
  };
}

/** The ends of an axis around values, with some room. */
function reach(values) {
  return [Math.min(...values) / 1.2, Math.max(...values) * 1.35];
}

/** @type {(value: number, span: number[]) => number} */
const within = (value, [low, high]) => Math.log(value / low) / Math.log(high / low);

/** @param {number[]} span */
function axis([low, high]) {
  return {
    type: 'log',
    range: [Math.log10(low), Math.log10(high)],
    tickvals: TICKS,
    ticktext: TICKS.map(String),
  };
}

function tabled({ title, exact, kinds }) {
  return Object.entries(kinds ?? {})
    .filter(([kind, result]) => kind !== 'all' && result)
    .map(([kind, result]) => [
      title,
      kind,
      ...SAVED.map((key) => result[key]),
      ...EXACT.map((key) => exact?.[key] ?? null),
    ]);
}

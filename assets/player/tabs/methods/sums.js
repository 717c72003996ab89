/**
 * sums.js: what is measured of each method, and what its cells say of a kind of text. Pure.
 */

import { added } from '../cells.js';
import { mean, sum } from '../../base/statistics.js';
import { costsOf, raceOf, resultOf } from '../../trace/race.js';

/** Runs of each method on each kind of text. */
export const LAPS = 3;
const LENGTH = 64;
/** With fewer tokens a target pass than this, nothing else is to blame. */
const FEW = 1.3;

/** The methods with their entries for the names of their drafter and rule: { name, gamma, entry, rule }. */
export function joined(methods, drafters, rules) {
  const named = (entries, wanted) => entries.find(({ name }) => name === wanted);
  return methods.map(({ drafter, rule, ...method }) => ({
    ...method,
    entry: named(drafters, drafter),
    rule: named(rules, rule),
  }));
}

/**
 * What is measured of a method: { kinds: the kind of text of each cell, over: the cells' settings }. texts:
 * one by its kind.
 */
export function questionOf({ entry, rule, gamma, params }, { seed, max_new_tokens: length }, texts) {
  const cells = Object.entries(texts).flatMap(([kind, prompt]) =>
    Array.from({ length: LAPS }, (_, lap) => ({ kind, values: { prompt, seed: seed + lap } })),
  );
  const common = { ...settingsOf({ entry, rule, gamma, params }), max_new_tokens: Math.min(LENGTH, length) };
  return {
    kinds: cells.map(({ kind }) => kind),
    over: cells.map(({ values }) => ({ ...common, ...values })),
  };
}

/** What makes a run one of the method. */
export function settingsOf({ entry, rule, gamma, params = {} }) {
  return { drafter: entry.name, params, rule: rule.name, gamma, gamma_rule: 'fixed', gamma_params: {} };
}

/**
 * What cells say, LAPS of each kind of text one after the other: { tokens, speedup, low, high, alpha, cost,
 * check, drafting, own, levels, memory }; null of none. tokens: tokens a target pass; low and high: the slowest and the
 * fastest
 * lap; alpha: null if nothing was tested; cost: of a round, check, drafting, own: of its
 * target pass, its guesses and all else, in steps of plain decoding; levels: guesses of a draft, one after the other;
 * memory: bytes.
 */
export function summed(cells) {
  if (!cells.length) return null;
  const laps = Array.from(
    { length: Math.min(LAPS, cells.length) },
    (_, lap) => added(cells.filter((_, index) => index % LAPS === lap)).speedup,
  );
  const { perPass: tokens, speedup, alpha, check, drafting, own } = added(cells);
  return {
    tokens,
    speedup,
    low: Math.min(...laps),
    high: Math.max(...laps),
    cost: tokens / speedup,
    check,
    drafting,
    own,
    alpha,
    levels: mean(cells.flatMap(({ gammas }) => gammas)),
    memory: mean(cells.map(({ memory }) => memory)),
  };
}

/** A method's cells by kind of text, and all of them: { kind: what they say }. */
export function byKind(kinds, cells) {
  const names = [...new Set(kinds)];
  return Object.fromEntries([
    ['all', summed(cells)],
    ...names.map((name) => [name, summed(cells.filter((_, index) => kinds[index] === name))]),
  ]);
}

/** The value of a row in a column; rows without one are last, whichever way it is sorted. */
export const COLUMNS = {
  name: (row) => row.name,
  tokens: ({ result }) => result?.tokens,
  speedup: ({ result }) => result?.speedup,
  alpha: ({ result }) => result?.alpha,
  cost: ({ result }) => result?.cost,
  memory: ({ result }) => result?.memory,
};

/** Rows in the order of a column, way 1 upwards and -1 downwards; plain decoding has its place among them. */
export function sorted(rows, column, way) {
  const of = COLUMNS[column];
  const [there, lacking] = [
    rows.filter((row) => (of(row) ?? null) !== null),
    rows.filter((row) => (of(row) ?? null) === null),
  ];
  const compare = (one, other) => (typeof one === 'string' ? one.localeCompare(other) : one - other);
  return [...there.sort((one, other) => way * compare(of(one), of(other))), ...lacking];
}

/** Plain decoding as a row. */
export const PLAIN = {
  name: 'plain',
  plain: true,
  result: { tokens: 1, speedup: 1, low: 1, high: 1, alpha: null, cost: 1, memory: 0 },
};

/**
 * The fastest of the measured rows: { best: the fastest and those whose range meets its own, slower: how many
 * all of whose range is below plain decoding }; null of none.
 */
export function verdictOf(rows) {
  const ranked = sorted(
    rows.filter(({ result }) => result),
    'speedup',
    -1,
  );
  if (!ranked.length) return null;
  const { low } = ranked[0].result;
  return {
    best: ranked.filter(({ result }) => result.high >= low),
    slower: ranked.filter(({ result }) => result.high < 1).length,
  };
}

/**
 * The method of a run and the fastest that guesses in another way, as rows to be compared; both of another way where
 * the run's is none of the rows.
 */
export function besideOf(rows, { drafter, rule, gamma }) {
  const able = sorted(
    rows.filter(({ lacks }) => !lacks),
    'speedup',
    -1,
  );
  const own = able.filter(({ entry }) => entry.name === drafter);
  const [one] = [...own.filter((row) => row.rule.name === rule), ...own];
  const others = able.filter(({ entry }) => entry.name !== drafter);
  return [...(one ? [{ ...one, gamma: one.entry.sized ? gamma : one.gamma }] : []), ...others].slice(0, 2);
}

/** The least and the most of the speed-ups of some rows. */
export function spanOf(rows) {
  const all = rows.map(({ result: { speedup } }) => speedup);
  return { low: Math.min(...all), high: Math.max(...all) };
}

/**
 * The recorded race of the run on stage as a result, so that no second number stands for it: { kind: of its
 * text, is(method), result }; null where it was measured here, or the record has no such cell.
 */
export function racedAs(trace, record, texts) {
  const { config } = trace.info;
  const kind = Object.keys(texts).find((each) => texts[each] === config.prompt);
  const alike = ['pair', 'temperature', 'top_k', 'top_p', 'seed'].every(
    (name) => config[name] === record.config[name],
  );
  if (trace.live || !raceOf(trace) || !kind || !alike || config.gamma_rule !== 'fixed') return null;
  const { measured: speedup, perRound: tokens, alpha } = costsOf(trace);
  const { low, high } = resultOf(trace);
  return {
    kind,
    is: ({ entry, rule, gamma }) =>
      entry.name === config.drafter && rule.name === config.rule && (!entry.sized || gamma === config.gamma),
    result: { speedup, low, high, tokens, alpha, cost: tokens / speedup },
  };
}

/**
 * Why a method loses on a kind of text, in the largest of what holds it back: `few` guesses accepted, or in
 * a round's time `drafting`, a `wider` pass, its `own` cost; null where its slowest lap was faster than plain
 * decoding.
 */
export function lossOf({ low, tokens, drafting, check, own }) {
  if (low >= 1) return null;
  if (tokens < FEW) return 'few';
  const parts = { drafting, wider: check - 1, own };
  return Object.keys(parts).reduce((most, name) => (parts[name] > parts[most] ? name : most));
}

/**
 * Where the names of points go so that few of them cover each other, 'top center' or another of Plotly's
 * places for each point of { x, y, name }. x and y are shares of the picture's width and height, as are the
 * width of a letter and the height of a line.
 */
export function placed(points, letter, line) {
  const spots = points.map(({ x, y }) => [x - letter, y - line / 2, x + letter, y + line / 2]);
  const choices = points.map(({ x, y, name }) => boxesAt(x, y, name.length * letter, letter, line));
  const chosen = choices.map(() => 'top right');
  for (let again = 0; again < 4; again += 1) {
    choices.forEach((boxes, index) => {
      const others = [
        ...spots.filter((_, at) => at !== index),
        ...choices.filter((_, at) => at !== index).map((each) => each[chosen[choices.indexOf(each)]]),
      ];
      const cost = (place) => sum(others.map((other) => shared(boxes[place], other))) + outside(boxes[place]);
      chosen[index] = Object.keys(boxes).reduce((least, place) =>
        cost(place) < cost(least) ? place : least,
      );
    });
  }
  return chosen;
}

/** The box [left, low, right, high] of a name in each place beside a point. */
function boxesAt(x, y, wide, letter, line) {
  const [right, left, middle] = [
    [x + letter, x + letter + wide],
    [x - letter - wide, x - letter],
    [x - wide / 2, x + wide / 2],
  ];
  const [level, above, below] = [
    [y - line / 2, y + line / 2],
    [y + line / 2, y + 1.5 * line],
    [y - 1.5 * line, y - line / 2],
  ];
  /** @type {(wide: number[], high: number[]) => number[]} */
  const box = ([from, to], [low, high]) => [from, low, to, high];
  return {
    'top right': box(right, above),
    'top center': box(middle, above),
    'bottom right': box(right, below),
    'bottom center': box(middle, below),
    'top left': box(left, above),
    'bottom left': box(left, below),
    'middle right': box(right, level),
    'middle left': box(left, level),
  };
}

function shared(one, other) {
  return (
    Math.max(0, Math.min(one[2], other[2]) - Math.max(one[0], other[0])) *
    Math.max(0, Math.min(one[3], other[3]) - Math.max(one[1], other[1]))
  );
}

function outside([left, low, right, high]) {
  return Math.max(0, -left) + Math.max(0, right - 1) + Math.max(0, -low) + Math.max(0, high - 1);
}

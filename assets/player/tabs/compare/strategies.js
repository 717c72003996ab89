/**
 * strategies.js: plain decoding, a fixed γ and one that adapts, on a few prompts: what is asked for and what came of it. Pure.
 */

import { measured } from './compare.js';
import { number } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { words } from './words.js';

/** Seeds each of them is measured with. */
export const LAPS = 3;
export const TOKENS = 48;
const GAMMA = 4;
const WAYS = ['fixed', 'adaptive'];
/** The γ rule that is offered first. */
export const FIRST = 'throughput';

/**
 * Every run to be measured, seed by seed so that one given up early leaves whole laps: { prompt, way, changes }, prompt
 * being its place. base: the config of the run on stage; rule: the adaptive one.
 */
export function planOf(base, rule) {
  const rules = { fixed: 'fixed', adaptive: rule };
  return Array.from({ length: LAPS }).flatMap((_, lap) => words.compare.strategies.prompts.flatMap(({ prompt }, index) => WAYS.map((way) => ({
    prompt: index,
    way,
    changes: {
      prompt, seed: base.seed + lap, max_new_tokens: TOKENS, gamma: GAMMA, gamma_rule: rules[way],
      gamma_params: way === 'adaptive' && rule === base.gamma_rule ? base.gamma_params : {},
    },
  }))));
}

/** How many of the cells make whole laps. */
export function whole(cells) {
  const lap = words.compare.strategies.prompts.length * WAYS.length;
  return Math.floor(cells.length / lap);
}

/**
 * What whole laps of cells say, prompt by prompt: { baseline: { rate }, fixed: { rate, speedup }, adaptive: likewise }, each
 * { value: the median, low, high }. The baseline's is over all turns it took.
 */
export function outcomes(plan, cells) {
  const runs = cells.slice(0, whole(cells) * words.compare.strategies.prompts.length * WAYS.length).map((cell, index) => ({ ...plan[index], cell, cost: measured([cell]) }));
  return words.compare.strategies.prompts.map((_, prompt) => {
    const here = runs.filter((run) => run.prompt === prompt);
    const of = (way) => here.filter((run) => run.way === way).map(({ cost }) => cost);
    return {
      baseline: { rate: range(here.map(({ cell }) => 1000 * cell.tokens.length / cell.plain)) },
      ...Object.fromEntries(WAYS.map((way) => [way, { rate: range(of(way).map(({ rate }) => rate)), speedup: range(of(way).map(({ speedup }) => speedup)) }])),
    };
  });
}

function range(values) {
  return { value: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/** Grouped bars of tokens a second and of speed-up. rule: the adaptive one. */
export function figureOf(plan, cells, rule) {
  const texts = words.compare.strategies;
  const found = outcomes(plan, cells);
  const x = texts.prompts.map(({ name }) => name);
  const names = { baseline: texts.ways.baseline, fixed: texts.ways.fixed, adaptive: texts.ways.adaptive(rule) };
  const looks = { baseline: ['axis', ''], fixed: ['q', '/'], adaptive: ['p', 'x'] };
  const bars = (way, measure, panel) => {
    const ranges = found.map((each) => each[way][measure]);
    const told = ({ value, low, high }) => texts.about_bar(names[way], number(value), number(low), number(high), texts.panels[measure]);
    return {
      panel, kind: 'bars', name: names[way], colour: looks[way][0], dash: looks[way][1], x,
      y: ranges.map(({ value }) => value), low: ranges.map(({ low }) => low), high: ranges.map(({ high }) => high), about: ranges.map(told),
    };
  };
  return {
    title: texts.chart,
    says: saysOf(found, whole(cells), rule),
    height: 280,
    least: 320,
    panels: [{ y: texts.panels.rate }, { y: texts.panels.speedup, level: 1 }],
    series: [
      ...Object.keys(names).map((way) => bars(way, 'rate', 0)),
      ...WAYS.map((way) => bars(way, 'speedup', 1)),
    ],
    table: {
      columns: texts.columns,
      rows: cells.map((cell, index) => {
        const { time, rate, speedup, alpha, made } = measured([cell]);
        return [x[plan[index].prompt], names[plan[index].way], plan[index].changes.seed, made, time, cell.plain, rate, speedup, alpha];
      }),
    },
    raw: cells.map((cell, index) => ({ prompt: plan[index].changes.prompt, way: plan[index].way, ...cell })),
  };
}

function saysOf(found, laps, rule) {
  const texts = words.compare.strategies;
  const span = (way) => {
    const values = found.map((each) => each[way].speedup.value);
    return texts.span(number(Math.min(...values)), number(Math.max(...values)));
  };
  const faster = found.filter(({ fixed, adaptive }) => adaptive.speedup.value > fixed.speedup.value).length;
  const close = found.filter(({ fixed: { speedup: one }, adaptive: { speedup: other } }) => one.low <= other.high && other.low <= one.high).length;
  const slower = found.flatMap((each, index) => WAYS.filter((way) => each[way].speedup.value < 1).map((way) => texts.slowerOne(way, texts.prompts[index].name)));
  return texts.says(span('fixed'), span('adaptive'), String(laps)) + texts.best(faster, String(found.length), rule)
    + (laps > 1 && close ? texts.overlaps(close, found.length) : '') + (slower.length === WAYS.length * found.length ? texts.none : slower.length ? texts.slower(slower) : '');
}

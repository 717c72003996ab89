/**
 * compare.js: lanes side by side: what is asked for, what each cost, and what may be said of their texts. Pure.
 *
 * A lane: { drafter, gamma, gamma_rule, rule, temperature }. Once decoded it is also known by its letter, its tokens, what
 * fixes them (noDiceOf in timeline.js) and its cells (specviz/lab.py's Cell, one a lap). Times are milliseconds.
 */

import { count, duration, number } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { noDiceOf } from '../../trace/timeline.js';
import { storyOf } from '../../trace/story.js';
import { words } from './words.js';

export const FEWEST = 2;
export const MOST = 4;
/** Lanes to begin with; there is room for one more. */
const FIRST = 3;
/** Tokens a lane writes at most. */
export const LONGEST = 64;

/** The letter of lane 0, 1, ... */
export const letter = (index) => String.fromCharCode(65 + index);

/** The lanes to begin with: the run on stage as it is, once with each of the first drafters. */
export function firstLanes({ gamma, gamma_rule, rule, temperature }, drafters) {
  return drafters.slice(0, FIRST).map(({ name: drafter }) => ({ drafter, gamma, gamma_rule, rule, temperature }));
}

/** A lane as changes to a run's config; shared: { prompt, seed, max_new_tokens }. What was tuned is kept only where it fits. */
export function changesOf(lane, base, shared) {
  return {
    ...shared,
    ...lane,
    params: lane.drafter === base.drafter ? base.params : {},
    gamma_params: lane.gamma_rule === base.gamma_rule ? base.gamma_params : {},
  };
}

/**
 * What the laps of one configuration come to: { alpha (null where nothing was tested), kept, tested, made, passes, perPass,
 * wasted, time, low, high, each, rate, speedup, range }: median time, its ends, and as much for the speed-up.
 */
export function measured(cells) {
  const [{ tokens, gammas, tested, accepted, rolled_back: wasted }] = cells; // every lap decodes the same text
  const times = cells.map(({ draft, verify, rest }) => draft + verify + rest);
  const speedups = cells.map(({ plain }, lap) => plain / times[lap]);
  const [time, made, passes] = [median(times), tokens.length, gammas.length];
  return {
    alpha: tested ? accepted / tested : null, kept: accepted, tested, made, passes, wasted, perPass: made / passes,
    time, low: Math.min(...times), high: Math.max(...times), each: time / made, rate: 1000 * made / time,
    speedup: median(speedups), range: [Math.min(...speedups), Math.max(...speedups)],
  };
}

/** What a lane's run wrote, and what fixes it whoever guesses: `greedy`, `coupled`, or null for nothing. */
export function decoded(trace) {
  return { tokens: written(storyOf(trace)), fixed: noDiceOf(trace.info) };
}

/** The new tokens of a lane, as the ribbon shows them, each with whether a target pass begins there. */
export function written({ trace, text }) {
  const tokens = text.slice(trace.prompt.length);
  return tokens.map((token, index) => ({ ...token, starts: token.at.round !== tokens[index - 1]?.at.round }));
}

/** What every lane wrote at a position: [[letter, token or null], ...]. */
export function across(lanes, position) {
  return lanes.filter(({ tokens }) => tokens).map(({ letter: name, tokens }) => [name, tokens[position] ?? null]);
}

/**
 * What may be said of the texts of lanes { letter, lane, tokens, fixed }: [{ kind, sentence, at }], kind being `equal`, `different`
 * or `same` (the distribution), and at the position from which lanes differ that must not, else null.
 */
export function judgements(lanes) {
  const texts = words.compare.texts;
  if (lanes.length < 2) return [{ kind: 'none', sentence: lanes.length ? texts.alone(lanes[0].letter) : texts.none, at: null }];
  const said = [];
  for (const group of grouped(lanes, ({ lane, fixed }) => `${fixed ?? ''} ${lane.temperature}`)) {
    const by = group[0].fixed;
    if (by && group.length > 1) said.push(sameText(group, by));
  }
  const laws = grouped(lanes, ({ lane }) => lane.temperature);
  for (const group of laws) {
    const free = group.some(({ fixed }) => fixed !== group[0].fixed || !fixed);
    if (!free || group.length < 2) continue;
    const alike = group.every(({ tokens }) => firstDifference(group[0].tokens, tokens) === null);
    said.push({ kind: 'same', sentence: (alike ? texts.chance : texts.law)(group.map(({ letter: name }) => name)), at: null });
  }
  if (laws.length > 1) said.push({ kind: 'same', sentence: texts.laws, at: null });
  return said;
}

function sameText(group, by) {
  const texts = words.compare.texts;
  const [first, ...others] = group;
  const [at, other] = others
    .map((lane) => [firstDifference(first.tokens, lane.tokens), lane])
    .reduce((least, found) => (found[0] !== null && (least[0] === null || found[0] < least[0]) ? found : least), [null, null]);
  if (at === null) return { kind: 'equal', sentence: texts[by](group.map(({ letter: name }) => name), count(first.tokens.length)), at };
  const [here, there] = [first, other].map(({ tokens }) => tokens[at]?.text ?? words.compare.ended);
  return { kind: 'different', sentence: texts.differ(first.letter, other.letter, count(at + 1), here, there, texts.must[by]), at };
}

/** The first position where two texts differ, null if there is none. */
function firstDifference(one, other) {
  const at = Array.from({ length: Math.max(one.length, other.length) }).findIndex((_, index) => one[index]?.id !== other[index]?.id);
  return at < 0 ? null : at;
}

function grouped(items, key) {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}

/** A row of the table, by column. */
export function rowOf(name, { alpha, kept, tested, made, passes, perPass, time, rate, speedup, range, wasted }) {
  const cells = words.compare.cells;
  return {
    lane: name,
    alpha: alpha === null ? number(null) : cells.alpha(number(alpha), count(kept), count(tested)),
    perPass: cells.perPass(number(perPass), count(made), count(passes)),
    time: duration(time),
    rate: number(rate),
    speedup: cells.speedup(number(speedup), ...range.map((end) => number(end))),
    wasted: count(wasted),
  };
}

/** Small multiples of what lanes { letter, lane, cost } cost; what they come to is said once there are no more to come. */
export function figureOf(lanes, whole) {
  const { chart, panels, described } = words.compare;
  const colours = { alpha: 'overlap', perPass: 'p', speedup: 'axis', wasted: 'refused' };
  const values = (name) => lanes.map(({ cost }) => cost[name]);
  return {
    title: chart,
    says: whole ? costLine(lanes) : words.compare.wait,
    height: 190,
    least: 150,
    panels: Object.entries(panels).map(([name, title]) => ({ title, ...(name === 'speedup' ? { level: 1 } : {}) })),
    series: Object.keys(panels).map((name, panel) => ({
      panel, kind: 'bars', colour: colours[name], x: lanes.map(({ letter: at }) => at), y: values(name),
      labels: values(name).map((value) => number(value)),
    })),
    table: {
      columns: ['lane', 'configuration', 'alpha', 'kept', 'tested', 'tokens', 'passes', 'tokens_per_pass', 'time_ms', 'time_low_ms', 'time_high_ms', 'tokens_per_s', 'speedup', 'slots_rolled_back'],
      rows: lanes.map(({ letter: at, lane, cost: { alpha, kept, tested, made, passes, perPass, time, low, high, rate, speedup, wasted } }) =>
        [at, described(lane), alpha, kept, tested, made, passes, perPass, time, low, high, rate, speedup, wasted]),
    },
    raw: lanes.map(({ letter: at, cells }) => ({ lane: at, cells })),
  };
}

/** The answer in large, once every lane is measured: [number, sentence]. */
export function answerOf(lanes) {
  const { answer, described } = words.compare;
  const { fastest, close } = fastestOf(lanes);
  const { letter: at, lane, cost: { speedup } } = fastest;
  return [answer.times(number(speedup)), answer.says(at, described(lane)) + (close.length ? answer.close(close) : speedup < 1 ? answer.slower : '')];
}

/** The fastest lane by its speed-up, which was timed in turns with plain decoding, and those whose laps overlap with its. */
function fastestOf(lanes) {
  const fastest = lanes.reduce((best, each) => (each.cost.speedup > best.cost.speedup ? each : best));
  const { cost } = fastest;
  return { fastest, close: lanes.filter((each) => each !== fastest && each.cost.range[1] >= cost.range[0]).map(({ letter: at }) => at) };
}

/** What the costs come to, in sentences. */
function costLine(lanes) {
  const { says, described } = words.compare;
  const named = ({ letter: at, lane }) => `${at} (${described(lane)})`;
  const most = (name) => {
    const value = Math.max(...lanes.map(({ cost }) => cost[name] ?? -1));
    return [lanes.filter(({ cost }) => cost[name] === value).map(({ letter: at }) => at), value];
  };
  const [[keep, alpha], [waste, wasted]] = [most('alpha'), most('wasted')];
  const { fastest, close } = fastestOf(lanes);
  const slower = lanes.filter(({ cost }) => cost.speedup < 1).map(({ letter: at }) => at);
  const { cost } = fastest;
  return says.fastest(named(fastest), duration(cost.time), count(cost.made), number(cost.speedup))
    + (close.length ? says.close(close) : '')
    + (slower.length === lanes.length ? says.none : slower.length ? says.slower(slower) : '')
    + (keep.length ? says.most(keep, number(alpha)) : '')
    + (wasted ? says.wasted(waste, count(wasted)) : says.noWaste);
}

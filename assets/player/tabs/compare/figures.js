/**
 * figures.js: what the lanes and the strategies cost, as rows, charts (see base/figure.js) and sentences.
 * Pure. Times are milliseconds, rates tokens a second.
 */

import { count, duration, number, numbers } from '../../base/format.js';
import { tableOf } from '../../base/figure.js';
import { measured } from './sums.js';
import { WAYS, outcomes, wholeLaps } from './sums-strategies.js';
import { TRIED } from '../prompts.js';
import { described, words } from '../words.js';

/** The columns that are saved of a lane, and what of it each holds. */
const SAVED = {
  lane: 'letter',
  configuration: 'described',
  alpha: 'alpha',
  kept: 'kept',
  tested: 'tested',
  tokens: 'made',
  passes: 'passes',
  tokens_per_pass: 'perPass',
  time_ms: 'time',
  time_low_ms: 'low',
  time_high_ms: 'high',
  tokens_per_s: 'rate',
  speedup: 'speedup',
  slots_rolled_back: 'wasted',
};

/** A row of the table, by column. */
export function rowOf(
  name,
  { alpha, kept, tested, made, passes, perPass, time, rate, speedup, range, wasted },
) {
  const cells = words.compare.cells;
  return {
    lane: name,
    alpha:
      alpha === null
        ? number(null)
        : cells.alpha({ alpha: number(alpha), kept: count(kept), tested: count(tested) }),
    perPass: cells.perPass({ perPass: number(perPass), made: count(made), passes: count(passes) }),
    time: duration(time),
    rate: number(rate),
    speedup: cells.speedup({ speedup: number(speedup), low: number(range[0]), high: number(range[1]) }),
    wasted: count(wasted),
  };
}

/**
 * Small multiples of what lanes { letter, lane, cost } cost; what they come to is said once there are no
 * more to come.
 */
export function costFigure(lanes, complete) {
  const { chart, panels } = words.compare;
  const colours = { alpha: 'overlap', perPass: 'p', speedup: 'axis', wasted: 'refused' };
  const values = (name) => lanes.map(({ cost }) => cost[name]);
  return {
    title: chart,
    says: complete ? costLine(lanes) : words.compare.wait,
    height: 190,
    least: 150,
    panels: Object.entries(panels).map(([name, title]) => ({
      title,
      ...(name === 'speedup' ? { level: 1 } : {}),
    })),
    series: Object.keys(panels).map((name, panel) => ({
      panel,
      kind: 'bars',
      colour: colours[name],
      x: lanes.map(({ letter: at }) => at),
      y: values(name),
      labels: values(name).map((value) => number(value)),
    })),
    table: tableOf(
      SAVED,
      lanes.map(({ letter: at, lane, cost }) => ({ ...cost, letter: at, described: described(lane) })),
    ),
    raw: lanes.map(({ letter: at, cells }) => ({ lane: at, cells })),
  };
}

/** The answer in large, once every lane is measured: [number, sentence]. */
export function answerOf(lanes) {
  const { answer } = words.compare;
  const { fastest, close } = fastestOf(lanes);
  const {
    letter: at,
    lane,
    cost: { speedup },
  } = fastest;
  return [
    answer.times({ speedup: number(speedup) }),
    answer.says({ lane: at, described: described(lane) }) +
      (close.length ? answer.close({ lanes: close, many: close.length }) : speedup < 1 ? answer.slower : ''),
  ];
}

/**
 * The fastest lane by its speed-up, which was timed in turns with plain decoding, and those whose laps
 * overlap with its.
 */
function fastestOf(lanes) {
  const fastest = lanes.reduce((best, each) => (each.cost.speedup > best.cost.speedup ? each : best));
  const { cost } = fastest;
  return {
    fastest,
    close: lanes
      .filter((each) => each !== fastest && each.cost.range[1] >= cost.range[0])
      .map(({ letter: at }) => at),
  };
}

/** What the costs come to, in sentences. */
function costLine(lanes) {
  const { says } = words.compare;
  const named = ({ letter: at, lane }) => says.lane({ letter: at, described: described(lane) });
  const most = (name) => {
    const value = Math.max(...lanes.map(({ cost }) => cost[name] ?? -1));
    return [lanes.filter(({ cost }) => cost[name] === value).map(({ letter: at }) => at), value];
  };
  const [[keep, alpha], [waste, wasted]] = [most('alpha'), most('wasted')];
  const { fastest, close } = fastestOf(lanes);
  const slower = lanes.filter(({ cost }) => cost.speedup < 1).map(({ letter: at }) => at);
  const { cost } = fastest;
  return (
    says.fastest({
      lane: named(fastest),
      time: duration(cost.time),
      made: count(cost.made),
      speedup: number(cost.speedup),
    }) +
    (close.length ? says.close({ lanes: close }) : '') +
    (slower.length === lanes.length ? says.none : slower.length ? says.slower({ lanes: slower }) : '') +
    (keep.length ? says.most({ lanes: keep, many: keep.length, alpha: number(alpha) }) : '') +
    (wasted ? says.wasted({ lanes: waste, many: waste.length, slots: count(wasted) }) : says.noWaste)
  );
}

/** How the bars of each way look: colour and pattern. */
const LOOKS = { baseline: ['axis', ''], fixed: ['q', '/'], adaptive: ['p', 'x'] };

/** Grouped bars of tokens a second and of speed-up. rule: the adaptive one. */
export function strategiesFigure(plan, cells, rule) {
  const texts = words.compare.strategies;
  const ranges = outcomes(plan, cells);
  const names = { ...texts.ways, adaptive: texts.ways.adaptive({ rule }) };
  const bars = (way, measure, panel) => ({
    panel,
    ...rangeBars(
      ranges.map((each) => each[way][measure]),
      names[way],
      texts.panels[measure],
    ),
    colour: LOOKS[way][0],
    dash: LOOKS[way][1],
  });
  return {
    title: texts.chart,
    says: strategiesLine(ranges, wholeLaps(cells), rule),
    height: 280,
    least: 320,
    panels: [{ y: texts.panels.rate }, { y: texts.panels.speedup, level: 1 }],
    series: [
      ...Object.keys(LOOKS).map((way) => bars(way, 'rate', 0)),
      ...WAYS.map((way) => bars(way, 'speedup', 1)),
    ],
    table: {
      columns: texts.columns,
      rows: cells.map((cell, index) => {
        const { time, rate, speedup, alpha, made } = measured([cell]);
        const { prompt, way, changes } = plan[index];
        return [TRIED[prompt].name, names[way], changes.seed, made, time, cell.plain, rate, speedup, alpha];
      }),
    },
    raw: cells.map((cell, index) => ({ prompt: plan[index].changes.prompt, way: plan[index].way, ...cell })),
  };
}

/** Bars { value, low, high }, one a prompt, with whiskers. */
function rangeBars(ranges, name, unit) {
  const { about_bar: about } = words.compare.strategies;
  const of = (end) => ranges.map((range) => range[end]);
  return {
    kind: 'bars',
    name,
    x: TRIED.map((prompt) => prompt.name),
    y: of('value'),
    low: of('low'),
    high: of('high'),
    about: ranges.map((range) => about({ ...numbers(range), name, unit })),
  };
}

function strategiesLine(ranges, laps, rule) {
  const texts = words.compare.strategies;
  const span = (way) => {
    const values = ranges.map((each) => each[way].speedup.value);
    return spanOf(number(Math.min(...values)), number(Math.max(...values)));
  };
  const faster = ranges.filter(({ fixed, adaptive }) => adaptive.speedup.value > fixed.speedup.value).length;
  const close = ranges.filter(
    ({ fixed: { speedup: one }, adaptive: { speedup: other } }) =>
      one.low <= other.high && other.low <= one.high,
  ).length;
  const slower = ranges.flatMap((each, index) =>
    WAYS.filter((way) => each[way].speedup.value < 1).map((way) =>
      texts.slowerOne({ way, prompt: TRIED[index].name }),
    ),
  );
  return (
    texts.says({ fixed: span('fixed'), adaptive: span('adaptive'), laps: String(laps) }) +
    texts.best({ faster, of: String(ranges.length), rule }) +
    (laps > 1 && close ? texts.overlaps({ many: close, of: ranges.length }) : '') +
    (slower.length === WAYS.length * ranges.length
      ? texts.none
      : slower.length
        ? texts.slower({ names: slower })
        : '')
  );
}

function spanOf(low, high) {
  return words.compare.strategies.span({ low, high, same: low === high });
}

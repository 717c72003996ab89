/**
 * charts.js: what the charts of a run show, as lines and areas over its rounds. Pure.
 */

import { number } from '../../base/format.js';
import { placesOf } from '../../trace/timeline.js';
import { tell, words } from '../../words/words.js';
import { entropyOf, reasonOf } from './gammas.js';

/** Tested places that a moving share of them is over. */
const MOVING = 64;
/** Where a round's rise begins, is at its top and has fallen back, around the round's number. */
const RISE = [-0.4, -0.2, 0.2, 0.4];

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {string} look its look in charts.css
 * @property {Array<[number, number | null]>} points [round, counted from 1, value]; null breaks the line
 * @property {boolean} [area] whether it is filled
 * @property {boolean} [right] whether the axis on the right has its scale
 *
 * @typedef {object} Panel
 * @property {string} title
 * @property {Series[]} series those in front last
 * @property {[number, number]} [range] of the axis on the left, where its values do not say it
 *
 * @typedef {object} Chart
 * @property {string} says what it shows, as a sentence
 * @property {Panel[]} panels
 * @property {(index: number) => string[]} about what it shows of a round, in lines
 */

/**
 * The two charts of a run. The first shows the caches, and of a drafter that learns what it has come to.
 * @returns {Chart[]}
 */
export function chartsOf({ rounds, info }) {
  const first = rounds.some(({ learning }) => learning)
    ? learningChart(rounds)
    : cacheChart(rounds, Boolean(info.target_state_bytes));
  return [first, gammaChart(rounds, info.controller)];
}

/**
 * Cache entries above the committed text, and beside them the caches' lengths. The target's entries rise from 0 by all
 * that a round writes and fall back to 0. What is kept becomes committed text, the rest is rolled back. The drafter's
 * are mirrored below; one without a cache has none. state: whether the target keeps a running state: what it has read
 * falls to where its copy was saved, and rises again by what is read again.
 */
function cacheChart(rounds, state) {
  const texts = words.runCharts[state ? 'state' : 'cache'];
  const caches = [
    { name: 'target', way: 1, spans: rounds.map((round) => round.target_cache) },
    { name: 'draft', way: -1, spans: rounds.flatMap((round) => round.draft_caches.slice(0, 1)) },
  ].filter(({ spans }) => spans.length);
  const [{ spans: targets }] = caches;
  const written = ({ spans, way }) => above(spans, way, (span) => span.written);
  const series = [
    { look: 'gone', area: true, points: caches.flatMap((cache) => [[1, null], ...written(cache)]) },
    ...caches.map(({ name, spans, way }) => ({
      look: `kept-${name}`,
      area: true,
      points: above(spans, way, (span) => span.kept),
    })),
  ];
  const lengths = caches.map(({ name, spans }) => ({
    look: `length-${name}`,
    points: spans.flatMap(({ before, written: high, kept, reread = 0 }, index) => [
      [index + 0.5, before],
      [index + 1, high],
      ...(reread ? [[index + 1.25, kept - reread]] : []),
      [index + 1.5, kept],
    ]),
  }));
  return {
    says: texts.says({
      rounds: rounds.length,
      most: Math.max(0, ...targets.map((span) => span.written - span.before)),
      gone: targets.reduce((sum, span) => sum + span.written - span.kept, 0),
      again: targets.reduce((sum, { reread = 0 }) => sum + reread, 0),
      end: targets.at(-1)?.kept ?? 0,
    }),
    panels: [
      { title: texts.title, series: named(series, texts.names) },
      { title: texts.lengths, series: named(lengths, texts.names) },
    ],
    about: (index) =>
      caches.map(({ name, spans }) => {
        const { before, written: high, kept, reread: again = 0 } = spans[index];
        const counts = { written: high - before, kept: kept - before, gone: high - kept, again };
        return texts[name]({ ...counts, before, high, after: kept });
      }),
  };
}

/** Per round: tokens guessed as a line, and the tokens it added as areas, the target's own on top. */
function gammaChart(rounds, rule) {
  const texts = words.runCharts.gamma;
  const signals = rounds.map(({ halt, budget }) => halt?.signal ?? budget.signal);
  const entropies = rounds.map(entropyOf);
  const names = { ...texts.names, signal: texts.signals[rule] ?? texts.signals.other };
  const values = {
    own: rounds.map(({ path, extra }) => path.length + (extra ? 1 : 0)),
    accepted: rounds.map(({ path }) => path.length),
    guessed: rounds.map(({ verdicts }) => verdicts.length),
  };
  /** @type {{ look: string, area?: boolean, right?: boolean, points: number[][] }[]} */
  const series = [
    ...Object.entries(values).map(([look, heights]) => ({
      look,
      area: look !== 'guessed',
      points: steps(heights, look !== 'guessed'),
    })),
    { look: 'entropy', right: true, points: entropies.map((value, index) => [index + 1, value]) },
    { look: 'signal', right: true, points: signals.map((value, index) => [index + 1, value]) },
  ];
  const drawn = series.filter(({ right, points }) => !right || points.some(([, value]) => value !== null));
  const total = (heights) => heights.reduce((sum, height) => sum + height, 0);
  return {
    says: texts.says({
      rounds: rounds.length,
      guessed: total(values.guessed),
      accepted: total(values.accepted),
    }),
    panels: [{ title: texts.title, series: named(drawn, names) }],
    about: (index) =>
      lines(names, {
        guessed: `${values.guessed[index]} (${tell(reasonOf(rounds[index]))})`,
        accepted: values.accepted[index],
        own: values.own[index] - values.accepted[index],
        entropy: entropies[index],
        signal: signals[index],
      }),
  };
}

/** For a drafter that learns: the share accepted of the newest tested places, and its updates. */
function learningChart(rounds) {
  const texts = words.runCharts.learning;
  const shares = rounds.map((_, index) => moving(rounds, index));
  const known = shares.filter((share) => share !== null);
  const learned = rounds.map(({ learning }) => learning);
  const used = learned.filter((each) => each?.used).length;
  const updates = learned.map((each) => each?.updates ?? null);
  const at = (values) => values.map((value, index) => [index + 1, value]);
  const series = [
    { look: 'share', points: at(shares) },
    {
      look: 'unused',
      points: at(shares.map((share, index) => (learned[index]?.used === false ? share : null))),
    },
    { look: 'updates', right: true, points: at(updates) },
  ];
  return {
    says: texts.says({
      rounds: rounds.length,
      updates: Math.max(0, ...updates),
      early: (known[known.length >> 2] ?? 0).toFixed(2),
      late: (known.at(-1) ?? 0).toFixed(2),
      used: used < rounds.length ? used : 'all',
    }),
    panels: [
      {
        title: 2 * used > rounds.length ? texts.title : texts.idle,
        series: named(series, texts.names),
        range: [0, 1],
      },
    ],
    about: (index) => [
      ...lines(texts.names, { share: shares[index], updates: updates[index] }),
      ...(learned[index]?.used === false ? [texts.names.unused] : []),
    ],
  };
}

/** accepted / tested over the last tested places up to a round, at least MOVING of them; null before any. */
function moving(rounds, index) {
  let [tested, accepted] = [0, 0];
  for (let at = index; at >= 0 && tested < MOVING; at -= 1) {
    tested += placesOf(rounds[at]).length;
    accepted += rounds[at].path.length;
  }
  return tested ? accepted / tested : null;
}

/** An area from 0 in every round, as high as its cache was over its beginning. */
function above(spans, way, lengthOf) {
  return spans.flatMap((span, index) => {
    const height = way * (lengthOf(span) - span.before);
    return [0, height, height, 0].map((value, corner) => [index + 1 + RISE[corner], value]);
  });
}

/** A staircase, one step a round; an area begins and ends at 0. */
function steps(heights, area) {
  const points = heights.flatMap((height, index) => [
    [index + 0.5, height],
    [index + 1.5, height],
  ]);
  return area ? [[0.5, 0], ...points, [heights.length + 0.5, 0]] : points;
}

function named(series, names) {
  return series.map((each) => ({ ...each, name: names[each.look] }));
}

/** Each value after its name; null values are left out. */
function lines(names, values) {
  return Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([key, value]) =>
      words.runCharts.value({ name: names[key], value: typeof value === 'number' ? number(value) : value }),
    );
}

/**
 * Round numbers between two ends, at most that many; integers: without fractions.
 * @param {number[]} ends
 * @param {number} most
 * @param {boolean} integers
 */
export function ticksOf([low, high], most, integers) {
  const rough = Math.max((high - low) / most, integers ? 1 : 1e-9);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((each) => each * power >= rough * 0.999);
  const first = Math.ceil(low / step);
  const many = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, many) }, (_, index) =>
    Number(((first + index) * step).toPrecision(6)),
  );
}

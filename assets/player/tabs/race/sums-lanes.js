/**
 * sums-lanes.js: a race as two lanes on one axis of milliseconds, each with the times at which its tokens
 * appear. Pure. y goes from 0 at the top to 1. Draft passes, target passes and the rest have different
 * heights, so that they differ without colour; a bar ends a little early, so that it is told apart from the
 * next one.
 */

import { show } from '../../base/format.js';
import { speak } from '../../words/words.js';
import { sum } from '../../base/statistics.js';
import { spent } from '../../trace/story.js';
import { words } from '../words.js';

const HEIGHT = { drafting: 0.62, verify: 1, again: 1, other: 0.3, plain: 1 };
/** How early: a share of the bar, but no more than a share of the axis. */
const GAP = 0.15;
const WIDEST = 0.0015;
/** The most numbers under the axis. */
const TICKS = 8;

/**
 * { total, lanes: { speculative, plain } } of a story whose trace has a race. A lane is { end, paths: [{
 * kind, d }], tokens, arrivals, steps, passes }: arrivals are when each token is there, steps when each
 * round or plain pass ends.
 */
export function raceLanes(story) {
  const { race } = story.trace;
  const longest = Math.max(...[race.rounds.map(spent), race.passes].map((times) => sum(times)));
  const bar = (kind, from, to) => draw(kind, from, to - Math.min(GAP * (to - from), WIDEST * longest));
  const lanes = { speculative: speculative(story, bar), plain: plain(race, bar) };
  return { lanes, total: Math.max(...Object.values(lanes).map(({ end }) => end)) };
}

/** Every moment at which a token comes to be in either lane, in order. */
export function momentsOf({ lanes }) {
  return [...new Set(Object.values(lanes).flatMap(({ arrivals }) => arrivals))].sort(
    (one, other) => one - other,
  );
}

/** How many of some rising moments are past. */
export function countUntil(moments, at) {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The next of some rising moments after a time, or the last one before it; there itself, or 0, where there
 * is none.
 */
export function neighbour(moments, at, direction) {
  if (direction > 0) return moments[countUntil(moments, at)] ?? Math.max(at, moments.at(-1));
  return moments[countUntil(moments, at) - (moments.includes(at) ? 2 : 1)] ?? 0;
}

/** Round numbers along an axis of that length, 0 among them. */
export function ticks(total) {
  const decade = 10 ** Math.floor(Math.log10(total / TICKS));
  const step = [1, 2, 5, 10].map((factor) => factor * decade).find((size) => total / size <= TICKS);
  return Array.from({ length: Math.floor(total / step + 1e-9) + 1 }, (_, index) =>
    Number((index * step).toPrecision(12)),
  );
}

function speculative({ trace, text }, bar) {
  const paths = { drafting: '', verify: '', again: '', other: '' };
  const steps = [];
  const passes = [];
  let at = 0;
  trace.race.rounds.forEach(({ draft, verify, accept, trim, overhead, reread = 0 }, index) => {
    for (const { ms } of draft) {
      paths.drafting += bar('drafting', at, at + ms);
      at += ms;
    }
    paths.verify += bar('verify', at, at + verify);
    at += verify;
    const end = at + accept + trim + overhead;
    if (reread) paths.again += bar('again', at, at + reread);
    at += reread;
    paths.other += bar('other', at, end);
    at = end;
    steps.push(at);
    passes.push((passes.at(-1) ?? 0) + trace.rounds[index].calls.target);
  });
  const tokens = text.slice(trace.prompt_texts.length);
  return {
    end: at,
    paths: listed(paths),
    tokens,
    arrivals: tokens.map((token) => steps[token.at.round]),
    steps,
    passes,
  };
}

function plain({ passes, tokens, texts }, bar) {
  const paths = { plain: '' };
  const steps = [];
  let at = 0;
  for (const time of passes) {
    paths.plain += bar('plain', at, at + time);
    at += time;
    steps.push(at);
  }
  const shown = texts.map((text, index) => ({
    text: show(text),
    label: words.label({ token: speak(text), state: words.race.lanes.plain }),
    state: 'plain',
    id: tokens[index],
    at: { round: index },
  }));
  return {
    end: at,
    paths: listed(paths),
    tokens: shown,
    arrivals: steps,
    steps,
    passes: passes.map((_, index) => index + 1),
  };
}

function draw(kind, from, to) {
  const top = Number((1 - HEIGHT[kind]).toFixed(2));
  return `M${from.toFixed(3)} 1V${top}H${to.toFixed(3)}V1Z`;
}

function listed(paths) {
  return Object.entries(paths)
    .map(([kind, d]) => ({ kind, d }))
    .filter(({ kind, d }) => d || kind !== 'again');
}

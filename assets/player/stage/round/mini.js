/**
 * mini.js: the run as two slim lanes, γ with accepted guesses and the length of the target's cache. Pure. x
 * is in beats, so that a place in a lane is a place of the scrubber; y grows upwards from 0 to height.
 */

import { offeredOf } from '../../trace/timeline.js';

/** Where in its round a cache grows and is rolled back, as shares of the round. */
const RISES = [0.35, 0.4];
const FALLS = [0.88, 0.93];
/** Up to this many rounds, each token of a column is a separate block. */
const BLOCKS = 80;
const GAP = { round: 0.06, token: 0.1 };

/** { width, gamma: { height, paths }, cache: { low, height, paths } }; paths are [{ kind, d }]. */
export function mini({ trace: { rounds }, rounds: places, beats }) {
  const width = Math.max(1, beats.length - 1);
  const spans = rounds.map((_, index) => [
    places[index].beat - 0.5,
    Math.min(width, places[index + 1].beat - 0.5),
  ]);
  return { width, gamma: gammas(rounds, spans), cache: cache(rounds, spans) };
}

/** The round at a place across. */
export function roundUnder({ rounds: places, trace }, x) {
  return Math.max(
    0,
    Math.min(
      trace.rounds.length - 1,
      places.findLastIndex(({ beat }) => beat - 0.5 <= x),
    ),
  );
}

function gammas(rounds, spans) {
  const height = Math.max(1, ...rounds.map((round) => offeredOf(round) + 1));
  const paths = { accepted: '', own: '', gamma: '' };
  const box = ([from, to], low, high) => {
    const gap = GAP.round * (to - from);
    return `M${fixed(from + gap)} ${low}H${fixed(to - gap)}V${high}H${fixed(from + gap)}Z`;
  };
  rounds.forEach((round, index) => {
    const { path, extra } = round;
    if (rounds.length > BLOCKS) paths.accepted += path.length ? box(spans[index], 0, path.length) : '';
    else
      path.forEach((_, at) => {
        paths.accepted += box(spans[index], at + GAP.token, at + 1);
      });
    if (extra)
      paths.own += box(spans[index], path.length + (rounds.length > BLOCKS ? 0 : GAP.token), path.length + 1);
    paths.gamma += `M${fixed(spans[index][0])} ${offeredOf(round) + GAP.token / 2}H${fixed(spans[index][1])}`;
  });
  return { height: height + GAP.token, paths: listed(paths) };
}

/** The length starts just above the prompt's, or the run would be a flat line on top of it. */
function cache(rounds, spans) {
  if (!rounds.length) return { low: 0, height: 1, paths: [] };
  const low = rounds[0].target_cache.before - 1;
  const height = Math.max(...rounds.map(({ target_cache: span }) => span.written)) - low;
  let line = '';
  let gone = '';
  rounds.forEach(({ target_cache: { before, written, kept } }, index) => {
    const [from, to] = spans[index];
    const at = (share) => fixed(from + share * (to - from));
    const corners = [
      [0, before],
      [RISES[0], before],
      [RISES[1], written],
      [FALLS[0], written],
      [FALLS[1], kept],
      [1, kept],
    ];
    line += index ? 'L' : 'M';
    line += corners.map(([share, length]) => `${at(share)} ${length - low}`).join('L');
    if (written > kept) gone += `M${at((FALLS[0] + FALLS[1]) / 2)} ${written - low}V${kept - low}`;
  });
  const [first, last] = [spans[0][0], spans.at(-1)[1]];
  return {
    low,
    height,
    paths: listed({ area: `${line}L${fixed(last)} 0L${fixed(first)} 0Z`, length: line, gone }),
  };
}

function listed(paths) {
  return Object.entries(paths).map(([kind, d]) => ({ kind, d }));
}

function fixed(value) {
  return Number(value.toFixed(3));
}

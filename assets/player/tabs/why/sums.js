/**
 * sums.js: the roofline of a pass, the flat part of v(k), batches, and the cells of a sweep added up. Pure.
 * Times are milliseconds, weights bytes.
 */

import { added } from '../cells.js';
import { median, mode, sum } from '../../base/statistics.js';
import { expectedTokens, inSteps } from '../../base/theory.js';
import { isChain } from '../../trace/timeline.js';

/**
 * Llama-2-70B on an A100, both as printed: bytes of weights, FLOP a token, bytes and FLOP a second.
 * Bandwidth only: no card holds it.
 */
export const TEXTBOOK = { weight_bytes: 140e9, flops: 140e9, again: 2e12, arithmetic: 312e12 };
/** Traffic or arithmetic bounds a pass if it is at least this share of its time. */
const BOUND = 0.6;
/** γ of sweeps, where the run on stage drafts nothing. */
const GAMMA = 4;
/** Tokens a sweep's runs are long, at most. */
const LONGEST = 64;

/**
 * { traffic: reading all weights once, arithmetic: of one token, ridge: tokens a pass where both take as
 * long }.
 */
export function roofOf({ weight_bytes: weights, flops, again, arithmetic }) {
  const [traffic, each] = [(1e3 * weights) / again, (1e3 * flops) / arithmetic];
  return { traffic, arithmetic: each, ridge: traffic / each };
}

/** Times over other times, lap by lap, so that a slow moment of the machine cancels. */
const ratios = (laps, ones) => laps.map((lap, index) => lap / ones[index]);

/**
 * Measured passes, null before they are: { widths, passes: medians, steps: laps in passes over one token,
 * v(width) }.
 */
export function passesOf({ widths, passes }) {
  if (!widths.length) return null;
  const steps = passes.map((laps) => ratios(laps, passes[0]));
  return {
    widths,
    passes: passes.map(median),
    steps,
    v: inSteps({ draft: 0, rest: 0, widths, passes: steps.map(median) }).v,
  };
}

/**
 * What bounds a pass over one token: { pass, share, bound }, share being that of the larger of traffic and
 * arithmetic, and bound `traffic`, `arithmetic`, or `steps` where both leave most of it to something else.
 */
export function boundOf(machine) {
  const { traffic, arithmetic } = roofOf(machine);
  const [pass] = passesOf(machine).passes;
  const part = Math.max(traffic, arithmetic) / pass;
  return {
    pass,
    share: part,
    bound: part < BOUND ? 'steps' : traffic > arithmetic ? 'traffic' : 'arithmetic',
  };
}

/** Tokens in a pass of a run's rounds: the guesses of its trees, its scouts, and one; of chains γ + 1. */
export function rowsOf({ rounds }, gamma) {
  return (
    1 +
    (mode(
      rounds
        .filter((round) => !isChain(round) || round.scouts?.length)
        .map(({ verdicts, scouts = [] }) => verdicts.length + scouts.length),
    ) ?? gamma)
  );
}

/** The ends of the middle laps: the second least and the second most, or all there is of fewer than four. */
export function middle(laps) {
  const sorted = [...laps].sort((a, b) => a - b);
  const cut = sorted.length < 4 ? 0 : 1;
  return [sorted[cut], sorted[sorted.length - 1 - cut]];
}

/**
 * The broken stick that fits best, relative errors squared: level up to the knee, a line from there. {
 * knee: one of x, level, slope, at(x) }; the knee is the last x where nothing rises.
 */
export function stick(x, y) {
  const sticks = x.map((knee, index) => {
    const level = median(y.slice(0, index + 1));
    const beyond = x.slice(index + 1).map((each, at) => [each - knee, y[index + 1 + at] - level]);
    const square = sum(beyond.map(([run]) => run * run));
    const slope = square ? Math.max(0, sum(beyond.map(([run, rise]) => run * rise)) / square) : 0;
    const at = (each) => level + slope * Math.max(0, each - knee);
    return {
      knee,
      level,
      slope,
      at,
      error: sum(x.map((each, place) => ((at(each) - y[place]) / y[place]) ** 2)),
    };
  });
  return sticks.reduce((best, each) => (each.error < best.error ? each : best));
}

/**
 * Per batch size { rows, c, v, speedup }: costs in passes over rows × 1 token; speedup predicted with
 * alpha, null without one.
 */
export function batchesOf({ batches, gamma }, alpha) {
  return batches.map(({ rows, one, many, draft }) => {
    const [c, v] = [draft, many].map((laps) => median(ratios(laps, one)));
    return { rows, c, v, speedup: alpha === null ? null : expectedTokens(alpha, gamma) / (gamma * c + v) };
  });
}

/**
 * The groups of a sweep that have cells, in order: [[name, added cells]]; names[i] is the group of cell i.
 */
export function grouped(names, cells) {
  const groups = new Map();
  cells.forEach((cell, index) => groups.set(names[index], [...(groups.get(names[index]) ?? []), cell]));
  return [...groups].map(([name, of]) => [name, added(of)]);
}

/** α̂ of the run on stage, null while nothing was tested. */
export function alphaOf({ rounds }) {
  const { kept, tested } = rounds.at(-1);
  return tested ? kept / tested : null;
}

/**
 * The sweep of the temperature: { names, over }. Greedy runs of any seed are the same, so there is one of
 * them.
 */
export function temperatures(config) {
  const seeds = [0, 1, 2].map((more) => config.seed + more);
  return question(
    [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4].flatMap((temperature) =>
      seeds.slice(0, temperature ? 3 : 1).map((seed) => [temperature, { temperature, seed }]),
    ),
    config,
  );
}

/** The sweep of the genres, two seeds each: { names, over }. prompts: texts by genre. */
export function genres(config, prompts) {
  return question(
    Object.entries(prompts).flatMap(([genre, texts]) =>
      texts.flatMap((prompt) => [0, 1].map((more) => [genre, { prompt, seed: config.seed + more }])),
    ),
    config,
  );
}

function question(runs, { gamma, max_new_tokens: length }) {
  const common = { gamma: gamma || GAMMA, max_new_tokens: Math.min(LONGEST, length) };
  return { names: runs.map(([name]) => name), over: runs.map(([, change]) => ({ ...common, ...change })) };
}

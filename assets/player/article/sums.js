/**
 * sums.js: the arithmetic of the article: the roofline of a pass, batches, and what a round is worth with
 * the numbers a reader sets. Pure. Times are milliseconds, weights bytes; costs are in plain steps.
 */

import { added } from '../tabs/cells.js';
import { median } from '../base/statistics.js';
import { bestGamma, breakEven, expectedTokens, speedup } from '../base/theory.js';

/**
 * Llama-2-70B on an A100, both as printed: bytes of weights, FLOP a token, bytes and FLOP a second.
 * Bandwidth only: no card holds it.
 */
export const TEXTBOOK = { weight_bytes: 140e9, flops: 140e9, again: 2e12, arithmetic: 312e12 };
/** Traffic or arithmetic bounds a pass if it is at least this share of its time. */
const BOUND = 0.6;
/** Curves go from 0 to this many guesses a round. */
export const MOST = 12;
/** The width of the pass whose cost can be set: four guesses and the pending token. */
export const WIDTH = 5;

/**
 * { traffic: reading all weights once, arithmetic: of one token, ridge: tokens a pass where both take as
 * long }.
 */
export function roofOf({ weight_bytes: weights, flops, again, arithmetic }) {
  const [traffic, each] = [(1e3 * weights) / again, (1e3 * flops) / arithmetic];
  return { traffic, arithmetic: each, ridge: traffic / each };
}

/**
 * What bounds a measured pass over one token: { pass, share, bound }, share being that of the larger of
 * traffic and arithmetic, and bound `traffic`, `arithmetic`, or `steps` where both leave most of it to
 * something else.
 */
export function boundOf(machine) {
  const { traffic, arithmetic } = roofOf(machine);
  const pass = median(machine.passes[0]);
  const share = Math.max(traffic, arithmetic) / pass;
  return { pass, share, bound: share < BOUND ? 'steps' : traffic > arithmetic ? 'traffic' : 'arithmetic' };
}

/** Per batch size { rows, v, speedup }: cost in passes over rows × 1 token, and what that predicts at an α. */
export function batchesOf({ batches, gamma }, alpha) {
  return batches.map(({ rows, one, many, draft }) => {
    const [c, v] = [draft, many].map((laps) => median(laps.map((lap, index) => lap / one[index])));
    return { rows, c, v, speedup: expectedTokens(alpha, gamma) / (gamma * c + v) };
  });
}

/** The groups of a sweep, in order: [[name, added cells]]; names[i] is the group of cell i. */
export function grouped(names, cells) {
  const groups = new Map();
  cells.forEach((cell, index) => groups.set(names[index], [...(groups.get(names[index]) ?? []), cell]));
  return [...groups].map(([name, of]) => [name, added(of)]);
}

/**
 * v with another cost at WIDTH tokens: the difference is spread evenly over the extra tokens, and no token
 * costs less than nothing.
 */
export function tilted(v, cost) {
  const by = (cost - v(WIDTH)) / (WIDTH - 1);
  return by ? (width) => Math.max(Math.min(1, v(width)), v(width) + by * (width - 1)) : v;
}

/**
 * What a reader's numbers come to: { curve: [{ gamma, tokens, speedup }], best: { gamma, speedup }, from: the
 * α from which γ pays, see breakEven, dear: the one that a draft model of twice the cost needs for the same }.
 */
export function worth({ alpha, gamma, c, v, overhead }) {
  const cost = (each) => gamma * each + v(gamma + 1) + overhead;
  return {
    curve: Array.from({ length: MOST + 1 }, (_, many) => ({
      gamma: many,
      tokens: expectedTokens(alpha, many),
      speedup: speedup(alpha, many, c, v(many + 1), overhead),
    })),
    best: bestGamma(alpha, c, v, MOST, overhead),
    from: breakEven(gamma, cost(c)),
    dear: breakEven(gamma, (expectedTokens(alpha, gamma) * cost(2 * c)) / cost(c)),
  };
}

/** Rules of thumb at an α and γ: { most: γ + 1, refused: (1 + γ) / (1 + P(reject)) }. */
export function thumbsOf({ alpha, gamma }) {
  return { most: gamma + 1, refused: (1 + gamma) / (2 - alpha) };
}

/**
 * Rounds of which half keep every guess with one alpha, half with another: { mean: of the two, tokens: a
 * round gives, predicted: E at the mean, counted: what accepted / tested comes to, atCounted: E there }.
 */
export function mixture(easy, hard, gamma) {
  const both = [easy, hard];
  const mean = (easy + hard) / 2;
  const half = (guesses) => both.reduce((sum, alpha) => sum + expectedTokens(alpha, guesses) / 2, 0);
  const counted = (half(gamma) - 1) / half(gamma - 1);
  return {
    mean,
    tokens: half(gamma),
    predicted: expectedTokens(mean, gamma),
    counted,
    atCounted: expectedTokens(counted, gamma),
  };
}

/**
 * theory.js: the closed forms of specviz/theory.py and the measured costs of specviz/costs.py. Pure.
 * alpha is one chance of acceptance for every guess, whatever came before. Costs are in plain steps of the
 * target: c a draft step, v a verify pass over gamma + 1 tokens, overhead the rest of a round.
 */

/**
 * Mean tokens a round adds, the target's own included: (1 − alpha^(gamma+1)) / (1 − alpha); gamma + 1 at 1.
 * arXiv:2211.17192, eq. 1.
 */
export function expectedTokens(alpha, gamma) {
  let sum = 1;
  for (let guesses = gamma; guesses > 0; guesses -= 1) sum = 1 + alpha * sum;
  return sum;
}

/** Tokens in a plain step's time; plain decoding is 1. arXiv:2211.17192, theorem 3.8, where v is 1. */
export function speedup(alpha, gamma, c, v, overhead = 0) {
  return expectedTokens(alpha, gamma) / (gamma * c + v + overhead);
}

/**
 * The gamma from 0 to most that is fastest, the least of several: { gamma, speedup }. v(width): cost of a
 * pass over that many tokens.
 */
export function bestGamma(alpha, c, v, most, overhead = 0) {
  let best = { gamma: 0, speedup: speedup(alpha, 0, c, v(1), overhead) };
  for (let gamma = 1; gamma <= most; gamma += 1) {
    const value = speedup(alpha, gamma, c, v(gamma + 1), overhead);
    if (value > best.speedup) best = { gamma, speedup: value };
  }
  return best;
}

/**
 * The alpha from which a round gives as many tokens as it costs plain passes: { alpha, why }. alpha is null
 * where it does not matter, and why then says so: `always` pays, `never` does, or `nothing` was guessed.
 */
export function breakEven(gamma, cost) {
  if (gamma === 0) return { alpha: null, why: 'nothing' };
  if (cost <= 1) return { alpha: null, why: 'always' };
  if (cost > gamma + 1) return { alpha: null, why: 'never' };
  let [low, high] = [0, 1];
  for (let halving = 0; halving < 60; halving += 1) {
    const middle = (low + high) / 2;
    if (expectedTokens(middle, gamma) < cost) low = middle;
    else high = middle;
  }
  return { alpha: high, why: null };
}

/**
 * Measured costs { draft, rest, widths, passes }, in ms, in plain steps: { c, overhead, v(width) }. Between
 * two measured widths, and past the last, v lies on their line.
 */
export function inSteps({ draft, rest, widths, passes }) {
  const step = passes[0];
  return {
    c: draft / step,
    overhead: rest / step,
    v(width) {
      if (widths.length === 1) return 1;
      const index = widths.findIndex((each) => each >= width);
      const above = Math.max(1, index < 0 ? widths.length - 1 : index);
      const [low, high, cheap, dear] = [widths[above - 1], widths[above], passes[above - 1], passes[above]];
      return (cheap + ((dear - cheap) * (width - low)) / (high - low)) / step;
    },
  };
}

/**
 * sums-worked.js: worked examples from the literature, recomputed. Pure. Each is { fields, solve(values) };
 * solve returns { lines: [{ name, formula, value }], says }.
 */

import { factor, multiple, number, raised, trimmed } from '../base/format.js';
import { bestGamma, expectedTokens } from '../base/theory.js';
import { words } from '../words/words.js';

const MOST = 20;
const chance = (name, value) => ({ name, value, min: 0, max: 1, step: 0.01 });
const ms = (name, value) => ({ name, value, min: 0.01, max: 1e5, step: 0.01 });
const guesses = (value) => ({ name: 'guesses', value, min: 1, max: MOST, step: 1 });
const alpha = (value) => chance('alpha', value);
const line = (name, formula, value) => ({ name, formula, value });

/** Three guesses of "To be or not to be". Where p exceeds q, r does not matter. */
const keep = {
  fields: [
    [0.92, 0.31, 0.5],
    [0.88, 0.4, 0.5],
    [0.05, 0.35, 0.71],
  ].flatMap(([p, q, r], index) => [
    chance(`p${index + 1}`, p),
    { ...chance(`q${index + 1}`, q), min: 0.01 },
    chance(`r${index + 1}`, r),
  ]),
  solve(values) {
    const texts = words.article.worked.keep;
    const lines = [];
    for (let guess = 1; guess <= 3; guess += 1) {
      const [p, q, r] = ['p', 'q', 'r'].map((name) => values[name + guess]);
      const kept = r * q < p; // as the engine tests it
      lines.push(
        line(
          texts.guess({ index: guess }),
          texts.test({ p: trimmed(p), q: trimmed(q), ratio: number(p / q), r: trimmed(r), sure: p >= q }),
          kept ? texts.kept : texts.refused,
        ),
      );
      if (!kept) return { lines, says: texts.says.refused({ kept: guess - 1, guess }) };
    }
    return { lines, says: texts.says.kept({ kept: 3, all: 4 }) };
  },
};

/** Four guesses of 2 ms and a pass of 40 ms, against four passes. */
const timing = {
  fields: [guesses(4), ms('draft', 2), ms('target', 40), alpha(0.8)],
  solve({ guesses: k, draft, target, alpha: rate }) {
    const texts = words.article.worked.timing;
    const [round, plain, tokens] = [k * draft + target, k * target, expectedTokens(rate, k)];
    const [d, t, n] = [draft, target, round].map(trimmed);
    const lines = [
      line(texts.round, `${k} × ${d} ms + ${t} ms`, `${n} ms`),
      line(texts.plain, `${k} × ${t} ms`, `${trimmed(plain)} ms`),
      line(texts.claimed, `${trimmed(plain)} / ${n}`, multiple(plain / round)),
      line(texts.all({ k, more: k + 1 }), `${k + 1} × ${t} / ${n}`, multiple(((k + 1) * target) / round)),
      line(texts.tokens({ alpha: trimmed(rate) }), expected(rate, k), number(tokens)),
      line(texts.then, `${number(tokens)} × ${t} / ${n}`, multiple((tokens * target) / round)),
    ];
    return {
      lines,
      says: texts.says({ k, more: k + 1, alpha: trimmed(rate), times: factor((tokens * target) / round) }),
    };
  },
};

/** Tokens a round of that many guesses. */
const tokens = {
  fields: [guesses(5)],
  solve({ guesses: k }) {
    const lines = [0.5, 0.7, 0.8, 0.9, 0.95].map((rate) =>
      line(`α = ${trimmed(rate)}`, expected(rate, k), expectedTokens(rate, k).toFixed(2)),
    );
    return { lines, says: words.article.worked.tokens.says };
  },
};

/** The best draft length for a guess and a pass of that many milliseconds. */
const best = {
  fields: [ms('draft', 4), ms('target', 40), alpha(0.7)],
  solve({ draft, target, alpha: rate }) {
    const texts = words.article.worked.best;
    const c = draft / target;
    const lines = [...new Set([0.8, 0.5, rate])].map((each) => {
      const { gamma, speedup: times } = bestGamma(each, c, () => 1, MOST);
      return line(
        `α = ${trimmed(each)}`,
        `${expected(each, gamma)} / (${gamma} × ${trimmed(c)} + 1)`,
        texts.value({ k: gamma, times: factor(times) }),
      );
    });
    return { lines, says: texts.says({ c: trimmed(c), most: MOST }) };
  },
};

export const EXAMPLES = { keep, timing, tokens, best };

function expected(rate, k) {
  return rate === 1 ? `${k} + 1` : `(1 − ${trimmed(rate)}${raised(k + 1)}) / (1 − ${trimmed(rate)})`;
}

/**
 * sums-load.js: a run at load: many texts at once, each of them this run begun at another round. Pure arithmetic on
 * its recorded rounds and the measured cost of batches. A server stops guessing where guesses cost more than they
 * bring (vLLM and DSpark decide so, arXiv:2601.11580).
 */

import { mean, median } from '../../base/statistics.js';
import { offeredOf } from '../../trace/timeline.js';
import { stick } from './sums-passes.js';

/** Texts at once. */
export const LOADS = Array.from({ length: 9 }, (_, power) => 2 ** power);

/**
 * Tokens a second of all texts together, by LOADS: [{ texts, plain, whole: each draft is checked whole, cut: only as
 * many guesses of each as pay, guesses: how many }]; measured: the same, but for cut, at the times of the batches that
 * were measured. A pass costs what a broken stick through those says; beyond them it goes on as it rises, and between
 * no guess and the run's γ evenly.
 */
export function loadOf({ batches, gamma }, { rounds }) {
  const drafts = rounds.filter((round) => offeredOf(round) > 0);
  if (!batches.length || !drafts.length || !gamma) return null;
  const tokens = (guesses) => mean(drafts.map(({ path }) => Math.min(path.length, guesses))) + 1;
  const [one, many, draft] = ['one', 'many', 'draft'].map((name) => through(batches, name));
  const rate = (texts, guesses) => {
    const wider = ((many(texts) - one(texts)) * guesses) / gamma;
    return (1000 * texts * tokens(guesses)) / (guesses * draft(texts) + one(texts) + wider);
  };
  const lengths = Array.from({ length: gamma + 1 }, (_, guesses) => guesses);
  return {
    loads: LOADS.map((texts) => {
      const rates = lengths.map((guesses) => rate(texts, guesses));
      const cut = Math.max(...rates);
      return { texts, plain: rates[0], whole: rates[gamma], cut, guesses: rates.indexOf(cut) };
    }),
    measured: batches.map((batch) => ({
      texts: batch.rows,
      plain: (1000 * batch.rows) / median(batch.one),
      whole: (1000 * batch.rows * tokens(gamma)) / (gamma * median(batch.draft) + median(batch.many)),
    })),
  };
}

/** Milliseconds by texts at once, a line through what was measured, flat and then rising. */
function through(batches, name) {
  return stick(
    batches.map(({ rows }) => rows),
    batches.map((batch) => median(batch[name])),
  ).at;
}

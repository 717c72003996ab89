/**
 * clock.js: where a round's milliseconds went, and what plain decoding takes for as many tokens.
 * Pure: from the run's own timing and, where the run was raced, its median plain pass.
 */

import { drafting as draftingOf, spent } from '../../trace/story.js';
import { number } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { words } from '../words.js';

/**
 * { rows: [{ kind, name, from, to, ms }], total, tokens, plain, says }; plain is null where the run
 * was not raced.
 */
export function clock({ timing, verdicts, path, extra, index, learning }, race) {
  const drafting = draftingOf(timing.draft);
  const checked = drafting + timing.verify;
  const total = spent(timing);
  const tokens = path.length + (extra ? 1 : 0);
  const plain = race ? tokens * medianOf(race.passes) : null;
  const rows = [
    { kind: 'draft', name: words.clock.guesses({ many: verdicts.length }), from: 0, to: drafting },
    { kind: 'verify', name: words.clock.pass, from: drafting, to: checked },
    ...(timing.reread
      ? [{ kind: 'again', name: words.clock.again, from: checked, to: checked + timing.reread }]
      : []),
    {
      kind: 'other',
      name: words.clock[learning ? 'taught' : 'rest'],
      from: checked + (timing.reread ?? 0),
      to: total,
    },
    ...(plain === null ? [] : [{ kind: 'plain', name: words.clock.without, from: 0, to: plain }]),
  ];
  return {
    rows: rows.map((row) => ({ ...row, ms: row.to - row.from })),
    total,
    tokens,
    plain,
    says: words.clock.total({ round: index + 1, ms: number(total), tokens }),
  };
}

/** Computed once per list, because every step of a long run needs it. */
const medians = new WeakMap();

function medianOf(values) {
  if (!medians.has(values)) medians.set(values, median(values));
  return medians.get(values);
}

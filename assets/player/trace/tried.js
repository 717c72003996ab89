/**
 * tried.js: what the models of a run were tried for when they were loaded, as sentences. Pure.
 */

import { clean, count } from '../base/format.js';
import { tell, words } from '../words/words.js';

/** What Trial.use of specviz/trace/info.py can be; common.model of the words names them. */
export const USES = ['chain', 'back', 'branch', 'together', 'long'];

/**
 * For each model what it passed, what it is refused for and why, and from which length on its positions change. Models
 * that specviz ships, and those without a cache, were not tried.
 * @returns {string[]}
 */
export function triedLines({ target_forward: target, draft_caches: caches }) {
  const drafts = caches.map(({ name, forward }) => [
    caches.length > 1 ? clean(name) : words.who.draft,
    forward,
  ]);
  return [[words.who.target, target], ...drafts].flatMap(([who, forward]) => linesOf(who, forward));
}

function linesOf(who, { tried = [], border = 0 }) {
  const uses = (trials) => trials.map(({ use }) => tell({ code: `common.model.${use}` }));
  const passed = tried.filter(({ reason }) => !reason);
  const error = Math.max(...passed.map((trial) => trial.error));
  const lines = passed.length
    ? [words.model.tried({ who, uses: uses(passed), error: Number(error.toPrecision(1)) })]
    : [];
  for (const [reason, trials] of byReason(tried))
    lines.push(words.model.refused({ who, uses: uses(trials), reason }));
  return border ? [...lines, words.model.border({ who, tokens: count(border) })] : lines;
}

/** Refused trials by the reason, as text. */
function byReason(tried) {
  const groups = new Map();
  for (const trial of tried) {
    const reason = tell(trial.reason);
    if (reason) groups.set(reason, [...(groups.get(reason) ?? []), trial]);
  }
  return groups;
}

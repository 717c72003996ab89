/**
 * tried.js: what the models of a run were tried for when they were loaded, and what the target's
 * generation_config.json asked for, as sentences. Pure.
 */

import { clean, count } from '../base/format.js';
import { sentences, tell, words } from '../words/words.js';

/**
 * What the target's file asked for; then for each model what it passed, what it is refused for and why, and from which
 * length on its positions change. Models that specviz ships, and those without a cache, were not tried.
 * @returns {string[]}
 */
export function modelLines(info) {
  const { target_forward: target, draft_caches: caches } = info;
  const drafts = caches.map(({ name, forward }) => [
    caches.length > 1 ? clean(name) : words.who.draft,
    forward,
  ]);
  const tried = [[words.who.target, target], ...drafts].flatMap(([who, forward]) => linesOf(who, forward));
  return [generationLine(info), ...tried].filter(Boolean);
}

/** What the target's generation_config.json asked for, and what of it held; '' where it asked for nothing. */
export function generationLine({ config, generation }) {
  if (!generation) return '';
  const { held, own, left } = generation;
  const { plain, ...said } = words.generation;
  const line = (message, part) => {
    const asked = Object.entries(part).map(([key, value]) => ({
      code: 'common.generation.asked',
      key,
      value,
    }));
    return asked.length ? message({ asked }) : '';
  };
  return sentences([
    line(said.held, held),
    line(said.own, own),
    line(config.generation === 'plain' ? plain : said.left, left),
  ]);
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

/**
 * sums-advice.js: what is asked where a person wants to know whether guessing pays on prompts of their own. Pure.
 */

import { settingsOf } from './sums.js';

/** The longest drafts that are weighed, tokens of each run, and the most prompts that are read. */
export const MOST = 8;
export const LENGTH = 48;
export const PROMPTS = 6;
/** Drafters of chains that need no training, the first that are there. */
const DRAFTERS = ['small-model', 'suffix', 'ngram', 'prompt-lookup'];

/** The prompts in a text, one a line. */
export function promptsIn(text) {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter(Boolean))].slice(0, PROMPTS);
}

/** The drafters that are tried; methods: as tab.js joins them, lacks(entry): what it lacks here, '' for nothing. */
export function triedOf(methods, lacks) {
  const entries = DRAFTERS.map((name) => methods.find(({ entry }) => entry.name === name)?.entry);
  return entries.filter((entry) => entry && !lacks(entry));
}

/** The question: every prompt with every drafter, as a chain judged by rejection. */
export function adviceOf(prompts, entries, run, { max_new_tokens: length }) {
  const shared = { max_new_tokens: Math.min(LENGTH, length) };
  const over = entries.flatMap((entry) => {
    const settings = { ...settingsOf({ entry, rule: { name: 'rejection' }, gamma: MOST }), ...shared };
    return prompts.map((prompt) => ({ ...settings, prompt }));
  });
  return { run, job: 'advise', over };
}

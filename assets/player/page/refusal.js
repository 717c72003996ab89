/**
 * refusal.js: what the server refused, under the page's labels, and the nearest value it would accept.
 * Pure. The line is written by specviz/config.py: "gamma is 30; wanted a whole number from 0 to 20".
 */

import { words } from './words.js';

const LABELS = { gamma: 'γ', temperature: 'T', top_k: 'Top-k', top_p: 'Top-p', max_new_tokens: 'Length', seed: 'Seed', nodes: 'Nodes' };
const LINE = /^(\w+) is (.*); wanted (.*)$/su;
const DECIMAL = { temperature: 2, top_p: 2 };
const RANGES = {
  temperature: { says: '0, or a number from 0.05 to 2', low: 0, high: 2 },
  top_p: { says: 'a number above 0, at most 1', low: 0.05, high: 1 },
};

/** { text, field, value }: the sentence, the field it is about, and a value that would do; null if there is none. */
export function explainRefusal(line) {
  const [, field, refused, wanted] = LINE.exec(line) ?? [];
  const label = LABELS[field];
  if (!label) return { text: `Not run: ${line}.`, field: /^the prompt\b/.test(line) ? 'prompt' : null, value: null };
  const [instead] = /^\d+(?=, or )/.exec(wanted) ?? [];
  if (instead) return { text: `${label} needs ${wanted}.`, field, value: Number(instead) };
  const range = RANGES[field] ?? whole(wanted);
  if (!range) return { text: `${label} needs ${wanted}.`, field, value: null };
  return { text: `${label} needs ${range.says}.`, field, value: nearest(Number(refused), range, field) };
}

/** The same of what broke a run off: "nodes is 64; wanted 32: 64 guesses did not fit into memory" names fewer to run with. */
export function explainFailure(line) {
  const [, field, value, why] = /^(\w+) is \d+; wanted (\d+): (.*)$/su.exec(line) ?? [];
  return { text: words.failed(why ?? line), field: field ?? null, value: why ? Number(value) : null };
}

function whole(wanted) {
  const [, low, high] = /(?<![\d.,])([\d,]+) to ([\d,]+)$/.exec(wanted) ?? [];
  return low && { says: `a whole number from ${low} to ${high}`, low: Number(low.replaceAll(',', '')), high: Number(high.replaceAll(',', '')) };
}

function nearest(value, { low, high }, field) {
  if (!Number.isFinite(value)) return null;
  const inside = Math.min(high, Math.max(low, value));
  if (field === 'temperature' && inside > 0 && inside < 0.05) return 0.05;
  return DECIMAL[field] ? Number(inside.toFixed(DECIMAL[field])) : Math.round(inside);
}

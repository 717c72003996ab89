/**
 * refusal.js: what the server refused, under the page's labels, and the nearest value it would accept.
 * Pure. The line is written by specviz/config.py: "gamma is 30; wanted a whole number from 0 to 20".
 */

import { words } from '../words/words.js';
import { served } from '../base/words.js';

const texts = words.refusal;
const LINE = /^(\w+) is (.*); wanted (.*)$/su;
const DECIMAL = { temperature: 2, top_p: 2 };
const RANGES = {
  temperature: { says: texts.temperature, low: 0, high: 2 },
  top_p: { says: texts.top_p, low: 0.05, high: 1 },
};

/**
 * { text, field, value }: the sentence, the field it is about, and a value that would do; null if there is
 * none.
 */
export function explainRefusal(line) {
  const [, field, refused, wanted] = LINE.exec(line) ?? [];
  const label = Object.hasOwn(texts.labels, field ?? '') ? texts.labels[field] : null;
  if (!label)
    return {
      text: texts.line({ line: served(line) }),
      field: /^the prompt\b/.test(line) ? 'prompt' : null,
      value: null,
    };
  const [instead] = /^\d+(?=, or )/.exec(wanted) ?? [];
  if (instead) return { text: texts.needs({ label, wanted: served(wanted) }), field, value: Number(instead) };
  const range = RANGES[field] ?? whole(wanted);
  if (!range) return { text: texts.needs({ label, wanted: served(wanted) }), field, value: null };
  return {
    text: texts.needs({ label, wanted: range.says }),
    field,
    value: nearest(Number(refused), range, field),
  };
}

/**
 * The same of what broke a run off: "nodes is 64; wanted 32: 64 guesses did not fit into memory" names
 * fewer to run with.
 */
export function explainFailure(line) {
  const [, field, value, why] = /^(\w+) is \d+; wanted (\d+): (.*)$/su.exec(line) ?? [];
  return {
    text: words.failed({ reason: served(why ?? line) }),
    field: field ?? null,
    value: why ? Number(value) : null,
  };
}

function whole(wanted) {
  const [, low, high] = /(?<![\d.,])([\d,]+) to ([\d,]+)$/.exec(wanted) ?? [];
  return (
    low && {
      says: texts.whole({ low, high }),
      low: Number(low.replaceAll(',', '')),
      high: Number(high.replaceAll(',', '')),
    }
  );
}

function nearest(value, { low, high }, field) {
  if (!Number.isFinite(value)) return null;
  const inside = Math.min(high, Math.max(low, value));
  if (field === 'temperature' && inside > 0 && inside < 0.05) return 0.05;
  return DECIMAL[field] ? Number(inside.toFixed(DECIMAL[field])) : Math.round(inside);
}

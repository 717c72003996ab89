/**
 * read-view.js: reads what stands at a place, p and q, of a file that nobody vouches for. Pure.
 */

import { integer, list, nullable, number, object, oneOf, optional, withFallback } from './readers.js';
import { words } from '../words/words.js';

const share = number(0, 1);
/** What can change a score by the text before it, and the most tokens that it was for: see specviz/trace/guess.py. */
export const PROCESSORS = [
  'bias',
  'repetition',
  'frequency',
  'presence',
  'banned',
  'no_repeat',
  'length',
  'suppressed',
  'mask',
];
const PLACES = 6;

/** A reader of a view. vocabulary: how many tokens there are; most: how many bars a view may have. */
export function viewReader({ token, letters, vocabulary, most }) {
  const bar = withFallback(object({ token, text: letters, p: share, q: share, residual: share }), null);
  const rest = object({ count: integer(0, vocabulary), p: share, q: share, overlap: share, residual: share });
  const raw = object({ token, text: letters, p: share, q: nullable(share) });
  const change = object({ token, by: oneOf(...PROCESSORS), places: list(integer(0, 1e6), PLACES) });
  const read = object({
    bars: barsOf(list(bar, most)),
    rest,
    overlap: share,
    noise: optional(list(number(-1e3, 1e3), most)),
    raw: optional(list(raw, most)),
    allowed: optional(integer(0, vocabulary)),
    covered: optional(share),
    before: optional(list(share, most)),
    changed: optional(list(change, most * PROCESSORS.length)),
    target: optional(list(share, most)),
    distance: optional(share),
  });
  return (value, where, left) => {
    /** @type {any} */
    const { noise, before, changed, target, distance = 0, ...view } = read(value, where, left);
    const fits = (name, shares) => {
      if (!shares || shares.length === view.bars.length) return Boolean(shares);
      left(words.file.contradicts({ where: `${where}.${name}`, what: words.file.wrong[name] }));
      return false;
    };
    if (fits('noise', noise)) view.noise = noise;
    if (fits('target', target)) Object.assign(view, { target, distance });
    return fits('before', before) ? { ...view, before, changed: changed ?? [] } : view;
  };
}

/** The bars that could be read, one per token. */
function barsOf(read) {
  return (value, where, left) => {
    const seen = new Set();
    return read(value, where, left).filter((bar, index) => {
      if (bar && seen.has(bar.token))
        left(words.file.contradicts({ where: `${where}[${index}]`, what: words.file.wrong.twice }));
      return bar && !seen.has(bar.token) && seen.add(bar.token);
    });
  };
}

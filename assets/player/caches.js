/**
 * caches.js: the two KV caches at one moment of a round, as cells and a length.
 * Pure: lengths are the trace's CacheSpans and arithmetic on them. Cell n holds the token at position n of the text.
 */

import { words } from './words.js';

const HEAD = 4;
const TAIL = 34;

/** Both caches: { name, length, note, cells: [kind], gap }, kinds kept, guess, rolled, owed, empty; null: no cache. */
export function caches(round, moment) {
  const target = targetLength(round, moment);
  const draft = round.draft_cache && draftLength(round, moment);
  const added = round.path.length + (round.extra ? 1 : 0);
  const owed = round.draft_cache ? Math.max(0, round.position + added - 1 - round.draft_cache.kept) : 0;
  const width = Math.max(round.target_cache.written, round.draft_cache ? round.draft_cache.written + owed : 0);
  const trim = moment.kind === 'trim';
  return [
    strip(words.cache.target, round.target_cache, target, round.position, width, trim, 0),
    draft === null
      ? { name: words.cache.draft, note: words.cache.none, length: null, cells: null, gap: '' }
      : strip(words.cache.draft, round.draft_cache, draft, round.position, width, trim, owed),
  ];
}

function targetLength({ target_cache: span }, { kind }) {
  if (kind === 'draft') return span.before;
  return kind === 'trim' ? span.kept : span.written;
}

/** Each draft but the last is fed back to draft the next, so the cache grows by one slot per draft. */
function draftLength({ draft_cache: span, verdicts }, { kind, slot }) {
  if (kind === 'draft') return span.written - (verdicts.length - 1 - slot);
  return kind === 'trim' ? span.kept : span.written;
}

function strip(name, span, length, position, width, trim, owed) {
  const kind = (cell) => {
    if (cell < length) return cell < position || trim ? 'kept' : 'guess';
    if (trim && cell < span.written) return 'rolled';
    return trim && cell < length + owed ? 'owed' : 'empty';
  };
  const all = Array.from({ length: width }, (_, cell) => kind(cell));
  const folded = width > HEAD + TAIL;
  let note = words.cache.length(length);
  if (trim) note = owed ? words.cache.owes(length, owed) : words.cache.trimmed(span.written, length);
  return {
    name,
    length,
    note,
    head: folded ? all.slice(0, HEAD) : [],
    gap: folded ? words.cache.gap(width - HEAD - TAIL) : '',
    cells: folded ? all.slice(-TAIL) : all,
  };
}

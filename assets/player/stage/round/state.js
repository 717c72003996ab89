/**
 * state.js: what became of a running state in a round. Pure: what it had read are the trace's CacheSpans. It has one
 * size, and nothing can be cut from it: a copy that was saved on the way is put back, and what is kept of the text
 * after it is read again.
 */

import { bytes, inSentence, number } from '../../base/format.js';
import { said } from '../../words/words.js';
import { words } from '../words.js';

/** At most that many tokens are drawn between two boxes, the last ones. */
const MOST = 12;

/**
 * length: the tokens it has read; gone: whether it is thrown away.
 * @typedef {{ kind: string, label: string, read: string, upTo: string, length: number, gone: boolean }} Box
 * more: how many tokens are read before those that are drawn.
 * @typedef {{ from: Box, cells: { kind: string, at: number, text: string }[], more: string, to: Box }} Way
 */

/** Bytes of the running state of a cache, the target's or one of the drafter's, counted from 1; 0 if it has none. */
export function stateBytes({ target_state_bytes: target = 0, draft_caches: drafts }, which) {
  return which ? (drafts[which - 1].state_bytes ?? 0) : target;
}

/**
 * The ways of a state through a round: one over all guesses, and where some were rejected one back to what is kept.
 * drafts: whether it is a drafter's. textAt(cell) is the token at a place of the text, '' where nobody told it.
 * @returns {{ size: string, ways: Way[], says: string }}
 */
export function stateOf(size, span, { drafts, guesses, ms, textAt }) {
  const { before, written, kept, reread = 0 } = span;
  const gone = written > kept;
  const start = gone ? kept - reread : before;
  const box = (kind, length, last, lost = false) => ({
    kind,
    label: said(words.state.boxes[kind], { drafts }),
    read: words.state.read({ count: length }),
    upTo: last ? words.state.upTo({ text: inSentence(last) }) : '',
    length,
    gone: lost,
  });
  const committed = (length) => textAt({ kind: 'committed', at: length - 1 });
  const way = (from, first, end, kindOf, to) => {
    const cells = [];
    for (let at = Math.max(first, end - MOST); at < end; at += 1) cells.push({ kind: kindOf(at), at });
    const told = cells.map((cell) => ({ ...cell, text: textAt(cell) })).filter(({ text }) => text);
    const more = end - first - told.length;
    return { from, cells: told, more: more ? words.state.more({ many: more }) : '', to };
  };
  const last = textAt({ kind: gone ? 'rolled-back' : 'committed', at: written - 1 });
  const ways = [
    way(
      box('saved', before, committed(before)),
      before,
      written,
      (at) => (at < kept ? 'committed' : 'rolled-back'),
      box(gone ? 'after' : 'stays', written, last, gone),
    ),
  ];
  if (gone)
    ways.push(
      way(
        box(start ? 'back' : 'fresh', start, committed(start)),
        start,
        kept,
        () => 'committed',
        box('now', kept, committed(kept)),
      ),
    );
  return {
    size: words.state.size({ size: bytes(size) }),
    ways,
    says: gone
      ? words.state.again({ again: reread, ms: ms ? number(ms) : null })
      : drafts
        ? words.state.stays({ count: guesses })
        : '', // the headline says so
  };
}

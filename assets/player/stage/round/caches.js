/**
 * caches.js: the two KV caches at one moment of a round, as cells and a length. Pure: lengths are the
 * trace's CacheSpans and arithmetic on them. Cell n holds the token at position n of the text.
 */

import { bytes, clean, show } from '../../base/format.js';
import { branchOf, stateOf } from '../../trace/moment.js';
import { words } from '../words.js';
import { stateBytes, stateOf as whatBecame } from './state.js';
import { tell } from '../../words/words.js';

/** At most this many cells are drawn; of a longer cache the first few and the last. */
const MOST = 160;
export const HEAD = 4;
/** Entries before the round's own that are drawn with them, that of the last token included. */
const LEAD = 3;
/** How many tokens before a guess are shown where it was looked up. */
const CONTEXT = 8;

/**
 * Both caches: { model, name, length, cells: [{ kind, at }], gap, lookup, note, more, label, keeps }. kinds: committed,
 * speculative, kept (about to be gathered), rolled-back, owed. gap: how many cells after the first HEAD are
 * not drawn. A drafter without a cache has null for length and cells; instead its lookup at the focused
 * slot is pieces of text, and its note says what it went by. keeps: `state` where it keeps a running state, whose
 * cells are the tokens that it has read.
 */
export function caches(story, moment, focus) {
  const round = story.trace.rounds[moment.round];
  const { info } = story.trace;
  const added = round.path.length + (round.extra ? 1 : 0);
  const target = strip(story, moment, 0, targetLength(round, moment), 0, info.target_slot_bytes);
  if (!round.draft_caches.length) {
    const slot = Math.min(focus, moment.kind === 'draft' ? moment.slot : round.verdicts.length - 1);
    return [
      target,
      {
        model: 'draft',
        name: words.cache.draft,
        length: null,
        cells: null,
        gap: 0,
        lookup: lookup(story, moment, slot),
        note: words.cache.none({ reason: tell(round.verdicts[slot]?.source.words) }),
        more: '',
        label: '',
        keeps: 'entries',
      },
    ];
  }
  return [
    target,
    ...round.draft_caches.map((span, which) => {
      // tokens of its own tokenizer are other ones, and other many
      const own = info.draft_caches[which].own_tokens;
      const owed = own ? 0 : Math.max(0, round.position + added - 1 - span.kept);
      return strip(
        story,
        moment,
        which + 1,
        draftLength(round, span, moment),
        owed,
        info.draft_caches[which].slot_bytes,
      );
    }),
  ];
}

/**
 * The tokens before a guess, those that decided it in brackets, and the guess: [{ text, state }], state
 * null for a sign.
 */
function lookup({ trace, text }, moment, slot) {
  const round = trace.rounds[moment.round];
  const guess = round.verdicts[slot];
  if (!guess) return [];
  const shown = (verdict, at) => ({ text: show(verdict.text), state: stateOf(round, moment, at) });
  const sign = (mark) => ({ text: mark, state: null });
  const before = [
    ...text.slice(Math.max(0, round.position - CONTEXT), round.position),
    ...branchOf(round, guess.parent).map((node) => shown(round.verdicts[node], node)),
  ].slice(-CONTEXT);
  const used = before.splice(before.length - (guess.source.counts?.context ?? 0));
  const bracketed = used.length ? [sign('['), ...used, sign(']')] : [];
  return [...before, ...bracketed, sign('→'), shown(guess, slot)];
}

function targetLength({ target_cache: span }, { kind }) {
  if (kind === 'draft') return span.before;
  return kind === 'trim' ? span.kept : span.written;
}

/** What is said below a strip. beat: 'gather' or 'trim', if it is one of them. */
function noteOf(says, { path, position }, span, length, owed, beat) {
  if (beat === 'gather')
    return words.cache.gather({
      from: path.map((node) => position + node).join(words.grammar.comma),
      many: path.length,
      first: position,
      last: position + path.length - 1,
    });
  if (beat !== 'trim') return says.length({ entries: length });
  if (owed) return says.owes({ to: length, owed });
  return says.trimmed({
    from: span.written,
    to: length,
    gone: span.written - length,
    again: span.reread ?? 0,
  });
}

/**
 * The guesses of each call but the last are fed back to make the next, so the cache grows by them with
 * every call.
 */
function draftLength({ timing: { draft: calls } }, span, { kind, slot }) {
  if (kind !== 'draft') return kind === 'trim' ? span.kept : span.written;
  let made = 0;
  const call = calls.findIndex(({ nodes }) => (made += nodes) > slot);
  return Math.max(
    span.before,
    span.written - calls.slice(call, -1).reduce((sum, { nodes }) => sum + nodes, 0),
  );
}

function strip(story, moment, which, length, owing, slotBytes) {
  const round = story.trace.rounds[moment.round];
  const span = which ? round.draft_caches[which - 1] : round.target_cache;
  const trim = moment.kind === 'trim';
  const gathers = moment.kind === 'gather' && which === 0;
  const own = which > 0 && story.trace.info.draft_caches[which - 1].own_tokens;
  const start = own ? span.before : round.position;
  const kept = new Set(round.path.map((node) => round.position + node));
  const owed = trim ? owing : 0;
  const kind = (cell) => {
    if (gathers && cell >= round.position) return kept.has(cell) ? 'kept' : 'speculative';
    if (cell < length) return cell < start || trim ? 'committed' : 'speculative';
    return 'rolled-back';
  };
  const all = trim ? span.written : length;
  const gap = Math.max(0, all + owed - MOST);
  const cells = [];
  for (let cell = 0; cell < all; cell += 1) {
    if (cell === HEAD) cell += gap;
    cells.push({ kind: kind(cell), at: cell, ...(own && { own }) });
  }
  // What a branch left behind falls off before the slots that are owed are in its place.
  for (let cell = length; cell < length + owed; cell += 1) cells.push({ kind: 'owed', at: cell });
  const before = story.rounds[moment.round];
  const after = story.rounds[moment.round + 1];
  const state = stateBytes(story.trace.info, which);
  const says = state ? words.cache.state : words.cache;
  const name =
    which === 0
      ? words.cache.target
      : round.draft_caches.length === 1
        ? words.cache.draft
        : clean(story.trace.info.draft_caches[which - 1].name);
  return {
    model: which ? 'draft' : 'target',
    name,
    length,
    cells,
    gap,
    lookup: [],
    note: noteOf(says, round, span, length, owed, gathers ? 'gather' : trim && 'trim'),
    label: says.cells({ model: name }),
    keeps: state ? 'state' : 'entries',
    more: says.more({
      state: bytes(state),
      size: slotBytes > 1 ? bytes(slotBytes * length) : null, // a layer without entries counts as one byte
      peak: Math.max((trim ? after : before).peak[which] ?? 0, length),
      wasted: (trim ? after : before).wasted[which] ?? 0,
    }),
  };
}

/**
 * What the caches hold while a beat is about them, null else: [{ model, name, length, gone, before, cells: [{
 * kind, at, text }], state }], the cells of the round and the last before it; before: how many more there are. state:
 * what became of a running state, see state.js; null where there is none.
 */
export function held(story, moment, strips) {
  if (moment.kind !== 'gather' && moment.kind !== 'trim') return null;
  const { trace } = story;
  const round = trace.rounds[moment.round];
  const spans = [round.target_cache, ...round.draft_caches];
  const stateAt = (which) => {
    const size = stateBytes(trace.info, which);
    const own = which > 0 && trace.info.draft_caches[which - 1].own_tokens;
    return size
      ? whatBecame(size, spans[which], {
          drafts: which > 0,
          guesses: round.verdicts.length,
          ms: which ? 0 : (round.timing.reread ?? 0),
          textAt: (cell) => (own || cell.at < 0 ? '' : cellText(story, moment, cell)),
        })
      : null;
  };
  return strips
    .filter(({ cells }) => cells)
    .map(({ model, name, length, cells }, which) => [
      { model, name, length, cells, which },
      Math.max(0, (cells.some(({ own }) => own) ? spans[which].before + 1 : round.position) - LEAD),
    ])
    .map(([{ model, name, length, cells, which }, from]) => ({
      model,
      name,
      length,
      gone: cells.filter(({ kind }) => kind === 'rolled-back').length,
      before: Math.min(from, length),
      cells: cells
        .filter(({ at }) => at >= from)
        .map((cell) => ({ ...cell, text: cellText(story, moment, cell) })),
      state: moment.kind === 'trim' ? stateAt(which) : null,
    }));
}

/**
 * What a cell holds, in words: the token at that position of the text, kept or still a guess. A drafter may
 * read guesses that it does not keep.
 */
export function cellTitle(story, moment, cell) {
  return words.cache.title({
    position: cell.at,
    token: cellText(story, moment, cell),
    state: words.cache.cell[cell.kind],
  });
}

function cellText({ trace, text }, { round: index }, { kind, at, own }) {
  if (own) return '…'; // which one the trace does not say
  const { position, verdicts, scouts = [] } = trace.rounds[index];
  const guess = kind === 'committed' ? null : [...verdicts, ...scouts][at - position];
  if (guess) return show(guess.text);
  return (at < position || kind === 'committed' ? text[at]?.text : null) ?? '…';
}

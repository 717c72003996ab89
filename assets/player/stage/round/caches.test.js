import assert from 'node:assert/strict';
import { test } from 'node:test';
import { show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { fresh } from '../../../../tests/golden/files.js';
import { everywhere } from '../../../../tests/golden/scenes.js';
import { storyOf } from '../../trace/story.js';
import { tell } from '../../words/words.js';
import { scene } from '../scene.js';

test('a cache shows as many cells as its length, and what the trim took', () => {
  everywhere(({ caches }, { kind }, round) => {
    if (kind === 'rest') return;
    const spans = [round.target_cache, ...round.draft_caches];
    caches.forEach(({ cells, gap, length }, index) => {
      if (cells === null) {
        assert.equal(spans[index], undefined);
        return;
      }
      const count = (...kinds) => cells.filter((cell) => kinds.includes(cell.kind)).length;
      assert.equal(count('committed', 'speculative', 'kept') + gap, length);
      if (kind === 'trim') assert.equal(count('rolled-back'), spans[index].written - spans[index].kept);
      else assert.equal(count('rolled-back', 'owed'), 0);
    });
  });
});

test('a cell says which token it holds, kept ones those of the text, the others the guesses', () => {
  everywhere(({ caches, cellTitle }, beat, { position, verdicts, scouts = [] }, trace, { text }) => {
    if (beat.kind === 'rest') return;
    const [foreign] = trace.info.draft_caches.map((cache) => cache.own_tokens);
    for (const { cells } of foreign ? caches.slice(0, 1) : caches) {
      for (const cell of cells ?? []) {
        const guess = cell.kind !== 'committed' && [...verdicts, ...scouts][cell.at - position];
        const token =
          cell.kind === 'committed' || cell.at < position
            ? text[cell.at].text
            : guess
              ? show(guess.text)
              : '…';
        assert.ok(cellTitle(cell).startsWith(`${cell.at}: ${token}, `));
      }
    }
  });
});

test('a drafter without a cache shows the tokens before its guess, those that its evidence counts in brackets', () => {
  const counts = new Set();
  everywhere(({ caches: [, draft], focus }, { kind, slot }, { position, verdicts }, _, { text }) => {
    const at = Math.min(focus, kind === 'draft' ? slot : verdicts.length - 1);
    if (draft.cells || at < 0 || kind === 'rest') return;
    const pieces = draft.lookup.map((piece) => (piece.state ? piece.text : { sign: piece.text }));
    const [signs, tokens] = [pieces.filter(({ sign }) => sign), pieces.filter(({ sign }) => !sign)];
    const read = [
      ...text.slice(0, position).map((token) => token.text),
      ...branchOf({ verdicts }, at).map((node) => show(verdicts[node].text)),
    ];
    assert.deepEqual(tokens, read.slice(-tokens.length));
    const used = verdicts[at].source.counts?.context ?? 0;
    assert.equal(signs.map(({ sign }) => sign).join(''), used ? '[]→' : '→');
    if (used)
      assert.equal(
        pieces.findIndex(({ sign }) => sign === ']') - pieces.findIndex(({ sign }) => sign === '[') - 1,
        used,
      );
    assert.ok(draft.note.includes(tell(verdicts[at].source.words)));
    counts.add(used);
  });
  assert.ok(counts.size > 2);
});

test('the cache lengths are the recorded ones at the first beat, the verify and the trim', () => {
  everywhere(({ caches: [target, draft] }, { kind }, { target_cache: t, draft_caches: [d = null] }) => {
    if (kind === 'draft') assert.equal(target.length, t.before);
    if (kind === 'verify') assert.deepEqual([target.length, draft.length], [t.written, d && d.written]);
    if (kind === 'trim') assert.deepEqual([target.length, draft.length], [t.kept, d && d.kept]);
  });
});

test('after a round in which everything was kept the drafter owes the slot of its last guess', () => {
  let seen = 0;
  everywhere(({ caches: [, draft] }, { kind }, { verdicts, path, extra, draft_caches: [span] }, { info }) => {
    if (kind !== 'trim' || !span || !verdicts.length || info.draft_caches[0].own_tokens) return;
    if (verdicts[0].source.who === 'prompt-lookup') return; // what was copied the draft model reads later
    // its last guess was not fed back
    const full = extra && path.length && !verdicts.some(({ parent }) => parent === path.at(-1));
    const owed = draft.cells.filter((cell) => cell.kind === 'owed').length;
    if (full && info.traits.shape === 'tree')
      assert.ok(owed <= 1); // it may have read a guess whose children it did not keep
    else assert.equal(owed, full ? 1 : 0);
    seen += full ? 1 : 0;
  });
  assert.ok(seen > 0);
});

test('a cache of tokens of another tokenizer says none of the text’s, and is behind by none', () => {
  const trace = fresh();
  const { length } = trace.rounds;
  trace.info.draft_caches[0].own_tokens = true;
  const story = storyOf(trace);
  const trims = story.beats.flatMap(({ kind }, at) => (kind === 'trim' ? [scene(story, at)] : []));
  assert.equal(trims.length, length);
  trims.forEach(({ held: [target, draft], cellTitle }, index) => {
    const { written, kept } = trace.rounds[index].draft_caches[0];
    assert.ok(target.cells.every(({ text }) => text !== '…'));
    assert.ok(draft.cells.every(({ text, kind }) => text === '…' && kind !== 'owed'));
    assert.equal(draft.gone, written - kept);
    assert.match(cellTitle(draft.cells[0]), /: …, /);
  });
});

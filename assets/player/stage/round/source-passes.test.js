import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { show } from '../../base/format.js';
import { storyOf } from '../../trace/story.js';
import { scene } from '../scene.js';

/** Calls look(picture, { round, rounds, node, kind, line }) at every beat of a run that has a source. */
function everywhere(name, look) {
  const url = new URL(`../../../traces/${name}.json`, import.meta.url);
  const story = storyOf({ ...JSON.parse(readFileSync(url, 'utf-8')), live: false });
  const { rounds } = story.trace;
  let seen = 0;
  story.beats.forEach((beat, at) => {
    const { source, focus: node } = scene(story, at);
    if (!source) return;
    seen += 1;
    const line = source.line.map((piece) => piece.text ?? piece).join('');
    look(source.picture, { round: rounds[beat.round], rounds, node, kind: beat.kind, line });
  });
  assert.ok(seen > 10, name);
}

test('a row holds what its pass read, and what stood still since the pass before is framed', () => {
  let framed = 0;
  everywhere('code-jacobi', ({ kind, rows, places }, { round, rounds }) => {
    assert.equal(kind, 'passes');
    assert.deepEqual(
      rows.map(({ now }) => now),
      rows.map((_, at) => at === rows.length - 1),
    );
    const before = rounds[round.index - 1];
    const read = new Map(
      (before?.verdicts ?? []).map(({ depth, text }) => [before.position + depth, show(text)]),
    );
    for (const { at, text, still } of rows.at(-1).cells) {
      assert.equal(text, show(round.verdicts[places[at] - round.position].text));
      assert.equal(still, read.get(places[at]) === text);
      framed += still;
    }
  });
  assert.ok(framed > 5);
});

test('one pass reads the window and the groups it checks, each token in one of them', () => {
  const lines = new Set();
  everywhere('code-lookahead', ({ kind, window: ahead, check }, { round, node, kind: beat, line }) => {
    assert.equal(kind, 'window');
    lines.add(line.replaceAll(/“.*”|\d+/g, '…'));
    assert.deepEqual(
      ahead.rows.flatMap(({ cells }) => cells.map(({ text }) => text)),
      (round.scouts ?? []).map(({ text }) => show(text)),
    );
    const { verdicts } = round;
    const leaves = verdicts.filter((_, at) => verdicts.every(({ parent }) => parent !== at));
    assert.equal(check.groups.length, Math.min(5, leaves.length));
    assert.equal(check.note === '', leaves.length > 0);
    if (beat === 'draft')
      assert.ok(
        check.groups.some((group) => group.cells.some(({ text }) => text === show(verdicts[node].text))),
      );
  });
  assert.ok(
    [...lines].some((line) => line.includes('window')) &&
      [...lines].some((line) => /begins? with/.test(line)),
  );
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { show } from '../../base/format.js';
import { scene } from '../scene.js';
import { storyOf } from '../../trace/story.js';
import { momentOf } from '../../trace/moment.js';
import { isChain } from '../../trace/timeline.js';
import { headsOf } from './heads.js';

const load = (name) =>
  storyOf({
    ...JSON.parse(readFileSync(new URL(`../../../traces/${name}.json`, import.meta.url), 'utf-8')),
    live: false,
  });
const PASSED = [
  'verify',
  'dart',
  'verdict',
  'adjust',
  'residual',
  'replace',
  'bonus',
  'join',
  'gather',
  'trim',
];

/** Every moment of a run with its picture. */
function everywhere(name, look) {
  const story = load(name);
  let seen = 0;
  story.beats.forEach((beat, at) => {
    const { focus, mask } = scene(story, at);
    const round = story.trace.rounds[beat.round];
    const heads = headsOf(story, round, momentOf(story.trace, beat), focus);
    assert.equal(heads !== null, round.verdicts.length > 0);
    if (!heads || ['rest', 'result'].includes(beat.kind)) return;
    seen += 1;
    look(heads, { round, beat, focus, mask, story });
  });
  assert.ok(seen > 20);
}

test('without heads on the target there is no such picture', () => {
  const story = load('tale-small-model');
  const [round] = story.trace.rounds;
  assert.equal(headsOf(story, round, momentOf(story.trace, story.beats[1]), 0), null);
});

for (const name of [
  'tale-medusa',
  'code-medusa',
  'code-hydra',
  'tale-dflash',
  'code-dflash',
  'tale-eagle',
  'code-eagle',
]) {
  test(`${name}: a guess stands two places behind what its head was shown last; what a pass tells waits for it`, () => {
    everywhere(name, ({ rows, columns, reads, says, foot, value }, { round, beat, focus, story }) => {
      const { position, verdicts } = round;
      assert.ok(rows.length > 0 && rows.length <= 7 && columns.length === rows.length + 2);
      assert.ok(rows.filter((row) => row.focus).length <= 1);
      for (const { node, text, state, read, tokens, out, goal, says: aloud, focus: here } of rows) {
        if (node !== null) assert.equal(columns[goal].position, position + verdicts[node].depth);
        if (state !== null) assert.equal(text, show(verdicts[node].text));
        if (here) assert.equal(verdicts[node].depth, verdicts[focus].depth);
        assert.ok(
          aloud.includes(`position ${columns[goal].position}`) &&
            read.at < goal &&
            tokens.every((at) => at < goal),
        );
        if (reads === 'imagined')
          assert.deepEqual(
            [columns[read.at].position + 2, out, tokens],
            [columns[goal].position, read.at + 1, [out]],
          );
        else
          assert.deepEqual(
            [columns[read.at].position, columns[1].text],
            [position - 2, story.text[position - 1].text],
          );
      }
      if (!PASSED.includes(beat.kind))
        assert.deepEqual([value, rows.filter((row) => row.value !== null)], ['', []]);
      assert.ok([...says, ...foot].every((sentence) => !/undefined|NaN|null/.test(sentence)));
    });
  });
}

test('a head of hydra knows the guesses before it, one of medusa does not; a blank knows the others are blank', () => {
  everywhere('code-hydra', ({ rows }) =>
    rows.forEach(({ tokens, goal }) => assert.equal(tokens.length, goal - 1)),
  );
  everywhere('tale-medusa', ({ rows }) => rows.forEach(({ tokens }) => assert.deepEqual(tokens, [1])));
  everywhere('tale-dflash', ({ rows }) =>
    rows.forEach(({ tokens, blanks }) => assert.deepEqual([tokens, blanks.length], [[1], rows.length])),
  );
});

test('the likeness of an imagined state is the recorded one of the place that its guess was read off', () => {
  let shown = 0;
  everywhere('tale-eagle', ({ rows, detail, value }, { round, beat }) => {
    assert.ok(isChain(round));
    if (beat.kind !== 'trim') return;
    assert.equal(value, 'likeness');
    rows.forEach(({ value: likeness }, depth) => assert.equal(likeness, round.imagined[depth].likeness));
    if (!detail) return;
    shown += 1;
    assert.ok(
      detail.pair.own.length === detail.pair.true.length &&
        [...detail.pair.own, ...detail.pair.true].every((share) => Math.abs(share) <= 1),
    );
  });
  assert.ok(shown > 5);
});

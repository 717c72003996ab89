import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { storyOf } from '../../trace/story.js';
import { scene } from '../scene.js';

/** Calls look(picture, { round, node, kind, line, story }) at every beat of a run that has a source. */
function everywhere(name, look) {
  const url = new URL(`../../../traces/${name}.json`, import.meta.url);
  const story = storyOf({ ...JSON.parse(readFileSync(url, 'utf-8')), live: false });
  let seen = 0;
  story.beats.forEach((beat, at) => {
    const { source, focus: node } = scene(story, at);
    if (!source) return;
    seen += 1;
    const round = story.trace.rounds[beat.round];
    const line = source.line.map((piece) => piece.text ?? piece).join('');
    assert.doesNotMatch(line, /undefined|null|NaN/);
    look(source.picture, { round, node, kind: beat.kind, line, story });
  });
  assert.ok(seen > 10, name);
}

const guessOf = ({ best }) => best.filter(({ guess }) => guess).map(({ text }) => text);

test('every head reads the one state, and the guess lands in the row of its head', () => {
  everywhere('tale-medusa', ({ kind, rows }, { round, node, story }) => {
    assert.equal(kind, 'heads');
    assert.equal(rows.length, story.trace.info.heads.places);
    assert.ok(rows.every(({ fed }) => fed === null));
    const { depth, text } = round.verdicts[node];
    assert.deepEqual(
      rows.map(({ focus }) => focus),
      rows.map((_, place) => place === depth),
    );
    assert.deepEqual(guessOf(rows[depth]), [show(text)]);
    assert.deepEqual(rows.slice(depth + 1).flatMap(guessOf), [], 'what is not guessed yet is not given away');
  });
});

test('a head of hydra is fed the guesses before its own, and waits for them', () => {
  everywhere('code-hydra', ({ kind, rows }, { round, node }) => {
    assert.equal(kind, 'fed');
    const branch = branchOf(round, node).map((at) => show(round.verdicts[at].text));
    rows.forEach(({ fed, best, note }, place) => {
      assert.deepEqual(fed, place < branch.length ? branch.slice(0, place) : []);
      assert.equal(best.length === 0, note !== '');
    });
  });
});

for (const name of ['tale-eagle', 'tale-mtp']) {
  test(`${name}: a step reads the state imagined before it; the check sets the target's own beside each`, () => {
    everywhere(name, (picture, { round, kind }) => {
      if (!round.verdicts.length) return;
      assert.equal(picture.kind, 'imagined');
      assert.equal(picture.into, name.endsWith('mtp') ? 'block' : '');
      const checked = kind === 'verify';
      picture.rows.forEach(({ name: step, reads, own, true: known, cosine }) => {
        assert.equal(reads, step.endsWith(' 1') ? 'true' : 'imagined');
        assert.deepEqual([known !== null, cosine !== ''], [checked, checked]);
        assert.ok(own.every((share) => Math.abs(share) <= 1));
      });
      if (!checked) return;
      const told = picture.rows.map(({ cosine }) => Number(/[\d.]+$/.exec(cosine)[0]));
      const recorded = round.imagined.map(({ likeness }) => likeness);
      assert.ok(told.every((value) => recorded.some((each) => Math.abs(each - value) < 0.006)));
    });
  });
}

test('a blank a column, the blanks that guess nothing counted', () => {
  everywhere('tale-dflash', ({ kind, columns, more }, { round, node, story }) => {
    assert.equal(kind, 'blanks');
    const left = story.trace.info.heads.places - columns.length;
    assert.equal(more === '', left === 0);
    if (left) assert.ok(more.includes(String(left)));
    const { depth, text } = round.verdicts[node];
    assert.deepEqual(columns.flatMap(guessOf).at(-1), show(text));
    assert.deepEqual(
      columns.findIndex(({ focus }) => focus),
      depth,
    );
  });
});

test('what a head rates highest is in the order of q, and a guess that is none of it comes last', () => {
  everywhere('tale-medusa', ({ rows }) =>
    rows.forEach(({ best }) => {
      const rated = best.filter(({ far }) => !far).map(({ share }) => share);
      assert.deepEqual(
        rated,
        [...rated].sort((one, other) => other - one),
      );
      assert.ok(best.slice(0, -1).every(({ far }) => !far));
    }),
  );
});

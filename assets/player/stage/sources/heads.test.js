import assert from 'node:assert/strict';
import test from 'node:test';
import { show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { golden } from '../../../../tests/golden/traces.js';
import { storyOf } from '../../trace/story.js';
import { spoken } from '../round/say.js';
import { scene } from '../scene.js';

/** Calls look(picture, { round, rounds, node, kind, line, story }) at every beat of a run that has a source. */
function everywhere(name, look) {
  const story = storyOf(golden(name));
  const { rounds } = story.trace;
  let seen = 0;
  story.beats.forEach((beat, at) => {
    const { source, focus: node } = scene(story, at);
    if (!source) return;
    seen += 1;
    const line = spoken(source.line);
    assert.doesNotMatch(line, /undefined|null|NaN/);
    look(source.picture, { round: rounds[beat.round], rounds, node, kind: beat.kind, line, story });
  });
  assert.ok(seen > 10, name);
}

const guessOf = ({ cells }) => cells.filter(({ guess }) => guess).map(({ text }) => text);

test('every head reads the one state, and the guess lands in the row of its head', () => {
  everywhere('tale-medusa', ({ kind, ribbon, rows }, { round, node, story }) => {
    assert.equal(kind, 'heads');
    const { heads, target } = story.trace.info;
    assert.equal(ribbon.rows[0].cells.length, target.layers + heads.places);
    assert.equal(rows.length, story.trace.info.heads.places);
    assert.ok(rows.every(({ note }) => !note));
    const { depth, text } = round.verdicts[node];
    assert.deepEqual(
      rows.map(({ now }) => now),
      rows.map((_, place) => place === depth),
    );
    assert.deepEqual(guessOf(rows[depth]), [show(text)]);
    assert.deepEqual(rows.slice(depth + 1).flatMap(guessOf), [], 'what is not guessed yet is not given away');
  });
});

test('what a head rates highest is in the order of q, and a guess that is none of it comes last', () => {
  everywhere('tale-medusa', ({ rows }) =>
    rows.forEach(({ cells }) => {
      const rated = cells.filter(({ look }) => look !== 'far').map(({ share }) => share);
      assert.deepEqual(
        rated,
        [...rated].sort((one, other) => other - one),
      );
      assert.ok(cells.slice(0, -1).every(({ look }) => look !== 'far'));
    }),
  );
});

test('a head of hydra is fed the guesses before its own, and waits for them', () => {
  everywhere('code-hydra', ({ rows }, { round, node }) => {
    const branch = branchOf(round, node).map((at) => show(round.verdicts[at].text));
    rows.forEach(({ note, cells, end }, place) => {
      assert.equal(note, place < branch.length ? branch.slice(0, place).join('') : '');
      assert.equal(cells.length === 0, end !== '');
    });
  });
});

for (const name of ['tale-eagle', 'tale-mtp'])
  test(`${name}: a step reads the state imagined before it; the check sets the target's own beside each`, () => {
    everywhere(name, (picture, { round, kind }) => {
      if (!round.verdicts.length) return;
      const checked = kind === 'verify';
      picture.rows.forEach(({ name: step, mark, states, end }) => {
        assert.equal(mark, step.endsWith(' 1') ? 'true' : 'imagined');
        assert.deepEqual([states.true !== null, end !== ''], [checked, checked]);
        assert.ok(states.own.every((share) => Math.abs(share) <= 1));
      });
      if (!checked) return;
      const told = picture.rows.map(({ end }) => Number(/[\d.]+$/.exec(end)[0]));
      const recorded = round.imagined.map(({ likeness }) => likeness);
      assert.ok(told.every((value) => recorded.some((each) => Math.abs(each - value) < 0.006)));
    });
  });

test('a blank a row, the blanks that guess nothing counted', () => {
  everywhere('tale-dflash', ({ kind, rows, key }, { round, node, story }) => {
    assert.equal(kind, 'blanks');
    const left = story.trace.info.heads.places - rows.length;
    assert.equal(key.length === 1, left === 0);
    if (left) assert.ok(key.at(-1).includes(String(left)));
    const { depth, text } = round.verdicts[node];
    assert.deepEqual(rows.flatMap(guessOf).at(-1), show(text));
    assert.deepEqual(
      rows.findIndex(({ now }) => now),
      depth,
    );
  });
});

test('a row holds what its pass read, and what stood still since the pass before is framed', () => {
  let framed = 0;
  everywhere('code-jacobi', ({ rows }, { round, rounds }) => {
    const [places, now, ...past] = [...rows].reverse();
    assert.deepEqual([now.now, past.some((row) => row.now)], [true, false]);
    const before = rounds[round.index - 1];
    const read = new Map(
      (before?.verdicts ?? []).map((each) => [before.position + each.depth, show(each.text)]),
    );
    for (const { at, text, look } of now.cells) {
      const place = Number(places.cells[at].text);
      assert.equal(text, show(round.verdicts[place - round.position].text));
      assert.equal(look === 'still', read.get(place) === text);
      framed += look === 'still';
    }
  });
  assert.ok(framed > 5);
});

test('one pass reads the window and the groups it checks, each token in one of them', () => {
  const lines = new Set();
  everywhere('code-lookahead', ({ rows, beside }, { round, node, kind: beat, line }) => {
    lines.add(line.replaceAll(/“.*”|\d+/g, '…'));
    assert.deepEqual(
      rows.flatMap(({ cells }) => cells.map(({ text }) => text)),
      (round.scouts ?? []).map(({ text }) => show(text)),
    );
    const { verdicts } = round;
    const leaves = verdicts.filter((_, at) => verdicts.every(({ parent }) => parent !== at));
    assert.equal(beside.rows.length, Math.min(5, leaves.length));
    assert.equal(beside.key === '', leaves.length > 0);
    if (beat === 'draft')
      assert.ok(
        beside.rows.some(({ cells }) => cells.some(({ text }) => text === show(verdicts[node].text))),
      );
  });
  assert.ok(
    [...lines].some((line) => line.includes('window')) &&
      [...lines].some((line) => /begins? with/.test(line)),
  );
});

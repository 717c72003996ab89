import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatOf, sceneOf } from '../../../../tests/golden/scenes.js';
import { column, golden } from '../../../../tests/golden/traces.js';
import { passedOver, stateOf, momentOf, under } from '../../trace/moment.js';
import { storyOf } from '../../trace/story.js';
import { offeredOf, placesOf, realStay, testedOf } from '../../trace/timeline.js';
import { acceptedOf } from '../../tabs/race/sums-slots.js';
import { positionOf } from '../../tabs/losslessness/sums-here.js';
import { turned } from './nodes.js';
import { scene } from '../scene.js';
import { rowBeside } from './mask.js';
import { asText, why } from './why.js';

const [tree, points] = [golden('tree'), golden('points')];

test('siblings are tested as they were drawn, place by place down the path, and nothing else is', () => {
  assert.deepEqual(tree.rounds.map(testedOf), [
    [0, 1, 3, 4, 5],
    [0, 2],
  ]);
  assert.deepEqual(
    placesOf(tree.rounds[0]).map(({ node, verdict }) => [node, verdict]),
    [
      [1, 'accepted'],
      [4, 'accepted'],
      [5, 'rejected'],
    ],
  );
  assert.deepEqual(tree.rounds.map(offeredOf), [3, 2]);
  const { all, slots } = acceptedOf(tree.rounds);
  assert.deepEqual([all.part, all.whole, slots.length], [4, 5, 3]);
});

test('a guess that was passed over says why: its parent went, or a sibling stands in its place', () => {
  assert.deepEqual(under(tree.rounds[0], 0), [2]);
  assert.deepEqual(passedOver(tree.rounds[0], 2), { refused: 0, kept: null });
  assert.deepEqual(passedOver(tree.rounds[1], 1), { refused: null, kept: 0 });
  const story = storyOf(tree);
  const last = story.beats.length - 1;
  assert.match(asText(why(story, last, { round: 0, slot: 2 })), /a guess before it was rejected/);
  assert.match(asText(why(story, last, { round: 1, slot: 1 })), /another guess was accepted in its place/);
});

test('a refused guess with a sibling left is told so, and the last one refused is replaced', () => {
  const story = storyOf(tree);
  const said = (kind, slot) => sceneOf(story, kind, { round: 0, slot }).said;
  assert.equal(
    said('verdict', 0),
    '“cat” is rejected, with the guess after it. Next: another for its place.',
  );
  assert.equal(
    said('verdict', 5),
    '“off” is rejected, the last after “ran”. The target draws from what is left.',
  );
  const replaced = sceneOf(story, 'replace', { round: 0 });
  const own = replaced.tree.nodes.find(({ kind }) => kind === 'own');
  assert.deepEqual([own.parent, own.column], [4, 3]);
  for (const kind of ['draft', 'verify', 'dart', 'gather', 'trim']) {
    const coming = sceneOf(story, kind, { round: 0 }).tree.nodes[6];
    assert.deepEqual([coming.parent, coming.column], [4, 3], 'the token to come has its place');
    assert.equal(coming.state !== null, kind === 'gather' || kind === 'trim');
  }
  assert.deepEqual(
    column(sceneOf(story, 'verify', { round: 0 }).tree.nodes.slice(0, 6), 'order'),
    [1, 2, 1, 1, 2, 1],
    'among siblings',
  );
  assert.ok(Math.abs(replaced.ruler.segments.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
  assert.equal(story.beats[beatOf(story, 'residual', { round: 0 })].slot, 5);
  assert.deepEqual(
    tree.rounds[0].verdicts.map((_, node) =>
      stateOf(tree.rounds[0], momentOf(tree, { round: 0, kind: 'verdict', slot: 3 }), node),
    ),
    ['rejected', 'accepted', 'untested', 'rejected', 'draft', 'draft'],
    'what comes after in time is still a guess, what hangs on the refused one is gone',
  );
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6].map((slot) => positionOf(story, 0, slot)),
    [0, 0, 1, 1, 1, 2, 2],
  );
});

test('γ is how deep a tree went, and a bonus behind a branch does not say that all guesses stood', () => {
  const story = storyOf(tree);
  assert.equal(sceneOf(story, 'trim', { round: 0 }).foot.gamma, 'γ 3, accepted 2');
  assert.match(sceneOf(story, 'bonus', { round: 1 }).said, /ends its branch/);
});

test('a sibling waits until those before it are refused, then stands against what they left of p', () => {
  const story = storyOf(tree);
  const early = scene(story, beatOf(story, 'dart', { round: 0, slot: 0 }), 1);
  assert.deepEqual(
    [early.figure.mode, early.sum[0].label],
    ['q', 'Tested only if the guess before it in the same place is rejected.'],
  );
  const adjusted = sceneOf(story, 'adjust', { round: 0, slot: 1 });
  assert.equal(adjusted.figure.primed, true);
  assert.match(adjusted.said, /the rest grows ×3.33: “dog” has 0.500/);
  assert.ok(
    Math.abs(adjusted.figure.rows.find(({ drafted }) => drafted).p - tree.rounds[0].verdicts[1].p) < 1e-9,
  );
  assert.equal(adjusted.figure.rows.find(({ token }) => token === 2).was, 0.4);
  const [first, second] = sceneOf(story, 'dart', { round: 0, slot: 1 }).tree.trial.tries;
  assert.deepEqual(
    [first.state, first.says, second.now, second.says],
    ['rejected', ['0.400'], true, ['1.00']],
  );
});

test('the kept slots are gathered before the others go, where they lie apart', () => {
  const story = storyOf(tree);
  const { caches, said, tree: drawn } = sceneOf(story, 'gather');
  const [target] = caches;
  assert.deepEqual(
    target.cells.filter(({ kind }) => kind === 'kept').map(({ at: slot }) => slot),
    [3, 6],
  );
  assert.match(said, /The kept slots 3, 6 move to 2–3; the other four go/);
  assert.deepEqual(column(drawn.nodes.slice(0, 6), 'slot'), [2, 3, 4, 5, 6, 7]);
  assert.ok(
    storyOf(golden('player-sampled')).beats.every(({ kind }) => kind !== 'gather'),
    'the path of a chain is in place',
  );
});

test('keys go to the parent, the child that was kept or the first, and to what stands beside', () => {
  const story = storyOf(tree);
  const { tree: drawn } = scene(story, story.rounds[1].beat - 1);
  const to = (from, key) => turned(drawn, from, `Arrow${key}`);
  assert.deepEqual(
    [to(1, 'Left'), to(1, 'Right'), to(4, 'Left'), to(4, 'Right'), to(0, 'Down'), to(1, 'Up'), to(0, 'Up')],
    [1, 4, 1, 6, 1, 0, 0],
  );
  assert.deepEqual(
    [to(2, 'Down'), to(3, 'Down'), to(4, 'Up')],
    [3, 4, 3],
    'from branch to branch within a depth',
  );
});

test('the real time of a tree is the run’s own, and so is a lookup’s that found nothing', () => {
  for (const trace of [tree, points]) {
    const story = storyOf(trace);
    const stayed = story.beats.reduce((sum, _, at) => sum + realStay(story, at, 'real1'), 0);
    assert.ok(Math.abs(stayed - story.rounds.at(-1).clock) < 1e-9);
  }
});

test('a chosen guess has no number that drew it, and stands by p alone', () => {
  const story = storyOf(points);
  const [drafted, thrown] = ['draft', 'dart'].map((kind) => sceneOf(story, kind));
  assert.equal(drafted.ruler.dart, null);
  assert.match(drafted.ruler.title, /Chosen, not drawn/);
  assert.match(drafted.said, /copied what followed/);
  assert.deepEqual(
    column(
      drafted.figure.rows.filter(({ q }) => q > 0),
      'q',
    ),
    [1],
  );
  assert.equal(thrown.ruler.segments[0].share, points.rounds[0].verdicts[0].p);
  const plain = sceneOf(story, 'bonus', { round: 1 });
  assert.match(plain.said, /one plain step of the target/);
  assert.doesNotMatch(plain.ruler.title, /guess/, 'there was none');
});

test('a tree whose every node has one child is the chain, beat for beat', () => {
  const chain = golden('player-sampled');
  const spine = structuredClone(chain);
  spine.info.traits.shape = 'tree';
  const [one, other] = [chain, spine].map(storyOf);
  assert.deepEqual(other.beats, one.beats);
  one.beats.forEach((_, at) =>
    assert.equal(JSON.stringify(scene(other, at)), JSON.stringify(scene(one, at))),
  );
});

test('the rows of the mask are walked in order, and each says what it sees; those still to come are passed by', () => {
  const story = storyOf(tree);
  const at = (kind, slot) => sceneOf(story, kind, { round: 0, slot }).mask;
  const verify = at('verify', null);
  assert.deepEqual(
    [1, -1, Infinity, -Infinity].map((way) => rowBeside(verify, way)),
    [1, 0, 5, 0],
  );
  assert.deepEqual(verify.rows.map(({ seen }) => seen).slice(0, 4), [
    'the text and itself',
    'the text and itself',
    'the text and itself',
    'the text, “cat”, and itself',
  ]);
  assert.match(verify.says, /sees the text and itself\. Position 2, slot 2\./);
  assert.deepEqual(
    [1, Infinity].map((way) => rowBeside(at('draft', 0), way)),
    [1, 1],
    'the first level has two',
  );
  const replaced = at('replace', 5);
  assert.deepEqual(
    [1, -1].map((way) => rowBeside(replaced, way)),
    [0, 5],
    'the target’s own token has no row',
  );
});

test('the last level of a tree says why it ends: halted, the text nearly full, or no more guesses fit', () => {
  const last = (trace, index) => {
    const story = storyOf(trace);
    return scene(
      story,
      story.beats.findLastIndex(({ round, kind }) => round === index && kind === 'draft'),
    ).said;
  };
  const [top, drawn] = ['branches-top', 'branches-drawn'].map(golden);
  assert.match(last(top, 0), /^Level 4: .* guess(es)?\. No more fit: at most 24 guesses per round\.$/);
  assert.match(last(top, 2), /No deeper: 3 left of the text's length\.$/);
  assert.match(last(drawn, 0), /^Level 6: one guess, continuing a guess before it\.$/);
  drawn.rounds[0].halt = { reason: 'q = 0.2 is below 0.4', signal: 0.2 };
  assert.match(last(drawn, 0), /^Level 6: one guess\. It stops here, as q = 0\.2 is below 0\.4\.$/);
});

test('where several drafters guess, letters say whose a guess is', () => {
  const mixed = golden('branches-drawn');
  assert.deepEqual(scene(storyOf(mixed), 1).tree.drafters, []);
  mixed.rounds[0].verdicts.forEach(
    (verdict, node) => (verdict.source = { ...verdict.source, who: node % 2 ? 'ngram' : 'small-model' }),
  );
  const { drafters, nodes } = scene(storyOf(mixed), 7).tree;
  assert.deepEqual(drafters, [
    ['s', 'small model'],
    ['n', 'n-gram'],
  ]);
  assert.deepEqual(column(nodes.slice(0, 2), 'letter'), ['s', 'n']);
  assert.match(nodes[1].label, / of n-gram, guess/);
});

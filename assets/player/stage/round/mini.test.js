import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mini, roundUnder } from './mini.js';
import { golden } from '../../../../tests/golden/traces.js';
import { storyOf } from '../../trace/story.js';

const story = storyOf(golden('tale-small-model'));
const shape = mini(story);
const path = (lane, kind) => shape[lane].paths.find((each) => each.kind === kind).d;

test('a place in the lanes is a place of the scrubber: each beat lies over its own round', () => {
  assert.equal(shape.width, story.beats.length - 1);
  story.beats.forEach(({ round }, at) => assert.equal(roundUnder(story, at), round));
  assert.equal(roundUnder(story, -1), 0);
  assert.equal(roundUnder(story, 1e6), story.trace.rounds.length - 1);
});

test('a block for each accepted guess and for each own token, a dash for each γ', () => {
  const { rounds } = story.trace;
  assert.equal(
    path('gamma', 'accepted').split('Z').length - 1,
    rounds.reduce((sum, round) => sum + round.path.length, 0),
  );
  assert.equal(path('gamma', 'own').split('Z').length - 1, rounds.filter(({ extra }) => extra).length);
  assert.equal(path('gamma', 'gamma').split('M').length - 1, rounds.length);
});

test('the length ends where the last cache does, and each roll-back is a stroke of its size', () => {
  const { rounds } = story.trace;
  const { low, height } = shape.cache;
  assert.equal(Number(path('cache', 'length').split(' ').at(-1)) + low, rounds.at(-1).target_cache.kept);
  assert.equal(height + low, Math.max(...rounds.map(({ target_cache: span }) => span.written)));
  const strokes = [...path('cache', 'gone').matchAll(/M\S+ (\S+)V([\d.]+)/g)].map(
    ([, from, to]) => from - to,
  );
  assert.deepEqual(strokes, rounds.map(({ target_cache: span }) => span.written - span.kept).filter(Boolean));
});

test('a long run draws one block a round, and a run without rounds none', () => {
  const long = {
    ...story.trace,
    rounds: Array.from({ length: 200 }, (_, index) => ({ ...story.trace.rounds[index % 20], index })),
  };
  const kept =
    mini(storyOf(long))
      .gamma.paths.find(({ kind }) => kind === 'accepted')
      .d.split('Z').length - 1;
  assert.ok(kept <= 200);
  assert.deepEqual(mini(storyOf({ ...story.trace, rounds: [] })).cache.paths, []);
});

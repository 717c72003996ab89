import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traces } from '../../../../tests/golden/traces.js';
import { raceOf } from '../../trace/race.js';
import { countUntil, momentsOf, neighbour, raceLanes, ticks } from './sums-lanes.js';
import { spent, storyOf } from '../../trace/story.js';

const raced = traces().filter(raceOf);
const sum = (values) => values.reduce((total, value) => total + value, 0);

test('both lanes are as long as what they are made of, and the axis as the longer one', () => {
  for (const trace of raced) {
    const { lanes, total } = raceLanes(storyOf(trace));
    assert.ok(Math.abs(lanes.speculative.end - sum(trace.race.rounds.map(spent))) < 1e-6);
    assert.ok(Math.abs(lanes.plain.end - sum(trace.race.passes)) < 1e-6);
    assert.equal(total, Math.max(lanes.speculative.end, lanes.plain.end));
  }
});

test('a round’s tokens come together at its end, a plain pass brings one', () => {
  for (const trace of raced) {
    const { speculative, plain } = raceLanes(storyOf(trace)).lanes;
    assert.equal(speculative.tokens.length, speculative.arrivals.length);
    speculative.tokens.forEach(({ at }, index) =>
      assert.equal(speculative.arrivals[index], speculative.steps[at.round]),
    );
    assert.deepEqual(
      plain.tokens.map(({ id }) => id),
      trace.race.tokens,
    );
    assert.deepEqual(plain.arrivals, plain.steps);
    assert.deepEqual(plain.passes.at(-1), trace.race.tokens.length);
    assert.ok(plain.tokens.every(({ text, label }) => !/[\u200b\u202e\x1b]/.test(text + label)));
  }
});

test('every pass is one bar that begins when the one before it ended, in a handful of paths', () => {
  for (const trace of raced) {
    const { speculative, plain } = raceLanes(storyOf(trace)).lanes;
    const bars = (lane, kind) =>
      lane.paths
        .find((path) => path.kind === kind)
        .d.split('M')
        .slice(1);
    assert.equal(
      bars(speculative, 'drafting').length,
      sum(trace.race.rounds.map(({ draft }) => draft.length)),
    );
    assert.equal(bars(speculative, 'verify').length, trace.race.rounds.length);
    assert.equal(bars(plain, 'plain').length, trace.race.passes.length);
    bars(plain, 'plain')
      .slice(1)
      .forEach((bar, index) => assert.ok(Math.abs(Number.parseFloat(bar) - plain.steps[index]) < 1e-3));
    const reads = trace.race.rounds.some(({ reread }) => reread); // a running state, again
    assert.equal(speculative.paths.length + plain.paths.length, reads ? 5 : 4);
  }
});

test('how many have come counts the moment itself', () => {
  assert.deepEqual(
    [-1, 0, 1, 2, 2.5, 9].map((at) => countUntil([1, 2, 2, 3], at)),
    [0, 0, 1, 3, 3, 4],
  );
  assert.equal(countUntil([], 5), 0);
});

test('a step goes to the next moment or the one before, and stays at the ends', () => {
  const moments = [1, 2, 4];
  assert.deepEqual(
    [0, 1, 3, 4, 5].map((at) => neighbour(moments, at, 1)),
    [1, 2, 4, 4, 5],
  );
  assert.deepEqual(
    [5, 4, 3, 1, 0.5, 0].map((at) => neighbour(moments, at, -1)),
    [4, 2, 2, 0, 0, 0],
  );
});

test('stepping through a race shows every token once', () => {
  const lanes = raceLanes(storyOf(raced[0]));
  const moments = momentsOf(lanes);
  let [at, seen] = [0, 0];
  while (neighbour(moments, at, 1) > at) {
    at = neighbour(moments, at, 1);
    seen += 1;
  }
  assert.equal(seen, moments.length);
  for (const { arrivals, tokens } of Object.values(lanes.lanes))
    assert.equal(countUntil(arrivals, at), tokens.length);
});

test('an axis has a few round numbers, whatever its length', () => {
  assert.deepEqual(ticks(399.6), [0, 50, 100, 150, 200, 250, 300, 350]);
  assert.deepEqual(ticks(2.4), [0, 0.5, 1, 1.5, 2]);
  for (const total of [0.01, 1, 7, 80, 456, 19_183, 1e6]) {
    const found = ticks(total);
    assert.ok(found.length > 2 && found.length <= 9 && found.at(-1) <= total, `${total}: ${found}`);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traces } from '../../../../tests/golden/traces.js';
import { raceOf } from '../../trace/race.js';
import { countUntil, momentsOf, neighbour, raceLanes } from './sums-lanes.js';
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

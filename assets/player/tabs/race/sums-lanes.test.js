import assert from 'node:assert/strict';
import { test } from 'node:test';
import { column, traces } from '../../../../tests/golden/traces.js';
import { raceOf } from '../../trace/race.js';
import { countUntil, momentsOf, neighbour, raceLanes } from './sums-lanes.js';
import { spent, storyOf } from '../../trace/story.js';
import { createClock } from './clock.js';
import { GAMMAS, pointsOf, sweepOf, verdictOf, wholeSweep } from './sums-sweep.js';

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
    assert.deepEqual(column(plain.tokens, 'id'), trace.race.tokens);
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

/** A clock over frames that come when the test says so. */
function clockOf(total) {
  const frames = { time: 1000, waiting: null };
  let moves = 0;
  const clock = createClock(
    {
      now: () => frames.time,
      next: (react) => {
        frames.waiting = react;
        return 7;
      },
      cancel: () => {
        frames.waiting = null;
      },
    },
    () => {
      moves += 1;
    },
  );
  const pass = (milliseconds) => {
    frames.time += milliseconds;
    const react = frames.waiting;
    frames.waiting = null;
    react?.();
  };
  clock.open(total);
  return { clock, pass, moves: () => moves };
}

test('a race opens on its end, plays from the start, and stops at the end', () => {
  const { clock, pass } = clockOf(100);
  assert.deepEqual([clock.at(), clock.playing()], [100, false]);
  clock.play();
  assert.deepEqual([clock.at(), clock.playing()], [0, true]);
  pass(40);
  assert.equal(clock.at(), 40);
  pass(90);
  assert.deepEqual([clock.at(), clock.playing()], [100, false]);
});

test('a slower race takes so many times longer, from where it stands', () => {
  const { clock, pass } = clockOf(100);
  clock.slow(10);
  clock.play();
  pass(200);
  assert.equal(clock.at(), 20);
  clock.slow(50);
  pass(500);
  assert.equal(clock.at(), 30);
});

test('a paused race stays where it is and goes on from there', () => {
  const { clock, pass, moves } = clockOf(100);
  clock.play();
  pass(30);
  clock.pause();
  const before = moves();
  pass(500);
  assert.deepEqual([clock.at(), moves()], [30, before]);
  clock.play();
  pass(5);
  assert.equal(clock.at(), 35);
});

const cell = (gamma, plain, took) => ({
  config: { gamma },
  plain,
  draft: took / 4,
  verify: took / 2,
  rest: took / 4,
});

test('a sweep asks for every γ with three seeds, and is whole when all came', () => {
  const over = sweepOf({ seed: 1, max_new_tokens: 200 });
  assert.equal(over.length, 3 * GAMMAS.length);
  assert.deepEqual([over[0].gamma, over[0].seed, over.at(-1).seed], [0, 1, 3]);
  assert.ok(over.every(({ max_new_tokens: length }) => length === 64));
  assert.ok(!wholeSweep(over.slice(1)));
  assert.ok(wholeSweep(over));
});

test('the race of the run on stage is the measurement of its γ, so no second number stands for it', () => {
  const cells = [cell(0, 10, 10), cell(4, 30, 10), cell(4, 10, 10), cell(8, 20, 10)];
  const [none, four] = pointsOf(cells);
  assert.deepEqual([none.speedup.mean, four.speedup, four.runs], [1, { mean: 2, low: 1, high: 3 }, 2]);
  const raced = { gamma: 4, speedup: 1.9, low: 1.8, high: 2.1, laps: 3 };
  assert.deepEqual(pointsOf(cells, raced)[1], {
    gamma: 4,
    runs: 3,
    speedup: { mean: 1.9, low: 1.8, high: 2.1 },
  });
});

test('no γ is best alone where the range of another meets its own', () => {
  const point = (gamma, low, mean, high) => ({ gamma, runs: 3, speedup: { mean, low, high } });
  const close = verdictOf([point(0, 1, 1, 1), point(4, 1.5, 1.8, 2), point(12, 1.7, 2.5, 3)]);
  assert.deepEqual([close.best.map(({ gamma }) => gamma), close.beats], [[4, 12], true]);
  assert.deepEqual(column(close.worse, 'gamma'), [0]);
  assert.ok(!verdictOf([point(0, 1, 1, 1), point(4, 0.5, 0.6, 0.7)]).beats);
});

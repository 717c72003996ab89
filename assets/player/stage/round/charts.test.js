import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fresh } from '../../../../tests/golden/files.js';
import { chartsOf, ticksOf } from './charts.js';
import { mini, roundUnder } from './mini.js';
import { golden } from '../../../../tests/golden/traces.js';
import { storyOf } from '../../trace/story.js';

const trace = fresh();
const { rounds } = trace;
const [caches, gamma] = chartsOf(trace);
const values = ({ points }) => points.map(([, value]) => value);
const series = (chart, look) =>
  chart.panels.flatMap((panel) => panel.series).find((each) => each.look === look);
const every = (list, many, from) => list.filter((_, index) => index % many === from);
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

test('the caches rise by what a round writes, come back to zero, and the drafter’s are mirrored', () => {
  const written = rounds.map(({ target_cache: span }) => span.written - span.before);
  const kept = rounds.map(({ target_cache: span }) => span.kept - span.before);
  const drafted = rounds.map(({ draft_caches: [span] }) => span.before - span.written);
  const [up, down] = [values(series(caches, 'kept-target')), values(series(caches, 'gone'))];
  assert.deepEqual(every(up, 4, 1), kept);
  assert.ok([...every(up, 4, 0), ...every(up, 4, 3)].every((value) => value === 0));
  const half = down.filter((value) => value !== null).map((value) => value || 0);
  assert.deepEqual(every(half, 4, 1), [...written, ...drafted]);
  assert.ok(total(written) > total(kept));
  assert.match(caches.says, new RegExp(`${total(written) - total(kept)} rolled back`));
});

test('lengths climb to what is written and fall to what is kept; a drafter without a cache has none', () => {
  const lengths = rounds.flatMap(({ target_cache: { before, written, kept } }) => [before, written, kept]);
  assert.deepEqual(values(series(caches, 'length-target')), lengths);
  const alone = chartsOf({ ...trace, rounds: rounds.map((round) => ({ ...round, draft_caches: [] })) })[0];
  assert.deepEqual(
    alone.panels.flatMap((panel) => panel.series.map(({ look }) => look)),
    ['gone', 'kept-target', 'length-target'],
  );
});

test('every token is counted once', () => {
  const steps = (look) => every(values(series(gamma, look)).slice(1, -1), 2, 0);
  assert.deepEqual(
    steps('accepted'),
    rounds.map(({ path }) => path.length),
  );
  assert.deepEqual(
    steps('own'),
    rounds.map(({ path, extra }) => path.length + Number(extra !== null)),
  );
  assert.match(gamma.says, new RegExp(`${total(rounds.map(({ verdicts }) => verdicts.length))} guessed`));
});

test('a round is told with what moved γ, and why', () => {
  const budget = { ...rounds[0].budget, reason: 'all 4 accepted: 2 more', signal: 4 };
  const moved = {
    info: { ...trace.info, controller: 'heuristic' },
    rounds: rounds.map((round) => ({ ...round, budget })),
  };
  const chart = chartsOf(moved)[1];
  assert.deepEqual([...new Set(values(series(chart, 'signal')))], [4]);
  const told = chart.about(0);
  assert.match(told[0], /^γ, guessed: \d+ \(all 4 accepted: 2 more\)$/);
  assert.equal(told.at(-1), 'guesses accepted, last round: 4');
  const { before, written } = rounds[0].target_cache;
  assert.match(caches.about(0)[0], new RegExp(`^target: ${written - before} written`));
});

test('of a drafter that learns, α over the run is the picture', () => {
  const learn = (used) =>
    chartsOf({
      ...trace,
      rounds: rounds.map((round, index) => ({ ...round, learning: { updates: index, used: used(index) } })),
    })[0];
  const idle = learn((index) => index < 2);
  assert.equal(idle.panels[0].title, 'α over the run: nothing left to learn');
  assert.equal(learn(() => true).panels[0].title, 'α over the run, as the draft model learns');
  const tested = total(rounds.map(({ path, extra }) => path.length + Number(Number.isInteger(extra?.node))));
  assert.equal(values(series(idle, 'share')).at(-1), total(rounds.map(({ path }) => path.length)) / tested);
  assert.deepEqual(
    values(series(idle, 'unused')).map((value) => value === null),
    rounds.map((_, index) => index < 2),
  );
  assert.deepEqual(values(series(idle, 'updates')), [...rounds.keys()]);
});

test('ticks are round numbers, no more than asked for', () => {
  assert.deepEqual(ticksOf([0.5, 13.5], 10, true), [2, 4, 6, 8, 10, 12]);
  assert.deepEqual(ticksOf([-4.2, 5.3], 6, true), [-4, -2, 0, 2, 4]);
  assert.deepEqual(ticksOf([0, 0.31], 4, false), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(ticksOf([0.5, 1.5], 10, true), [1]);
});

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

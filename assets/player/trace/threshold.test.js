import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traces } from '../../../tests/golden/traces.js';
import { thresholdProblem } from './threshold.js';

const rounds = () =>
  traces()
    .filter(({ info }) => info.traits.rolls === 'threshold')
    .flatMap((trace) => trace.rounds.map((round) => [structuredClone(round), trace.info]));

test('a round under a threshold stands as it was recorded', () => {
  assert.ok(rounds().length > 20);
  for (const [round, info] of rounds()) assert.equal(thresholdProblem(round, info), null);
});

test('a verdict, a p, an entropy or a path that the search does not give is found', () => {
  const [round, info] = rounds().find(
    ([{ path, verdicts }]) => path.length > 1 && verdicts.some(({ verdict }) => verdict === 'rejected'),
  );
  const last = round.path.at(-1);
  const rejected = round.verdicts.findIndex(({ accept_prob: passes }) => passes === 0);
  const found = (change) => {
    const touched = structuredClone(round);
    change(touched);
    return thresholdProblem(touched, info)?.what;
  };
  assert.equal(
    found(({ verdicts }) => Object.assign(verdicts[last], { p: 1e-4 })),
    'decided',
  );
  assert.equal(
    found(({ verdicts }) => Object.assign(verdicts[rejected], { accept_prob: 1 })),
    'decided',
  );
  assert.equal(
    found(({ verdicts }) => Object.assign(verdicts[rejected], { entropy: 20 })),
    'decided',
  );
  assert.equal(
    found(({ verdicts }) => Object.assign(verdicts[rejected], { verdict: 'untested' })),
    'walk',
  );
  assert.equal(
    found(({ path }) => path.pop()),
    'walk',
  );
});

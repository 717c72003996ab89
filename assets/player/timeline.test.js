import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatsOf, extend, roundStep, still } from './timeline.js';
import { traces } from '../../tests/golden/traces.js';

const kinds = (round) => beatsOf(round, 0).map(({ kind, slot }) => (slot === null ? kind : `${kind} ${slot}`));
const round = (verdicts, path, emission) => ({
  verdicts: verdicts.map((verdict) => ({ verdict })), path, extra: emission && { emission },
});

test('a rejected round goes draft, verify, darts up to the refusal, resample, trim', () => {
  assert.deepEqual(kinds(round(['accepted', 'rejected', 'untested'], [0], 'resampled')),
    ['draft 0', 'draft 1', 'draft 2', 'verify', 'dart 0', 'verdict 0', 'dart 1', 'verdict 1', 'residual 1', 'trim']);
});

test('a round that keeps everything ends in a bonus, one that guesses nothing is a bonus only', () => {
  assert.deepEqual(kinds(round(['accepted'], [0], 'bonus')), ['draft 0', 'verify', 'dart 0', 'verdict 0', 'bonus 1', 'trim']);
  assert.deepEqual(kinds(round([], [], 'bonus')), ['verify', 'bonus 0', 'trim']);
});

test('a round whose text ends among the guesses has no token of the target\'s own', () => {
  assert.deepEqual(kinds(round(['accepted', 'untested'], [0], null)),
    ['draft 0', 'draft 1', 'verify', 'dart 0', 'verdict 0', 'trim']);
});

test('a live run extended round by round has the beats of the finished one', () => {
  for (const { rounds } of traces()) {
    const grown = [];
    rounds.forEach((_, index) => extend(grown, rounds.slice(0, index + 1)));
    assert.deepEqual(grown, extend([], rounds));
  }
});

test('a recording opens on a refusal whose replacement is still to come', () => {
  const { rounds } = traces().find(({ name }) => name === 'player-sampled.json');
  const beats = extend([], rounds);
  const at = still(beats, rounds);
  assert.equal(rounds[beats[at].round].verdicts[beats[at].slot].verdict, 'rejected');
  assert.deepEqual([beats[at].kind, beats[at + 1].kind], ['verdict', 'residual']);
});

test('stepping by round lands on first beats and stops at both ends', () => {
  const beats = [0, 0, 1, 1, 2].map((index) => ({ round: index }));
  assert.deepEqual([0, 1, 3, 4].map((at) => roundStep(beats, at, 1)), [2, 2, 4, 4]);
  assert.deepEqual([4, 3, 2, 0].map((at) => roundStep(beats, at, -1)), [2, 2, 0, 0]);
});

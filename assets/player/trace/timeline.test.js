import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extend, roundStep, spent, storyOf } from './story.js';
import { PACES, beatsOf, moving, passed, stay, still, teaches } from './timeline.js';
import { traces } from '../../../tests/golden/traces.js';

test('a story grown round by round is the story of the whole trace', () => {
  for (const trace of traces()) {
    const live = { ...trace, rounds: [] };
    const story = storyOf(live);
    for (const round of trace.rounds) {
      live.rounds.push(round);
      extend(story);
    }
    const whole = storyOf(trace);
    assert.deepEqual([story.beats, story.text, story.rounds], [whole.beats, whole.text, whole.rounds]);
  }
});

test('every round drafts, verifies once, judges what was tested, and trims last', () => {
  for (const { rounds } of traces()) {
    rounds.forEach((round, index) => {
      const kinds = beatsOf(round, index).map(({ kind }) => kind);
      assert.equal(kinds.filter((kind) => kind === 'verify').length, 1);
      assert.equal(kinds.filter((kind) => kind === 'draft').length, round.verdicts.length);
      assert.equal(kinds.filter((kind) => kind === 'verdict').length, round.verdicts.filter(({ verdict }) => verdict !== 'untested').length);
      assert.equal(kinds.at(-1), 'trim');
    });
  }
});

test('a recording opens on a rejection about to be resampled, where there is one', () => {
  for (const trace of traces()) {
    const { beats } = storyOf(trace);
    const { kind, round, slot } = beats[still(beats, trace.rounds)];
    const any = trace.rounds.some(({ verdicts }) => verdicts.some(({ verdict }) => verdict === 'rejected'));
    if (any) assert.equal(trace.rounds[round].verdicts[slot].verdict, 'rejected');
    else assert.equal(kind, 'verify');
  }
});

test('rounds are entered at their first beat and left at the ends of the run', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    story.beats.forEach(({ round }, at) => {
      const on = roundStep(story, at, 1);
      const back = roundStep(story, at, -1);
      assert.equal(on, round + 1 < trace.rounds.length ? story.rounds[round + 1].beat : story.beats.length - 1);
      assert.ok(back <= at && story.beats[back].kind !== 'trim');
    });
  }
});

test('a full round of five guesses takes about seven seconds to teach and under one to run fast', () => {
  const round = { verdicts: Array.from({ length: 5 }, () => ({ verdict: 'accepted' })), path: [0, 1, 2, 3, 4], extra: { emission: 'bonus' } };
  const beats = beatsOf(round, 0);
  const total = (pace) => beats.reduce((sum, beat) => sum + moving(beat, pace), 0);
  assert.equal(total('teach'), 7100);
  assert.ok(total('fast') < 1200);
});

test('a pace that teaches explains the first two rounds slowly and goes on faster', () => {
  const slow = moving({ kind: 'dart', round: 1 }, 'auto');
  assert.equal(slow, moving({ kind: 'dart', round: 9 }, 'teach'));
  assert.ok(moving({ kind: 'dart', round: 2 }, 'auto') < slow);
  assert.ok(teaches('auto', 1) && !teaches('auto', 2));
});

test('real time takes as long as the run took, and does not move', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    const took = trace.rounds.reduce((sum, { timing }) => sum + spent(timing), 0);
    for (const [pace, factor] of [['real1', 1], ['real20', 20]]) {
      const played = story.beats.reduce((sum, _, at) => sum + stay(story, at, pace), 0);
      const blind = trace.rounds.filter(({ verdicts, extra }) => !verdicts.length && !extra).length;
      if (!blind) assert.ok(Math.abs(played - factor * took) < 1e-6 * Math.max(1, played), `${trace.name}: ${played} and ${took}`);
      assert.equal(moving(story.beats[0], pace), 0);
    }
  }
  assert.ok(PACES.includes('real1'));
});

test('however late, playing skips no beat but at real pace, where it catches up', () => {
  const story = storyOf(traces().find(({ rounds }) => rounds.length > 3));
  assert.deepEqual(passed(story, 2, 'teach', 60000), { at: 3, left: stay(story, 3, 'teach') });
  assert.deepEqual(passed(story, 2, 'fast', 0), { at: 3, left: stay(story, 3, 'fast') });
  const took = [3, 4, 5].reduce((sum, at) => sum + stay(story, at, 'real1'), 0);
  assert.equal(passed(story, 2, 'real1', took + 1e-9).at, 6);
  assert.deepEqual(passed(story, story.beats.length - 1, 'teach', 5), { at: story.beats.length - 1, left: 0 });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extend, spent, storyOf } from './story.js';
import { PACES, beatsOf, isBlock, offeredOf, realStay } from './timeline.js';
import { traces } from '../../../tests/golden/traces.js';

test('a story grown round by round is the story of the whole trace', () => {
  for (const trace of traces()) {
    const live = { ...trace, rounds: [], stop: null };
    const story = storyOf(live);
    for (const round of trace.rounds) {
      live.rounds.push(round);
      extend(story);
      assert.equal(story.beats.at(-1).kind, 'trim', 'no result while rounds may still come');
    }
    live.stop = trace.stop;
    extend(story);
    const whole = storyOf(trace);
    assert.deepEqual([story.beats, story.text, story.rounds], [whole.beats, whole.text, whole.rounds]);
    const ends = whole.beats.flatMap(({ kind }, at) => (kind === 'result' ? [at] : []));
    assert.deepEqual(ends, [whole.beats.length - 1], 'a run ends with its result, once');
    assert.deepEqual([whole.beats.at(-1).round, whole.beats.at(-2).kind], [trace.rounds.length - 1, 'trim']);
  }
});

test('every round drafts, verifies once, judges what was tested, lets the text grow and trims last', () => {
  for (const { rounds } of traces()) {
    rounds.forEach((round, index) => {
      const kinds = beatsOf(round, index).map(({ kind }) => kind);
      assert.equal(kinds.filter((kind) => kind === 'verify').length, 1);
      assert.equal(
        kinds.filter((kind) => kind === 'draft').length,
        offeredOf(round),
        'a chain has a beat for each guess, a tree for each level',
      );
      assert.equal(
        kinds.filter((kind) => kind === 'verdict').length,
        isBlock(round)
          ? 1
          : round.verdicts.filter(
              ({ verdict, weight, u }) => verdict !== 'untested' && (weight === null || u !== null),
            ).length,
        'a block has one verdict',
      );
      const end = kinds.slice(kinds.indexOf('join'));
      assert.deepEqual(
        end.filter((kind) => kind !== 'gather'),
        ['join', 'trim'],
        'the text grows before the cache shrinks',
      );
    });
  }
});

test('what is left of p has a beat where the own token is drawn from it, and only there', () => {
  for (const { info, rounds } of traces()) {
    const drawn = info.config.temperature > 0 && info.rule === 'rejection';
    rounds.forEach((round, index) => {
      const kinds = beatsOf(round, index, drawn).map(({ kind }) => kind);
      assert.equal(
        kinds.includes('residual'),
        drawn && round.extra?.emission === 'resampled' && !round.extra.zero_residual,
      );
      assert.equal(kinds.includes('replace'), round.extra?.emission === 'resampled');
    });
  }
});

test('real time takes as long as the run took', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    const took = trace.rounds.reduce((sum, { timing }) => sum + spent(timing), 0);
    for (const [pace, factor] of [
      ['real1', 1],
      ['real20', 20],
    ]) {
      const played = story.beats.reduce((sum, _, at) => sum + realStay(story, at, pace), 0);
      const blind = trace.rounds.filter(({ verdicts, extra }) => !verdicts.length && !extra).length;
      if (!blind)
        assert.ok(
          Math.abs(played - factor * took) < 1e-6 * Math.max(1, played),
          `${trace.name}: ${played} and ${took}`,
        );
    }
  }
  assert.ok(PACES.includes('real1'));
});

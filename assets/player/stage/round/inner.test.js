import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evidence, innerOf } from './inner.js';
import { scene } from '../scene.js';
import { storyOf } from '../../trace/story.js';
import { traces } from '../../../../tests/golden/traces.js';

test('a cheaper drafter’s guess says whether the draft model took it, and by whom it was', () => {
  const guess = (token, said = '') => ({
    token: 5,
    source: { words: said, inner: { who: 'ngram', token, text: ' a\u202eb' } },
  });
  assert.deepEqual(innerOf(guess(5)), { text: '·a<U+202E>b', kept: true, says: 'n-gram guessed it' });
  assert.deepEqual(
    [innerOf(guess(6)).kept, evidence(guess(6))],
    [false, 'instead of “a<U+202E>b” by n-gram'],
  );
  assert.equal(evidence(guess(6, 'a sentence of its own')), 'a sentence of its own');
  assert.equal(innerOf({ token: 5, source: { words: '' } }), null);
});

test('the lane of a cascade shows the inner guesses of its guesses; labels tell of them', () => {
  const trace = traces().find(({ info }) => info.config.drafter === 'staged');
  const story = storyOf({ ...trace, rounds: trace.rounds.slice(0, 12) });
  const fates = new Set();
  story.beats.forEach(({ kind, round }, at) => {
    if (kind === 'rest') return;
    const { nodes } = scene(story, at).tree;
    trace.rounds[round].verdicts.forEach((verdict, slot) => {
      const { inner, state, label } = nodes[slot];
      assert.deepEqual(inner, state ? innerOf(verdict) : null);
      if (!inner) return;
      fates.add(`${state} ${inner.kept}`);
      assert.ok(label.endsWith(`, ${inner.says}`), label);
    });
  });
  assert.equal(fates.size, 8, 'every verdict of the target on every verdict of the draft model');
});

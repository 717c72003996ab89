import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headline, spoken } from './say.js';
import { storyOf } from '../../trace/story.js';
import { isChain } from '../../trace/timeline.js';
import { beatOf, everywhere } from '../../../../tests/golden/scenes.js';
import { golden, traces } from '../../../../tests/golden/traces.js';

test('every headline has at most fourteen words', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    story.beats.forEach((_, at) => {
      const said = spoken(headline(story, at));
      assert.ok(said.split(/\s+/u).length <= 14, said);
    });
  }
});

test('the guesses of a chain share one sentence', () => {
  for (const trace of traces().filter(({ rounds }) => rounds.every(isChain))) {
    const story = storyOf(trace);
    story.beats.forEach(({ kind, round }, at) => {
      if (kind === 'draft')
        assert.equal(spoken(headline(story, at)), spoken(headline(story, story.rounds[round].beat)));
    });
  }
});

test('the bar has a place for every beat, one of them now', () => {
  everywhere(({ bar }, { kind }) => {
    if (kind === 'rest') return assert.deepEqual(bar, []);
    assert.equal(bar.filter(({ state }) => state === 'now').length, 1);
    assert.deepEqual(
      bar.map(({ beat }) => beat),
      bar.map(({ beat }) => beat).sort((a, b) => a - b),
    );
  });
});

test('drafters that copy say so, and a token of any length leaves a sentence its room', () => {
  const trace = golden('player-sampled');
  trace.rounds[0].verdicts.forEach(({ source }) => {
    source.span = [0, 1];
  });
  assert.match(spoken(headline(storyOf(trace), 1)), /copied what followed/);
  everywhere(({ said }) => assert.ok(said.length < 140, said));
});

test('nobody drafts for the target where it guesses by itself, and heads guess at once', () => {
  const first = (name, kind) => {
    const story = storyOf(golden(name));
    return spoken(headline(story, beatOf(story, kind)));
  };
  assert.match(first('code-jacobi', 'rest'), /^The target guesses ahead by itself/);
  assert.match(first('code-jacobi', 'draft'), /^No draft model: these \w+ guesses cost no pass of their own/);
  assert.match(first('code-lookahead', 'draft'), /^Level 1: the pool offers/);
  assert.match(first('tale-dflash', 'draft'), /at once\.$/);
  assert.match(first('tale-eagle', 'draft'), /one after another\.$/);
});

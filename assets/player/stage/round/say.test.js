import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { headline, spoken, stay } from './say.js';
import { storyOf } from '../../trace/story.js';
import { isChain } from '../../trace/timeline.js';
import { everywhere } from '../../../../tests/golden/scenes.js';
import { traces } from '../../../../tests/golden/traces.js';

test('every headline has at most fourteen words, and the slow paces leave time to read it', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    story.beats.forEach(({ round }, at) => {
      const said = spoken(headline(story, at));
      const words = said.split(/\s+/u).length;
      assert.ok(words <= 14, said);
      let [first, last] = [at, at];
      const same = (beat) => story.beats[beat]?.round === round && spoken(headline(story, beat)) === said;
      while (same(first - 1)) first -= 1;
      while (same(last + 1)) last += 1;
      let time = 0;
      for (let beat = first; beat <= last; beat += 1) time += stay(story, beat, 'reading', 0);
      assert.ok(words / (time / 1000) <= 4, `${said}: ${words} words in ${time} ms`);
      assert.ok(stay(story, at, 'quick', 0) < stay(story, at, 'reading', 0));
      assert.ok(stay(story, at, 'reading', 5000) >= 5000);
    });
  }
});

test('beats of a round that say the same share their time, and guesses of a chain always do', () => {
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
  const [trace] = traces()
    .filter(({ name }) => name === 'player-sampled.json')
    .map((each) => structuredClone(each));
  trace.rounds[0].verdicts.forEach(({ source }) => {
    source.span = [0, 1];
  });
  assert.match(spoken(headline(storyOf(trace), 1)), /copied what followed/);
  everywhere(({ said }) => assert.ok(said.length < 140, said));
});

test('nobody drafts for the target where it guesses by itself, and heads guess at once', () => {
  const first = (name, kind) => {
    const story = storyOf(JSON.parse(readFileSync(new URL(`../../../traces/${name}.json`, import.meta.url))));
    return spoken(
      headline(
        story,
        story.beats.findIndex((beat) => beat.kind === kind),
      ),
    );
  };
  assert.match(first('code-jacobi', 'rest'), /^The big model guesses ahead by itself/);
  assert.match(first('code-jacobi', 'draft'), /^No draft model: these \w+ guesses cost no pass of their own/);
  assert.match(first('tale-lookahead', 'draft'), /^Level 1: The pool offers|^No draft model/);
  assert.match(first('tale-dflash', 'draft'), /at once\.$/);
  assert.match(first('tale-eagle', 'draft'), /one after another\.$/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headline, spoken } from './say.js';
import { storyOf } from '../../trace/story.js';
import { isChain } from '../../trace/timeline.js';
import { beatOf, everywhere, some } from '../../../../tests/golden/scenes.js';
import { column, golden, traces } from '../../../../tests/golden/traces.js';
import { speedOf, stay } from './stay.js';

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
      column(bar, 'beat'),
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

/** The milliseconds of each round at a pace. */
function roundsOf(story, pace) {
  const times = story.trace.rounds.map(() => 0);
  story.beats.forEach(({ round, kind }, at) => {
    if (kind !== 'rest') times[round] += stay(story, at, pace, 0);
  });
  return times;
}

test('at the usual pace 64 tokens come to their result within two minutes, two rounds of them to be read', () => {
  for (const trace of traces().filter(({ info }) => info.config.max_new_tokens === 64)) {
    const times = roundsOf(storyOf(trace), 'auto');
    const all = times.reduce((sum, time) => sum + time, 0);
    assert.ok(all <= 120_000, `${trace.name}: ${all} ms`);
    times.forEach((time, round) => {
      const most = round < 2 ? 20_000 : round < 7 ? 4_000 : 1_000;
      assert.ok(time <= most + 1e-6, `${trace.name}, round ${round}: ${time} ms`);
    });
    if (times.length > 10) assert.ok(times[0] > 6_000, `${trace.name}: ${times[0]} ms are no time to read`);
  }
});

test('what moves too fast to be seen is cut, and the first rounds move', () => {
  for (const trace of some(traces(), 4)) {
    const story = storyOf(trace);
    story.beats.forEach(({ round, kind }, at) => {
      const speed = speedOf(story, at, 'auto');
      assert.ok(speed === 0 || (speed >= 1 && speed <= 4));
      if (round < 2 && ['verify', 'residual', 'replace'].includes(kind)) assert.ok(speed > 0);
    });
  }
});

test('reading pace leaves time to read, quick does not wait, and the result stays until somebody moves on', () => {
  for (const trace of some(traces(), 4)) {
    const story = storyOf(trace);
    const told = story.beats.map((_, at) => spoken(headline(story, at)));
    const stays = story.beats.map((_, at) => stay(story, at, 'reading', 0));
    story.beats.forEach(({ round, kind }, at) => {
      if (kind === 'result') return assert.equal(stays[at], 0);
      const said = told[at];
      const same = (beat) => story.beats[beat]?.round === round && told[beat] === said;
      if (!same(at - 1)) {
        let time = 0;
        for (let beat = at; beat === at || same(beat); beat += 1) time += stays[beat];
        const words = said.split(/\s+/u).length;
        assert.ok(words / (time / 1000) <= 4, `${said}: ${words} words in ${time} ms`);
      }
      assert.ok(stay(story, at, 'quick', 0) < stays[at]);
      assert.ok(stay(story, at, 'reading', 5000) >= 5000);
    });
  }
});

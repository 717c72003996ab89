import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headline, spoken } from './say.js';
import { speedOf, stay } from './stay.js';
import { storyOf } from '../../trace/story.js';
import { traces } from '../../../../tests/golden/traces.js';

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
  for (const trace of traces()) {
    const story = storyOf(trace);
    story.beats.forEach(({ round, kind }, at) => {
      const speed = speedOf(story, at, 'auto');
      assert.ok(speed === 0 || (speed >= 1 && speed <= 4));
      if (round < 2 && ['verify', 'residual', 'replace'].includes(kind)) assert.ok(speed > 0);
    });
  }
});

test('reading pace leaves time to read, quick does not wait, and the result stays until somebody moves on', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    story.beats.forEach(({ round, kind }, at) => {
      if (kind === 'result') return assert.equal(stay(story, at, 'reading', 0), 0);
      const said = spoken(headline(story, at));
      const same = (beat) => story.beats[beat]?.round === round && spoken(headline(story, beat)) === said;
      if (!same(at - 1)) {
        let time = 0;
        for (let beat = at; beat === at || same(beat); beat += 1) time += stay(story, beat, 'reading', 0);
        const words = said.split(/\s+/u).length;
        assert.ok(words / (time / 1000) <= 4, `${said}: ${words} words in ${time} ms`);
      }
      assert.ok(stay(story, at, 'quick', 0) < stay(story, at, 'reading', 0));
      assert.ok(stay(story, at, 'reading', 5000) >= 5000);
    });
  }
});

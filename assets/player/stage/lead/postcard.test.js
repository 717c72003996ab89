import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postcardOf } from './postcard.js';
import { spoken } from '../round/say.js';
import { storyOf } from '../../trace/story.js';
import { traces } from '../../../../tests/golden/traces.js';

test('a postcard of a run ends with a verdict on every guess, after about six seconds where one was rejected', () => {
  for (const trace of traces()) {
    const { steps, round, passes } = postcardOf(storyOf(trace));
    const { states, ruler } = steps.at(-1);
    assert.equal(states.length, round.length);
    assert.ok(!states.some((state) => state === null || state === 'draft'), states.join());
    assert.match(spoken(passes), new RegExp(`^${trace.rounds.length} pass(es)? of the large model`));
    if (!states.includes('rejected')) continue;
    const ms = steps.reduce((sum, step) => sum + step.ms, 0);
    assert.ok(ms > 5500 && ms < 6500, `${trace.info.config.drafter}: ${ms}`);
    if (ruler?.dart)
      assert.ok(ruler.dart > ruler.segments.at(-1).start, 'the number fell where guesses are rejected');
  }
});

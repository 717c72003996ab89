import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lanes, playhead, roundAt } from './lanes.js';
import { storyOf } from '../../trace/story.js';
import { traces } from '../../../../tests/golden/traces.js';

test('the lanes are as wide as the run, and a click on them finds the round under the playhead', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    const list = lanes(story);
    assert.deepEqual(
      list.map(({ width }) => width),
      [trace.rounds.length, trace.rounds.length, story.rounds.at(-1).clock],
    );
    story.beats.forEach(({ round, kind }, at) => {
      playhead(story, at).forEach(({ x }, lane) => {
        assert.ok(x >= 0 && x <= list[lane].width * (1 + 1e-9));
        if (kind !== 'trim' && kind !== 'rest') assert.equal(roundAt(story, lane, x), round);
      });
    });
  }
});

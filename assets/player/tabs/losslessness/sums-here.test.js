import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lawsAt, positionOf } from './sums-here.js';
import { momentOf } from '../../trace/moment.js';
import { storyOf } from '../../trace/story.js';
import { beatOf } from '../../../../tests/golden/scenes.js';
import { golden, traces } from '../../../../tests/golden/traces.js';

test('a place is the number of tokens before it; what a refusal took along has the place of the refusal', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    let before = 0;
    trace.rounds.forEach((round, index) => {
      const kept = round.path.length;
      assert.equal(positionOf(story, index, 0), before);
      for (let slot = 0; slot <= round.verdicts.length; slot += 1)
        assert.equal(
          positionOf(story, index, slot),
          before + Math.min(round.verdicts[slot]?.depth ?? kept, kept),
        );
      before += kept + (round.extra ? 1 : 0);
    });
  }
});

test('laws appear with their moment: no guess, q alone, both, then the verdict and what came instead', () => {
  const trace = golden('player-sampled');
  const story = storyOf(trace);
  const index = trace.rounds.findIndex(
    ({ extra, path }) => extra?.emission === 'resampled' && path.length === 0,
  );
  const round = trace.rounds[index];
  const momentAt = (kind) => momentOf(trace, story.beats[beatOf(story, kind, { round: index })]);
  const at = (kind) => lawsAt(round, momentAt(kind), 0);
  assert.equal(lawsAt(round, momentOf(trace, { round: index, kind: 'draft', slot: 0 }), 1), null);
  assert.deepEqual(
    at('draft').rows.map(({ p }) => p),
    round.verdicts[0].view.bars.map(() => null),
  );
  assert.equal(at('draft').rest.p, null);
  assert.deepEqual(
    at('verify').rows.map(({ p, q }) => [p, q]),
    round.verdicts[0].view.bars.map(({ p, q }) => [p, q]),
  );
  assert.deepEqual([at('verify').verdict, at('verify').emitted], [null, null]);
  const { verdict, emitted, drafted } = at('trim');
  assert.deepEqual([verdict, emitted, drafted], ['rejected', round.extra.token, round.verdicts[0].token]);
  assert.equal(
    lawsAt(round, momentOf(trace, { round: index, kind: 'trim', slot: null }), round.verdicts.length),
    null,
  );
});

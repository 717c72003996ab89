import assert from 'node:assert/strict';
import test from 'node:test';
import { storyOf } from '../../trace/story.js';
import { beatOf, sceneOf } from '../../../../tests/golden/scenes.js';
import { golden } from '../../../../tests/golden/traces.js';
import { scene } from '../scene.js';

/** The recorded run as a rule would have had it that looks at each q and stopped its second round at one guess. */
function stopped() {
  const trace = golden('tale-small-model');
  const reason = { code: 'reasons.confidence.most', most: 20, least: '0.4' };
  trace.info.controller = 'confidence';
  for (const round of trace.rounds)
    round.budget = { ...round.budget, nodes: round.verdicts.length, depth: round.verdicts.length, reason };
  const [, round] = trace.rounds;
  const [guess] = round.verdicts;
  Object.assign(round, {
    verdicts: [guess],
    path: guess.verdict === 'accepted' ? [0] : [],
    halt: { reason: { code: 'reasons.confidence.halt', q: '0.236', least: '0.4' }, signal: 0.236 },
  });
  return storyOf(trace);
}

test('a rule that stopped says why in its last guess, and the bar how many of γ there are, not before', () => {
  const story = stopped();
  const last = sceneOf(story, 'draft', { round: 1 });
  assert.equal(last.said, 'One guess, then no more: q 0.236 < 0.4.');
  assert.deepEqual(last.offered, { made: 1, of: story.trace.info.config.gamma });
  assert.deepEqual(sceneOf(story, 'verify', { round: 1 }).offered, last.offered);
  assert.ok(
    last.headline.some((piece) => piece.late),
    'q is not told before its number lands',
  );
  const first = sceneOf(story, 'draft', { round: 0 });
  assert.match(first.said, / guesses up to 20, while q of the guess is at least 0\.4\.$/);
  assert.equal(first.offered, null);
});

test('a fixed γ that was used up has nothing to say of it', () => {
  const story = storyOf(golden('tale-small-model'));
  const full = beatOf(story, 'verify', { round: 0 });
  assert.equal(scene(story, full).offered, null);
  for (const { kind, round } of story.beats.slice(0, full))
    if (kind === 'draft') assert.match(scene(story, story.rounds[round].beat).said, /one after another/);
});

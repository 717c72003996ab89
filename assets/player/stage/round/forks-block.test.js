import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sceneOf } from '../../../../tests/golden/scenes.js';
import { column, golden } from '../../../../tests/golden/traces.js';
import { storyOf } from '../../trace/story.js';
import { placesOf } from '../../trace/timeline.js';
import { acceptedOf } from '../../tabs/race/sums-slots.js';
import { scene } from '../scene.js';

/**
 * Two guesses weighed together, p and q of a law of two tokens: the paper's own example. arXiv:2403.10444,
 * section 3.
 */
function block() {
  const trace = golden('points');
  const [p, q] = [
    [1 / 3, 2 / 3],
    [2 / 3, 1 / 3],
  ];
  const view = (before) => ({
    bars: [0, 1].map((token) => ({
      token,
      text: 'ab'[token],
      p: p[token],
      q: q[token],
      residual: Math.max(0, before * p[token] - q[token]),
    })),
    rest: { count: 0, p: 0, q: 0, overlap: 0, residual: 0 },
    overlap: 2 / 3,
  });
  const common = {
    law: 'row',
    p: 1 / 3,
    q: 2 / 3,
    draft_u: 0.1,
    low: 0,
    high: 2 / 3,
    q_entropy: 0.6,
    source: trace.rounds[0].verdicts[0].source,
    token: 0,
    text: 'a',
  };
  // ρ₁ = 1/2: left of ½ p over q is nothing, so h₁ = 0; ρ₂ = 1/4 = h₂.
  const verdicts = [
    { u: 0.9, accept_prob: 0, weight: 0.5, mass: 0, view: view(1) },
    { u: 0.2, accept_prob: 0.25, weight: 0.25, mass: null, view: view(0.5) },
  ].map((numbers, node) => ({
    ...common,
    ...numbers,
    node,
    parent: node - 1,
    depth: node,
    verdict: 'accepted',
  }));
  const { extra } = trace.rounds[2];
  trace.rounds = [
    { ...trace.rounds[0], verdicts, path: [0, 1], extra: { ...extra, emission: 'bonus', node: null } },
  ];
  return trace;
}

test('all numbers of a block fall before one verdict, which is where the last below its mark lies', () => {
  const story = storyOf(block());
  const kinds = story.beats.map(({ kind }) => kind);
  assert.deepEqual(
    [kinds.filter((kind) => kind === 'dart').length, kinds.filter((kind) => kind === 'verdict').length],
    [1, 1],
  );
  const numbers = sceneOf(story, 'dart');
  assert.deepEqual(numbers.falls, [0, 1]);
  assert.deepEqual(
    numbers.tree.nodes.slice(0, 2).map(({ state, thrown, u }) => [state, thrown ?? u !== null]),
    [
      ['draft', true],
      ['draft', true],
    ],
    'no verdict before all numbers are there',
  );
  const end = sceneOf(story, 'verdict');
  assert.match(end.said, /^The last number below its mark is at “a”: all up to there stay\.$/);
  const none = block();
  for (const verdict of none.rounds[0].verdicts) Object.assign(verdict, { verdict: 'rejected', u: 0.9 });
  Object.assign(none.rounds[0], {
    path: [],
    extra: { ...none.rounds[0].extra, emission: 'resampled', node: 0 },
  });
  const other = storyOf(none);
  assert.match(sceneOf(other, 'verdict').said, /^No number is below its mark/);
});

test('guesses weighed together: weight and chance recompute, and a guess that a later one saves says so', () => {
  const story = storyOf(block());
  const at = story.beats.findIndex(({ kind }) => kind === 'verdict');
  const pieces = (entry) => JSON.stringify(entry.terms);
  const [weight, left, chance, number] = scene(story, at, 0).sum;
  assert.match(pieces(weight), /min\(1, 1 · .*0\.333.*0\.667.*= 0\.5/);
  assert.match(pieces(left), /"Z".*Σ.* = 0"/, 'Z is said where it is used');
  assert.match(pieces(chance), /\["0"\],\["0\.500"\].* = 0"/);
  assert.match(pieces(number), /0\.900 ≥ 0/);
  assert.equal(number.verdict.text, '✓ accepted by a later number');
  const second = scene(story, at);
  assert.match(pieces(second.sum[0]), /min\(1, 0\.5.* = 0\.25/);
  assert.deepEqual(column(second.figure.rows, 'p'), [1 / 6, 1 / 3], 'p stands weighed beside q');
  assert.equal(second.figure.weight, 0.5);
  assert.equal(second.algorithm.title, 'Block verification');
});

test('a block counts the guess that decided it, and none of those it went on to test', () => {
  const trace = block();
  const [round] = trace.rounds;
  round.verdicts.forEach((verdict) => {
    verdict.verdict = 'rejected';
  });
  Object.assign(round, { path: [], extra: { ...round.extra, emission: 'resampled', node: 0 } });
  assert.deepEqual(column(placesOf(round), 'node'), [0]);
  const { all, slots } = acceptedOf(trace.rounds);
  assert.deepEqual([all.part, all.whole, slots[0].overlap], [0, 1, 2 / 3]);
});

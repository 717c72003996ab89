import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evidence, innerOf } from './inner.js';
import { scene } from '../scene.js';
import { storyOf } from '../../trace/story.js';
import { traces, golden } from '../../../../tests/golden/traces.js';
import { entropyOf, reasonOf, summaryOf } from './gammas.js';
import { turned } from './nodes.js';
import { beatOf, sceneOf } from '../../../../tests/golden/scenes.js';

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

test('what a γ rule cut from a draft of one pass lies below the lane, once all that is checked is there', () => {
  const found = traces().find(({ info }) => info.config.drafter === 'dflash');
  const trace = { ...found, info: { ...found.info, controller: 'confidence' } };
  const first = trace.rounds.find(({ verdicts }) => verdicts.length > 1);
  const end = first.verdicts.length - 1;
  const cut = (at) => ({ parent: end + at, depth: end + 1 + at, token: 7, text: ' far', q: 0.25 });
  const round = { ...first, halt: { reason: 'q 0.1 < 0.4', signal: 0.1 }, unchecked: [cut(0), cut(1)] };
  const story = storyOf({ ...trace, rounds: trace.rounds.map((each) => (each === first ? round : each)) });
  const seen = new Set();
  story.beats.forEach((beat, at) => {
    if (beat.round !== first.index || beat.kind === 'rest') return;
    const { tree, said } = scene(story, at);
    const [one, other] = tree.nodes.filter(({ kind }) => kind === 'cut');
    const early = beat.kind === 'draft' && beat.slot < end;
    seen.add(early);
    assert.deepEqual([one.state, one.token?.text], early ? [null, undefined] : ['untested', '·far']);
    assert.deepEqual([one.tier, one.column, tree.columns], [2, end + 2, end + 3]);
    assert.deepEqual([tree.nodes[one.parent].node, tree.nodes[other.parent]], [end, one]);
    assert.match(other.label, /far q 0\.250, made and not checked/);
    assert.equal(turned(tree, end, 'ArrowRight') === tree.nodes.indexOf(one), false, 'no key leads there');
    if (beat.kind === 'draft') assert.equal(/two more were made, not checked/.test(said), beat.slot === end);
  });
  assert.equal(seen.size, 2);
});

const guess = (entropy, depth) => ({ q_entropy: entropy, depth });
const round = (index, entropies, kept, more = {}) => ({
  index,
  verdicts: entropies.map(guess),
  path: [...Array(kept).keys()],
  extra: {},
  glances: [],
  halt: null,
  budget: { reason: 'all 2 accepted: 2 more', signal: 2 },
  ...more,
});

test('a round’s entropy is that of its guesses, as the rule saw it', () => {
  assert.equal(entropyOf(round(0, [1, 3], 1)), 2);
  assert.equal(
    entropyOf(
      round(0, [0, 0], 1, {
        glances: [
          { entropy: 1, q: 1 },
          { entropy: 2, q: 1 },
          { entropy: 6, q: null },
        ],
      }),
    ),
    3,
  );
  assert.equal(entropyOf(round(0, [], 0)), null);
});

test('what stopped a round within counts before what it was allowed', () => {
  const halted = round(3, [1], 1, { halt: { reason: 'q = 0.2 is below 0.4', signal: 0.2 } });
  assert.equal(reasonOf(halted), 'q = 0.2 is below 0.4');
  assert.equal(reasonOf(round(3, [1], 1)), 'all 2 accepted: 2 more');
  assert.match(summaryOf(halted), /^Round 4: 1 guessed, 1 accepted\. .*q = 0\.2 is below 0\.4.* H/);
});

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

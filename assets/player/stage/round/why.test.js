import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spoken } from './say.js';
import { asText, why } from './why.js';
import { golden } from '../../../../tests/golden/traces.js';
import { everywhere } from '../../../../tests/golden/scenes.js';
import { storyOf } from '../../trace/story.js';

const last = (entries) => entries.at(-1)?.verdict?.state;

test('a why-card says what the beat of the token says, with its sum and source', () => {
  everywhere((shown, { kind, round, slot }, { verdicts }, _, story, at) => {
    const own = ['replace', 'bonus'].includes(kind);
    if (!own && kind !== 'verdict') return;
    const card = why(story, at, { round, slot: own ? verdicts.length : slot });
    assert.equal(spoken(card.says.at(-1)), shown.said);
    assert.deepEqual(card.sum, shown.sum);
    assert.equal(card.source, `${shown.algorithm.title} · ${shown.algorithm.source}`);
  });
});

test('a why-card agrees with every verdict, and one of the round on screen knows no more than the screen', () => {
  everywhere((_, { kind, round: index }, round, __, story, at) => {
    round.verdicts.forEach(({ verdict, u, weight }, slot) => {
      const { state, sum } = why(story, at, { round: index, slot });
      if (kind === 'draft') return assert.ok(state === 'draft' && last(sum) === undefined);
      if (kind !== 'trim') return;
      assert.equal(state, verdict);
      const decides = verdict !== 'untested' && !(weight !== null && u === null);
      assert.equal(last(sum), decides ? verdict : undefined);
    });
    if (kind !== 'trim' && kind !== 'draft') return;
    const { token, state } = why(story, at, { round: index, slot: round.verdicts.length });
    assert.equal(token === null, kind === 'draft' || !round.extra);
    if (token !== null) assert.equal(state, round.verdicts.length ? round.extra.emission : 'plain');
  });
});

test('a why-card as text has its fractions in one line', () => {
  const story = storyOf(golden('tale-small-model'));
  assert.equal(
    asText(why(story, story.beats.length - 1, { round: 0, slot: 2 })),
    [
      'Keep “of”? The random number is 0.392; it must be below 0.193.',
      '“of” is rejected, so the guess after it is dropped too.',
      'Chance to accept “of” · p/q = 0.00409/0.0212 = 0.193',
      'Random number · u = 0.392 ≥ 0.193 · ✕ reject',
      'Algorithm 1 · Leviathan et al. 2023',
    ].join('\n'),
  );
});

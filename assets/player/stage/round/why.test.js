import assert from 'node:assert/strict';
import { test } from 'node:test';
import { number } from '../../base/format.js';
import { why } from './why.js';
import { everywhere } from '../../../../tests/golden/scenes.js';

test('a why-card quotes the recorded numbers and agrees with the verdict', () => {
  everywhere((_, { kind, round: index }, round, trace, { beats }, at) => {
    if (kind !== 'trim') return;
    round.verdicts.forEach(({ p, q, u, verdict, rank }, slot) => {
      const card = why(trace, beats, at, { round: index, slot });
      assert.equal(card.state, verdict);
      if (trace.info.config.temperature === 0 || verdict === 'untested') return;
      if (round.verdicts[slot].weight !== null)
        return assert.match(card.line, u === null ? /^ρ = / : /^h = /);
      if (trace.info.traits.rolls === 'threshold')
        return assert.match(card.line, card.sentence.startsWith('Too improbable') ? / ≤ / : / > /);
      if (rank) return assert.ok(card.line.includes(`rank ${rank} of ${trace.info.relaxation.top}`));
      if (trace.info.rule === 'coupled')
        return assert.ok(card.line.includes(verdict === 'accepted' ? ') = argmax' : ') ≠ argmax'));
      assert.ok(card.line.includes(`= min(1, ${number(p)}/${number(q)})`));
      assert.ok(card.line.includes(u < Math.min(1, p / q) ? '<' : '≥'));
    });
    if (!round.extra) return;
    assert.equal(
      why(trace, beats, at, { round: index, slot: round.verdicts.length }).state,
      round.verdicts.length ? round.extra.emission : 'plain',
    );
  });
});

test('a why-card of the round on screen knows no more than the screen', () => {
  everywhere((_, { kind, round: index, slot }, round, trace, { beats }, at) => {
    if (kind !== 'draft') return;
    const card = why(trace, beats, at, { round: index, slot });
    assert.equal(card.state, 'draft');
    assert.ok(!card.line.includes('min('));
    assert.equal(why(trace, beats, at, { round: index, slot: round.verdicts.length }).token, null);
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { feedbackFigure, learnedFigure } from './figures-training.js';

const { heads } = JSON.parse(readFileSync(new URL('../../../pair/card.json', import.meta.url), 'utf-8'));

test('every head of the card has a line for each place, which ends where its training did', () => {
  for (const kind of ['medusa', 'hydra', 'eagle', 'dflash']) {
    const { steps, overlap } = heads[kind];
    const { series, says, table } = learnedFigure(kind, overlap);
    assert.deepEqual(
      series.map(({ y }) => y.at(-1)),
      overlap.at(-1).held_out,
    );
    assert.ok(
      series.every(({ x }) => x.at(-1) === steps) &&
        table.rows.every((row) => row.length === table.columns.length),
    );
    assert.equal(says.includes('larger steps again'), kind === 'eagle', 'its training was taken up again');
    assert.doesNotMatch(says, /undefined|NaN/);
  }
});

test('without its own outputs fed back EAGLE is as good at the first place, and lost further on', () => {
  const {
    series: [fed, alone],
    says,
  } = feedbackFigure(heads.feedback);
  assert.ok(alone.y[0] > 0.9 * fed.y[0] && alone.y.at(-1) < 0.5 * fed.y.at(-1));
  assert.ok(says.startsWith(`${heads.feedback.steps} steps each.`));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnsOf } from './turns.js';

const own = { path: [], verdicts: [], extra: { token: 2, text: '</s>' } };
const kept = { path: [0], verdicts: [{ token: 2, text: '</s>' }], extra: null };
const run = (more, config) => ({
  info: { config: { prompt: 'why?', chat: true, ...config }, eos: [2] },
  rounds: [own],
  stop: 'eos',
  text: 'so.</s>',
  ...more,
});

test('a next prompt follows on what was said before, the prompt and the answer', () => {
  assert.deepEqual(turnsOf(run()), ['why?', 'so.']);
  assert.deepEqual(turnsOf(run({ rounds: [kept] }, { earlier: ['who?', 'me'] })), [
    'who?',
    'me',
    'why?',
    'so.',
  ]);
  assert.deepEqual(
    turnsOf(run({ stop: 'length', rounds: [{ ...own, extra: { token: 7, text: '</s>' } }] })),
    ['why?', 'so.</s>'],
  );
  const stopped = {
    stop: 'string',
    text: 'so.\n\n',
    rounds: [{ ...own, extra: { token: 7, text: '\n\n' } }],
  };
  assert.deepEqual(turnsOf(run(stopped)), ['why?', 'so.\n\n']);
});

test('no prompt follows on a run without a template, one cut short, or one whose text nobody vouches for', () => {
  assert.equal(turnsOf(run({}, { chat: false })), null);
  for (const stop of [null, 'stopped', 'deadline', 'failed', 'context'])
    assert.equal(turnsOf(run({ stop })), null);
  assert.equal(turnsOf(run({ text: undefined })), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainFailure, explainRefusal } from './refusal.js';

const wrong = (name, value, kind, more) =>
  explainRefusal({
    code: 'refusals.wrong',
    name,
    value,
    wanted: { code: `refusals.wanted.${kind}`, ...more },
  });

test('a number out of range is named as the page names it, with the nearest one that would do', () => {
  const whole = { low: '0', high: '20' };
  const text = 'γ needs a whole number from 0 to 20.';
  assert.deepEqual(wrong('gamma', '30', 'whole', whole), { text, field: 'gamma', value: 20 });
  assert.equal(wrong('gamma', '2.6', 'whole', whole).value, 3);
  assert.deepEqual(wrong('gamma', 'None', 'whole', whole), { text, field: 'gamma', value: null });
  assert.equal(wrong('max_new_tokens', '5000', 'whole', { low: '1', high: '1,024' }).value, 1024);
  assert.equal(wrong('temperature', '0.01', 'zero', { low: '0.05', high: '2' }).value, 0.05);
  assert.equal(wrong('temperature', '-1', 'zero', { low: '0.05', high: '2' }).value, 0);
  assert.equal(wrong('top_p', '3', 'above', { low: '0', high: '1' }).value, 1);
  assert.deepEqual(wrong('repetition_penalty', '99', 'range', { low: '0.1', high: '10' }), {
    text: 'Repetition penalty needs a number from 0.1 to 10.',
    field: 'repetition_penalty',
    value: 10,
  });
  assert.equal(wrong('top_p', '0', 'above', { low: '0', high: '1' }).value, 0.05);
  assert.deepEqual(wrong('temperature', '0.8', 'settled', { drafter: 'jacobi', instead: 0 }), {
    text: 'T needs 0, or shared noise (the rule coupled): otherwise the guesses of jacobi never settle.',
    field: 'temperature',
    value: 0,
  });
});

test('a run that memory ended offers fewer guesses, and any other end none', () => {
  assert.deepEqual(explainFailure({ code: 'refusals.fewer', name: 'nodes', guesses: 64, instead: 32 }), {
    text: 'The run broke off: 64 guesses did not fit into memory. Everything recorded before that is kept.',
    field: 'nodes',
    value: 32,
  });
  assert.deepEqual(explainFailure('RuntimeError: no'), {
    text: 'The run broke off: RuntimeError: no. Everything recorded before that is kept.',
    field: null,
    value: null,
  });
});

test('what no value would mend is said as it came', () => {
  assert.deepEqual(explainRefusal({ code: 'refusals.empty', name: 'prompt' }), {
    text: 'Not run: the prompt is empty; write at least one character.',
    field: 'prompt',
    value: null,
  });
  assert.deepEqual(explainRefusal('no such file\u202e'), {
    text: 'Not run: no such file<U+202E>.',
    field: null,
    value: null,
  });
});

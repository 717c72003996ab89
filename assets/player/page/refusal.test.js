import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainFailure, explainRefusal } from './refusal.js';

test('a number out of range is named as the page names it, with the nearest one that would do', () => {
  assert.deepEqual(explainRefusal('gamma is 30; wanted a whole number from 0 to 20'), {
    text: 'γ needs a whole number from 0 to 20.',
    field: 'gamma',
    value: 20,
  });
  assert.deepEqual(explainRefusal('gamma is 2.6; wanted a whole number from 0 to 20').value, 3);
  assert.deepEqual(explainRefusal('gamma is None; wanted a whole number from 0 to 20'), {
    text: 'γ needs a whole number from 0 to 20.',
    field: 'gamma',
    value: null,
  });
  assert.deepEqual(
    explainRefusal('max_new_tokens is 5000; wanted a whole number from 1 to 1,024').value,
    1024,
  );
  assert.deepEqual(explainRefusal('temperature is 0.01; wanted 0 (greedy) or 0.05 to 2').value, 0.05);
  assert.deepEqual(explainRefusal('temperature is -1; wanted 0 (greedy) or 0.05 to 2').value, 0);
  assert.deepEqual(
    explainRefusal(
      'temperature is 0.8; wanted 0, or shared noise (the rule coupled): elsewhere the guesses of jacobi never come to rest',
    ),
    {
      text: 'T needs 0, or shared noise (the rule coupled): elsewhere the guesses of jacobi never come to rest.',
      field: 'temperature',
      value: 0,
    },
  );
  assert.deepEqual(explainRefusal('nodes is 100; wanted 2 to 64'), {
    text: 'Nodes needs a whole number from 2 to 64.',
    field: 'nodes',
    value: 64,
  });
  assert.equal(explainRefusal('top_p is 3; wanted more than 0, at most 1 (1 switches it off)').value, 1);
});

test('a run that memory ended offers fewer guesses, and any other end none', () => {
  assert.deepEqual(explainFailure('nodes is 64; wanted 32: 64 guesses did not fit into memory'), {
    text: 'The run broke off: 64 guesses did not fit into memory. What was recorded before is kept.',
    field: 'nodes',
    value: 32,
  });
  assert.deepEqual(explainFailure('RuntimeError: no'), {
    text: 'The run broke off: RuntimeError: no. What was recorded before is kept.',
    field: null,
    value: null,
  });
});

test('what no value would mend is said as it came', () => {
  assert.deepEqual(explainRefusal('the prompt is empty; write at least one character'), {
    text: 'Not run: the prompt is empty; write at least one character.',
    field: 'prompt',
    value: null,
  });
  assert.equal(explainRefusal('60 runs wait already').field, null);
});

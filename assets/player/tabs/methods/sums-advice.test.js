import { test } from 'node:test';
import assert from 'node:assert/strict';
import { LENGTH, MOST, PROMPTS, adviceOf, promptsIn, triedOf } from './sums-advice.js';

const entry = (name, more = {}) => ({ entry: { name, ...more } });

test('a prompt is a line; empty ones and doubles are none, and no more are taken than may be asked', () => {
  assert.deepEqual(promptsIn(' one \n\n two\none\n'), ['one', 'two']);
  assert.equal(
    promptsIn(Array.from({ length: 20 }, (_, index) => `prompt ${index}`).join('\n')).length,
    PROMPTS,
  );
  assert.deepEqual(promptsIn(' \n'), []);
});

test('drafters that lack something here, or are not there, are not tried', () => {
  const methods = [entry('suffix'), entry('lookahead'), entry('small-model', { modelled: true })];
  const names = (lacks) => triedOf(methods, lacks).map(({ name }) => name);
  assert.deepEqual(
    names(() => ''),
    ['small-model', 'suffix'],
  );
  assert.deepEqual(
    names(({ modelled }) => (modelled ? 'draft' : '')),
    ['suffix'],
  );
});

test('every drafter reads the same prompts at the longest draft, judged by rejection', () => {
  const entries = [{ name: 'small-model' }, { name: 'suffix' }];
  const { job, over } = adviceOf(['one', 'two'], entries, 'tale', { max_new_tokens: 200 });
  assert.equal(job, 'advise');
  assert.deepEqual(
    over.map(({ drafter, prompt }) => [drafter, prompt]),
    [
      ['small-model', 'one'],
      ['small-model', 'two'],
      ['suffix', 'one'],
      ['suffix', 'two'],
    ],
  );
  for (const each of over) {
    const { gamma, rule, gamma_rule: by, max_new_tokens: length } = each;
    assert.deepEqual([gamma, rule, by, length], [MOST, 'rejection', 'fixed', LENGTH]);
  }
});

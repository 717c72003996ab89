import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedLine } from './cached.js';
import { words } from '../words/words.js';

const SAID = { forward: 'compiled', pair: 'embedded', check: 1.7 };

test('the built-in pair under the compiled pass says what its check takes, and where the waterfall is', () => {
  assert.equal(cachedLine(SAID, true), words.cached({ steps: '1.7', beside: true }));
  assert.match(cachedLine(SAID), /a check costs 1\.7 plain steps\. .* Race shows where the speed-up goes\.$/);
  assert.doesNotMatch(cachedLine(SAID, true), /Race/);
});

test('no other pair, pass or cheap check says it', () => {
  for (const other of [
    { pair: 'gpt2' },
    { forward: 'eager' },
    { forward: 'graphs' },
    { forward: 'lean' },
    { forward: undefined },
    { check: 1.2 },
    { check: 1 },
  ])
    assert.equal(cachedLine({ ...SAID, ...other }), '');
});

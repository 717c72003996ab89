import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createInquiry } from './inquiry.js';

function inquiry() {
  const log = [];
  const made = createInquiry((question) => log.push(`${question.law} ${question.ask}`), () => log.push('leave'));
  return { log, ...made };
}

test('a question is sent at once; reports are heard until its answer', () => {
  const { log, want, hear } = inquiry();
  want({ law: 'first' });
  assert.deepEqual(log, ['first 1']);
  assert.deepEqual(hear({ ask: 1, done: 5 }), { ask: 1, done: 5 });
  assert.deepEqual(hear({ ask: 1, finding: {} }), { ask: 1, finding: {} });
  assert.equal(hear({ ask: 1, finding: {} }), null);
});

test('a newer question stops the one under way, once, and only the newest is sent when it has ended', () => {
  const { log, want, hear, ended } = inquiry();
  for (const law of ['first', 'second', 'bonus']) want({ law });
  assert.deepEqual(log, ['first 1', 'leave']);
  assert.equal(hear({ ask: 1, finding: {} }), null, 'nobody waits for that any more');
  assert.equal(ended(), false);
  assert.deepEqual(log, ['first 1', 'leave', 'bonus 2']);
  assert.ok(hear({ ask: 2, error: 'no' }));
});

test('what ends without being told to has broken off', () => {
  const { want, ended, hear } = inquiry();
  want({ law: 'first' });
  assert.equal(ended(), true);
  assert.equal(hear({ ask: 1, finding: {} }), null);
  assert.equal(ended(), false, 'it cannot do so twice');
});

test('after dropping nothing is heard and nothing follows', () => {
  const { log, want, hear, ended, drop } = inquiry();
  drop();
  want({ law: 'first' });
  drop();
  assert.equal(hear({ ask: 1, done: 1 }), null);
  assert.equal(ended(), false);
  assert.deepEqual(log, ['first 1', 'leave']);
});

test('a lost word of the server does not stop all questions for good', () => {
  const { log, want, drop } = inquiry();
  want({ law: 'first' });
  drop();
  want({ law: 'second' });
  drop();
  want({ law: 'bonus' });
  assert.deepEqual(log, ['first 1', 'leave', 'bonus 2']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createInquiry } from './inquiry.js';

function inquiry() {
  const log = [];
  const made = createInquiry(({ law, ask }) => log.push(`${law} ${ask}`), (ask) => log.push(`leave ${ask}`), 'me');
  return { log, ...made };
}

test('a question is sent at once; reports are heard until its answer', () => {
  const { log, want, hear } = inquiry();
  want({ law: 'first' });
  assert.deepEqual(log, ['first me-1']);
  assert.deepEqual(hear({ ask: 'me-1', done: 5 }), { ask: 'me-1', done: 5 });
  assert.deepEqual(hear({ ask: 'me-1', finding: {} }), { ask: 'me-1', finding: {} });
  assert.equal(hear({ ask: 'me-1', finding: {} }), null);
});

test('a newer question stops the one under way and takes its place', () => {
  const { log, want, hear } = inquiry();
  want({ law: 'first' });
  want({ law: 'second' });
  assert.deepEqual(log, ['first me-1', 'leave me-1', 'second me-2']);
  assert.equal(hear({ ask: 'me-1', finding: {} }), null, 'nobody waits for that any more');
  assert.ok(hear({ ask: 'me-2', error: 'no' }));
  want({ law: 'bonus' });
  assert.deepEqual(log.slice(3), ['bonus me-3'], 'what is answered need not be stopped');
});

test('after dropping nothing is heard, and nothing is left to drop', () => {
  const { log, want, hear, drop } = inquiry();
  assert.equal(drop(), false);
  want({ law: 'first' });
  assert.equal(drop(), true);
  assert.equal(hear({ ask: 'me-1', done: 1 }), null);
  assert.equal(hear({}), null, 'a report without a name is on nothing');
  assert.equal(drop(), false);
  assert.deepEqual(log, ['first me-1', 'leave me-1']);
});

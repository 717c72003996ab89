import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createJob } from './job.js';

function made() {
  const log = [];
  const job = createJob(
    ({ law, ask }) => log.push(`${law} ${ask}`),
    (ask) => log.push(`leave ${ask}`),
    'me',
  );
  return { log, ...job };
}

test('a question is sent at once; reports are heard until its answer', () => {
  const { log, start, onReport } = made();
  start({ law: 'first' });
  assert.deepEqual(log, ['first me-1']);
  assert.deepEqual(onReport({ ask: 'me-1', done: 5 }), { ask: 'me-1', done: 5 });
  assert.deepEqual(onReport({ ask: 'me-1', finding: {} }), { ask: 'me-1', finding: {} });
  assert.equal(onReport({ ask: 'me-1', finding: {} }), null);
});

test('a newer question stops the one under way and takes its place', () => {
  const { log, start, onReport } = made();
  start({ law: 'first' });
  start({ law: 'second' });
  assert.deepEqual(log, ['first me-1', 'leave me-1', 'second me-2']);
  assert.equal(onReport({ ask: 'me-1', finding: {} }), null, 'nobody waits for that any more');
  assert.ok(onReport({ ask: 'me-2', error: 'no' }));
  start({ law: 'bonus' });
  assert.deepEqual(log.slice(3), ['bonus me-3'], 'what is answered need not be stopped');
});

test('after dropping nothing is heard, and nothing is left to cancel', () => {
  const { log, start, onReport, cancel } = made();
  assert.equal(cancel(), false);
  start({ law: 'first' });
  assert.equal(cancel(), true);
  assert.equal(onReport({ ask: 'me-1', done: 1 }), null);
  assert.equal(onReport({}), null, 'a report without a name is on nothing');
  assert.equal(cancel(), false);
  assert.deepEqual(log, ['first me-1', 'leave me-1']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMeasuring } from './measuring.js';

/** One that writes down what it asks and says. */
function written() {
  const log = [];
  const measuring = createMeasuring(
    { ask: ({ job }) => log.push(`asks ${job}`), stop: () => log.push('stops') },
    {
      busy: (text) => log.push(`busy ${text}`),
      idle: (text) => log.push(`idle ${text}`),
      progress: (job, { done, of }, left) => [`${done} of ${of}, ${left} left`, done / of],
      over: ({ question }, { cells, error = 'done' }, cancelled) =>
        `${question.job} ${cells.length} ${cancelled ? 'cancelled' : error}`,
    },
  );
  return { ...measuring, log };
}
const job = (name, more = {}) => ({ question: { job: name }, waits: 'waits', ...more });

test('jobs are measured one after the other, and each has what it brought', () => {
  const { start, onReport, busy, log } = written();
  start([job('one'), job('two', { waits: '' })]);
  start([job('three')]);
  onReport({ done: 1, of: 2, cell: {} });
  onReport({ ended: true });
  onReport({ ended: true });
  assert.deepEqual(log, ['busy waits', 'asks one', 'busy 1 of 2, 2 left', 'asks two', 'idle two 0 done']);
  assert.ok(!busy());
});

test('a refusal ends all of them, but where the others go on anyway', () => {
  const [some, all] = [written(), written()];
  some.start([job('one'), job('two')]);
  all.start([job('one', { anyway: true }), job('two')]);
  [some, all].forEach(({ onReport }) => onReport({ error: 'no' }));
  assert.equal(some.log.at(-1), 'idle one 0 no');
  assert.equal(all.log.at(-1), 'asks two');
});

test('what is cancelled keeps what it brought, and says so unless another reason is given', () => {
  const { start, onReport, cancel, settle, log } = written();
  start([job('one')]);
  onReport({ done: 1, of: 2, cell: {} });
  cancel();
  assert.deepEqual(log.slice(-2), ['stops', 'idle one 1 cancelled']);
  start([job('one')]);
  settle('another run');
  assert.equal(log.at(-1), 'idle another run');
});

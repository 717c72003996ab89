import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { explainFailure, explainRefusal } from './refusal.js';
import { progress } from './loading.js';
import { TRACE } from './link.js';
import { pack, unpack } from './packed.js';
import { createJob } from './job.js';
import { createWatchdog } from './watchdog.js';

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

test('bytes, rate and remaining time come from what was counted, and what is not known is not told', () => {
  for (const [done, total, seconds, percent, text] of [
    [300e6, 1.2e9, 12, 25, '300 MB of 1.2 GB · 25 MB/s · 36 s left'],
    [1e9, 41e9, 50, 2, '1 GB of 41 GB · 20 MB/s · 33 min left'],
    [0, 5e8, 0, 0, '0 B of 500 MB'],
    [0, 5e8, 3, 0, '0 B of 500 MB'],
    [7e6, 5e8, 0, 1, '7 MB of 500 MB'],
    [3e6, 0, 2, null, '3 MB · 1.5 MB/s'],
    [0, 0, 9, null, ''],
    [6e8, 5e8, 60, 100, '600 MB of 500 MB · 10 MB/s'],
  ])
    assert.deepEqual(progress({ done, total, seconds }), { percent, text });
});

test('what was packed for a link comes back; what is none, or too large unpacked, is none', async () => {
  const text = JSON.stringify({ a: 'é'.repeat(5000) });
  const packed = await pack(text);
  assert.match(packed, /^[\w-]+$/);
  assert.ok(packed.length < TRACE);
  assert.equal(new TextDecoder().decode(await unpack(packed, 1e6)), text);
  assert.equal(await unpack(packed, 1000), null, 'a small link may not fill the memory');
  assert.equal(await unpack('abc', 1e6), null);
  assert.equal(await unpack('!!', 1e6), null);
});

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

const RUN = { run: 'a', live: true, stop: null, rounds: [1, 2] };
const turn = () => new Promise((done) => setImmediate(done));

/** A watch over a server that answers so, as patient as the page's; log collects what was asked and said. */
function over(answer) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const log = [];
  const fetch = async (request) => {
    log.push(request);
    return answer();
  };
  const watchdog = createWatchdog(fetch, { news: (delta) => log.push(delta), gone: () => log.push('gone') });
  const wait = async (ms) => {
    mock.timers.tick(ms);
    await turn();
  };
  return { watchdog, log, wait };
}

const ASKED = { run: 'a', start: 3, stop: 4 };

test('a server that does not answer is gone, and is asked no more', async () => {
  const { watchdog, log, wait } = over(() => Promise.reject(new TypeError('network error')));
  watchdog.watch(RUN);
  await wait(4999);
  assert.deepEqual(log, []);
  await wait(1);
  await wait(50_000);
  assert.deepEqual(log, [ASKED, 'gone']);
  mock.timers.reset();
});

test('what was missed is named; where there is nothing yet, it is asked for again', async () => {
  const answers = [[], ['a message']];
  const { watchdog, log, wait } = over(() => answers.shift());
  watchdog.watch(RUN);
  await wait(5000);
  await wait(5000);
  assert.deepEqual(log, [ASKED, ASKED, { run: 'a', n: 3, j: null }]);
  mock.timers.reset();
});

test('a run that ended or was made elsewhere is not waited for, nor one that gave way meanwhile', async () => {
  const { watchdog, log, wait } = over(() => []);
  watchdog.watch({ ...RUN, stop: 'length' });
  watchdog.watch({ ...RUN, live: false });
  watchdog.watch(RUN);
  watchdog.watch({ ...RUN, run: 'b', stop: 'stopped' });
  await wait(50_000);
  assert.deepEqual(log, []);
  mock.timers.reset();
});

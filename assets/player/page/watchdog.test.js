import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createWatchdog } from './watchdog.js';

const TRACE = { run: 'a', live: true, stop: null, rounds: [1, 2] };
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
  watchdog.watch(TRACE);
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
  watchdog.watch(TRACE);
  await wait(5000);
  await wait(5000);
  assert.deepEqual(log, [ASKED, ASKED, { run: 'a', n: 3, j: null }]);
  mock.timers.reset();
});

test('a run that ended or was made elsewhere is not waited for, nor one that gave way meanwhile', async () => {
  const { watchdog, log, wait } = over(() => []);
  watchdog.watch({ ...TRACE, stop: 'length' });
  watchdog.watch({ ...TRACE, live: false });
  watchdog.watch(TRACE);
  watchdog.watch({ ...TRACE, run: 'b', stop: 'stopped' });
  await wait(50_000);
  assert.deepEqual(log, []);
  mock.timers.reset();
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFeed } from './feed.js';

const MESSAGES = [
  { head: { info: { name: 'a' } }, live: false, repeats: false },
  { round: { index: 0 } },
  { round: { index: 1 } },
  { end: { stop: 'length' } },
].map((message) => JSON.stringify(message));
const delta = (n, run = 'a') => ({ run, n, j: MESSAGES[n] });

/** A feed over a server that holds `kept` messages; log collects what the page would be told. */
function feedOver(kept = MESSAGES) {
  const log = { shown: [], remarks: [], asked: [], lost: 0 };
  const fetch = async (request) => {
    log.asked.push(request);
    return kept.slice(request.start, request.stop);
  };
  const feed = createFeed(fetch, {
    onTrace: (trace) => log.shown.push([trace.run, trace.rounds.length, trace.stop]),
    onRemark: (...all) => log.remarks.push(all),
    onLost: () => {
      log.lost += 1;
    },
  });
  return { feed, log };
}

test('a run grows message by message and asks for nothing; those that come twice or late change nothing', async () => {
  const { feed, log } = feedOver();
  for (const n of [0, 1, 1, 0, 2, 3, 3]) await feed(delta(n));
  assert.deepEqual(log.shown, [
    ['a', 0, null],
    ['a', 1, null],
    ['a', 2, null],
    ['a', 2, 'length'],
  ]);
  assert.deepEqual(log.asked, []);
});

test('lost messages are asked for and nothing is shown out of order', async () => {
  const { feed, log } = feedOver();
  await feed(delta(0));
  await feed(delta(3));
  assert.deepEqual(log.asked, [{ run: 'a', start: 1, stop: 3 }]);
  assert.deepEqual(log.shown.at(-1), ['a', 2, 'length']);
});

test('an answer for a run that has left the stage is dropped', async () => {
  let answer;
  const shown = [];
  const feed = createFeed(
    (request) =>
      request.run === 'a'
        ? new Promise((resolve) => {
            answer = resolve;
          })
        : MESSAGES,
    { onTrace: ({ run }) => shown.push(run), onRemark() {}, onLost() {} },
  );
  const old = feed(delta(3));
  for (let n = 0; n < 4; n += 1) await feed(delta(n, 'b'));
  answer(MESSAGES.slice(0, 3));
  await old;
  assert.deepEqual([...new Set(shown)], ['b']);
});

test('a refusal is a remark and leaves the trace alone', async () => {
  const { feed, log } = feedOver();
  await feed(delta(0));
  await feed({ run: 'b', n: -1, j: '{"refusal":"gamma is 99"}' });
  assert.deepEqual(log.remarks, [['refusal', 'gamma is 99', 'b']]);
  assert.equal(log.shown.length, 1);
});

test('a run the server has forgotten is reported, not waited for', async () => {
  const { feed, log } = feedOver([]);
  await feed(delta(3));
  assert.equal(log.lost, 1);
});

test('a live run that was left for another does not push itself back, a finished one may be opened again', async () => {
  const { feed, log } = feedOver();
  await feed(delta(0));
  await feed(delta(1));
  await feed(delta(3, 'recorded'));
  await feed(delta(2));
  await feed(delta(3));
  assert.equal(log.shown.at(-1)[0], 'recorded');
  await feed(delta(3, 'other'));
  await feed(delta(3, 'recorded'));
  assert.equal(log.shown.at(-1)[0], 'recorded');
});

const RACE = JSON.stringify({ race: { passes: [2, 2], plain_laps: [4] }, where: { device: 'cpu' } });
const NEWER = RACE.replace('[4]', '[5]');

test('a race comes after the end, is asked for once it is there, and gives way to a newer one', async () => {
  const kept = [...MESSAGES];
  const races = [];
  const feed = createFeed(async ({ start, stop }) => kept.slice(start, stop), {
    onTrace: ({ race }) => races.push(race),
    onRemark() {},
    onLost() {},
  });
  await feed(delta(3));
  assert.equal(races.at(-1), null);
  kept.push(RACE);
  await feed({ run: 'a', n: 4, j: null });
  assert.deepEqual(races.at(-1).plain_laps, [4]);
  kept.splice(4, 1, '{}', NEWER);
  await feed({ run: 'a', n: 5, j: null });
  assert.deepEqual(races.at(-1), { passes: [2, 2], plain_laps: [5], where: { device: 'cpu' } });
  const before = races.length;
  await feed({ run: 'a', n: 5, j: null });
  assert.equal(races.length, before, 'nothing is asked for twice');
});

test('a run from a file takes the stage whole, ends one under way, and gives way to the next', async () => {
  const { feed, log } = feedOver();
  await feed({ run: 'mine', n: -1, j: '{"note":"being made"}' });
  await feed(delta(0, 'mine'));
  await feed({ run: 'file 1', n: 0, trace: { run: 'file 1', rounds: [1, 2, 3], stop: 'eos' } });
  await feed(delta(1, 'mine'));
  await feed({ run: 'mine', n: 1, j: null });
  assert.deepEqual(log.shown.slice(1), [['file 1', 3, 'eos']]);
  await feed(delta(3));
  assert.deepEqual(log.shown.at(-1), ['a', 2, 'length']);
  assert.deepEqual(log.asked, [{ run: 'a', start: 0, stop: 3 }]);
});

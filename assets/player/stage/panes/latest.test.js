import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createLatest } from './latest.js';

function asking() {
  const sent = [];
  return { sent, ...createLatest((question) => sent.push(question)) };
}

const question = (find) => ({ run: 'a', slot: 0, find });
const answer = (find, more = {}) => ({ ...question(find), count: 1, ...more });

test('a question is sent at once and its answer handed on once', () => {
  const { sent, want, hear } = asking();
  want(question(''));
  assert.deepEqual(sent, [question('')]);
  assert.deepEqual(hear(answer('')), answer(''));
  assert.equal(hear(answer('')), null);
});

test('what is wanted while one is on its way is asked after it, and only the newest', () => {
  const { sent, want, hear } = asking();
  for (const find of ['', 'c', 'ca', 'cat']) want(question(find));
  assert.deepEqual(
    sent.map(({ find }) => find),
    [''],
  );
  assert.equal(hear(answer('')), null);
  assert.deepEqual(
    sent.map(({ find }) => find),
    ['', 'cat'],
  );
  assert.deepEqual(hear(answer('cat')), answer('cat'));
});

test('an answer to another run, slot or search is none', () => {
  const { want, hear } = asking();
  want(question('cat'));
  for (const other of [answer('dog'), answer('cat', { slot: 1 }), answer('cat', { run: 'b' })])
    assert.equal(hear(other), null);
  assert.ok(hear(answer('cat')));
});

test('after dropping everything nothing is heard, and the next question is sent at once', () => {
  const { sent, want, hear, drop } = asking();
  want(question(''));
  drop();
  assert.equal(hear(answer('')), null);
  want(question('x'));
  assert.equal(sent.length, 2);
  assert.equal(hear(answer('')), null);
  assert.ok(hear(answer('x')));
});

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
  const { sent, want, receive } = asking();
  want(question(''));
  assert.deepEqual(sent, [question('')]);
  assert.deepEqual(receive(answer('')), answer(''));
  assert.equal(receive(answer('')), null);
});

test('what is wanted while one is on its way is asked after it, and only the newest', () => {
  const { sent, want, receive } = asking();
  for (const find of ['', 'c', 'ca', 'cat']) want(question(find));
  assert.deepEqual(
    sent.map(({ find }) => find),
    [''],
  );
  assert.equal(receive(answer('')), null);
  assert.deepEqual(
    sent.map(({ find }) => find),
    ['', 'cat'],
  );
  assert.deepEqual(receive(answer('cat')), answer('cat'));
});

test('an answer to another run, slot or search is none', () => {
  const { want, receive } = asking();
  want(question('cat'));
  for (const other of [answer('dog'), answer('cat', { slot: 1 }), answer('cat', { run: 'b' })])
    assert.equal(receive(other), null);
  assert.ok(receive(answer('cat')));
});

test('after dropping everything nothing is heard, and the next question is sent at once', () => {
  const { sent, want, receive, drop } = asking();
  want(question(''));
  drop();
  assert.equal(receive(answer('')), null);
  want(question('x'));
  assert.equal(sent.length, 2);
  assert.equal(receive(answer('')), null);
  assert.ok(receive(answer('x')));
});

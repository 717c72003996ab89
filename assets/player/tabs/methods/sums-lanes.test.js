import assert from 'node:assert/strict';
import { test } from 'node:test';
import { across, judgements } from './sums-lanes.js';

const tokens = (ids) => [...ids].map((id) => ({ id, text: `“${id}”`, label: `${id}, accepted` }));
const lanes = (...given) =>
  given.map(([fixed, ids, lossy = false], index) => ({
    letter: 'ABCD'[index],
    fixed,
    lossy,
    tokens: tokens(ids),
  }));
const said = (...given) =>
  judgements(lanes(...given)).map(({ kind, at, sentence }) => [
    kind,
    at,
    sentence.match(/^[A-D, and]+(?= |:)/)?.[0].trim() ?? '',
  ]);

test('greedy texts must be equal, whoever guesses, and the earliest difference is said loudly', () => {
  assert.deepEqual(said(['greedy', 'abcd'], ['greedy', 'abcd'], ['greedy', 'abcd']), [
    ['equal', null, 'A, B and C'],
  ]);
  const [judged, ...more] = judgements(lanes(['greedy', 'abcd'], ['greedy', 'abcx'], ['greedy', 'axcd']));
  assert.deepEqual([judged.kind, judged.at, more], ['different', 1, []]);
  assert.match(judged.sentence, /^A and C differ from token 2 on: ““b”” vs\. ““x””\. /);
  assert.match(judged.sentence, / At T = 0 they must be equal, so this is a bug or a numerical tie/);
  const [shorter] = judgements(lanes(['greedy', 'abc'], ['greedy', 'ab']));
  assert.deepEqual([shorter.kind, shorter.at], ['different', 2]);
  assert.match(shorter.sentence, /vs\. “the end of the text”/);
});

test('with shared noise texts must be equal too; drawn ones share the distribution, but for a lossy rule', () => {
  assert.deepEqual(said(['coupled', 'ab'], ['coupled', 'ab']), [['equal', null, 'A and B']]);
  assert.deepEqual(said(['coupled', 'ab'], ['coupled', 'ac']), [['different', 1, 'A and B']]);
  assert.deepEqual(said([null, 'ab'], [null, 'cd'], [null, 'cd', true]), [
    ['same', null, 'A and B'],
    ['none', null, 'C'],
  ]);
});

test('one lane alone has nothing to be held against, and every lane tells what it wrote at a position', () => {
  assert.match(judgements(lanes([null, 'ab']))[0].sentence, /Only lane A/);
  assert.equal(judgements([])[0].kind, 'none');
  const [first, second] = across(lanes([null, 'ab'], [null, 'a']), 1);
  assert.deepEqual([first[1].id, second], ['b', ['B', null]]);
});

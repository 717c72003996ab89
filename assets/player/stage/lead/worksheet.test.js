import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { worksheetOf } from './worksheet.js';
import { storyOf } from '../../trace/story.js';

const story = (name) =>
  storyOf(JSON.parse(readFileSync(new URL(`../../../traces/${name}.json`, import.meta.url))));

test('a sheet gives p and q of each guess and the numbers drawn, and asks what follows from them', () => {
  const tale = story('tale-small-model');
  const { guesses, parts } = worksheetOf(tale, 0);
  assert.deepEqual(
    guesses
      .map(({ text, given, blank }) => [text, given.join(' '), blank.map(([, answer]) => answer).join(' ')])
      .slice(2),
    [
      ['of', 'p = 0.00409 q = 0.0212', '0.392 0.193 reject'],
      ['the', 'p = 0.812 q = 0.712', '– – never tested'],
    ],
  );
  const drawn = parts[0].text.match(/0\.\d+/g).map(Number);
  assert.equal(drawn.length, 5, 'as many as if all were accepted, so that their number tells nothing');
  assert.deepEqual(drawn.slice(2, 4), [0.392, 0.677], 'that of the third test, then that of its replacement');
  const { view, u } = tale.trace.rounds[0].extra;
  const own = view.bars.find(({ token }) => token === tale.trace.rounds[0].extra.token);
  const [odds, , over, stretched] = parts[1].items.map(([, answer]) => Number(answer));
  assert.ok(u > 0 && Math.abs(over - own.residual) < 1e-3 && Math.abs(stretched - over / odds) < 1e-2);
  const given = JSON.stringify([
    guesses.map((guess) => guess.given),
    parts.map(({ title, text, items }) => [title, text, items.map(([question]) => question)]),
  ]);
  for (const answer of [guesses[2].blank[1][1], ...parts[1].items.map(([, each]) => each)])
    assert.ok(!given.includes(answer), `${answer} is given away`);
});

test('there is none where no number tests a guess by itself', () => {
  assert.equal(worksheetOf(story('tale-small-model-shared-noise'), 0), null);
  assert.equal(worksheetOf(story('tale-small-model-typical-lossy'), 0), null);
  assert.equal(
    worksheetOf(story('tale-small-tree'), 0),
    null,
    'a sibling is tested after a rejection, with another p',
  );
});

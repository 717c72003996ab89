import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fromColumns, toColumns } from './columns.js';

test('a trace comes back to the letter', () => {
  for (const name of ['tale-medusa', 'code-online']) {
    const json = readFileSync(new URL(`../../traces/${name}.json`, import.meta.url), 'utf8').trim();
    assert.equal(fromColumns(toColumns(json)), json);
    assert.notEqual(toColumns(json), json);
  }
});

test('so does what looks like a field, and what holds none', () => {
  const texts = ['p', '"p":1', '"p":', '","', '=', '\\', '\\"', 'a\nb', '\u2028', '{"p":2}', '日本', '$&'];
  for (const text of texts) {
    const json = JSON.stringify({
      p: text,
      [text]: text,
      list: [text, { p: -0, q: 1e-21, t: null }, {}],
      __proto__: 1,
      end: { n: [true, ''], constructor: text },
    });
    assert.equal(fromColumns(toColumns(json)), json);
    assert.equal(fromColumns(json), json);
  }
});

test('columns that miss a value are no JSON', () => {
  assert.throws(() => JSON.parse(fromColumns('{"p":,"q":}\np=1')));
});

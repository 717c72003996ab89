import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from './format.js';
import { sentences, speak, tell, words } from './words.js';

const [english, ...others] = ['en', 'de', 'zh'].map((language) =>
  JSON.parse(readFileSync(new URL(`./${language}.json`, import.meta.url), 'utf8')),
);

/** Every message of a table: [[its path, the message]]. */
function messagesOf(table, path = '') {
  if (typeof table === 'string') return [[path, table]];
  return Object.entries(table).flatMap(([key, each]) => messagesOf(each, path ? `${path}.${key}` : key));
}

/** The values that a message takes, and the roles that it has. */
function takenBy(nodes) {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    if (node.tag) return [`<${node.tag}>`, ...takenBy(node.nodes)];
    return [node.name, ...takenBy(node.item ?? []), ...Object.values(node.cases ?? {}).flatMap(takenBy)];
  });
}

test('a translation has messages of English only, and none takes what English does not', () => {
  const known = Object.fromEntries(messagesOf(english).map(([path, message]) => [path, parse(message)]));
  for (const table of others)
    for (const [path, message] of messagesOf(table)) {
      const at = `${table.language} ${path}`;
      assert.ok(path in known, `${at} is not English`);
      const taken = [...new Set(takenBy(parse(message)))];
      assert.deepEqual(
        taken.filter((name) => !takenBy(known[path]).includes(name)),
        [],
        at,
      );
    }
});

test('a sentence is told by its code, whatever its values are, and an unknown code as it is', () => {
  assert.equal(tell({ code: 'reasons.always', gamma: 4 }), 'always 4');
  assert.equal(
    tell({ code: 'reasons.jacobi.answer', passes: 'constructor' }),
    "the target's answer here, after constructor passes",
  );
  assert.equal(tell({ code: 'reasons.always', gamma: '{\u202e<b>' }), 'always {<U+202E><b>');
  for (const code of ['{', '{a, plural', '<b>', 'reasons', 'reasons.constructor', 'x'.repeat(99)])
    assert.equal(tell({ code }), code);
  assert.deepEqual(['a\u200b', undefined, null].map(tell), ['a<U+200B>', '', '']);
});

test('every token has something to say', () => {
  assert.deepEqual([' dog', '\n', '  ', '', '\u200B'].map(speak), [
    'dog',
    'line break',
    'space',
    'empty token',
    '<U+200B>',
  ]);
});

test('sentences stand one after another, those that say something', () => {
  assert.equal(sentences(['a.', '', null, 'b.']), 'a. b.');
  assert.equal(words.states.draft, 'guess');
});

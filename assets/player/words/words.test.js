import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from './format.js';
import { sentences, speak, tell, words } from './words.js';

const [english, ...others] = ['en', 'de', 'zh'].map((language) =>
  JSON.parse(readFileSync(new URL(`./${language}.json`, import.meta.url), 'utf8')),
);
/** The same in every language: mathematics, names of people and papers, code. */
const NAMES =
  /argmax|min|max|norm|exp|log|top-[kp]|[A-Z]\w+(?:, [A-Z]\w+| and \w+)* et al\.|arXiv|ngram|n-gram/g;

/** Pseudo-code of papers. */
const PSEUDOCODE =
  /^stage\.algorithm\.(?:paper|block|tree|traversal|greedy|coupled|typical|ensemble|relaxed)\b/;

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

/** What a message says itself. */
function saidBy(nodes) {
  return nodes
    .map((node) =>
      typeof node === 'string'
        ? node
        : [node.nodes, node.item, ...Object.values(node.cases ?? {})]
            .map((each) => saidBy(each ?? []))
            .join(' '),
    )
    .join(' ');
}

test('every language has the messages of English but for formulas, and no message takes what English does not', () => {
  const known = Object.fromEntries(messagesOf(english).map(([path, message]) => [path, parse(message)]));
  for (const table of others) {
    const found = Object.fromEntries(messagesOf(table));
    for (const [path, nodes] of Object.entries(known)) {
      const at = `${table.language} ${path}`;
      if (path in found) {
        const taken = [...new Set(takenBy(parse(found[path])))];
        assert.deepEqual(
          taken.filter((name) => !takenBy(nodes).includes(name)),
          [],
          at,
        );
      } else if (!PSEUDOCODE.test(path))
        assert.doesNotMatch(saidBy(nodes).replace(NAMES, ''), /\p{L}{3}/u, `${at} is missing`);
    }
    for (const path of Object.keys(found))
      assert.ok(path in known, `${table.language} ${path} is not English`);
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

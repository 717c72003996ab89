import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse, speaker, textOf, wordsOf } from './format.js';
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

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const tables = Object.fromEntries(['en', 'de', 'zh'].map((name) => [name, read(`./${name}.json`)]));
const say = (name) =>
  speaker(name === 'en' ? 'en-GB' : tables[name].language, tables[name].grammar, (code) =>
    code.split('.').reduce((part, key) => part?.[key], tables[name]),
  );

test('a message says the same here as in Python', () => {
  for (const [message, values, language, sentence] of read('../../../tests/unit/messages.json')) {
    assert.equal(say(language)(parse(message), values).map(textOf).join(''), sentence, message);
  }
});

test('numbers in a sentence have the marks of its language, also those the server counted in English', () => {
  const lookup = () => '{length, plural, =1 {ein Zeichen} other {{length} Zeichen}} bei {T}';
  const told = speaker('de', {}, lookup, {}, [',', '.']);
  const of = (values) =>
    told(parse('{it}'), { it: { code: 'any', ...values } })
      .map(textOf)
      .join('');
  assert.equal(of({ length: '20,000', T: 0.8 }), '20.000 Zeichen bei 0,8');
  assert.equal(of({ length: '0.92 M', T: '4.57.1' }), '0,92 M Zeichen bei 4.57.1');
  assert.equal(of({ length: '1', T: 1 }), 'ein Zeichen bei 1');
});

test('roles become pieces, and a table keeps its shape', () => {
  const words = wordsOf(
    {
      plain: 'a \\{b\\}',
      many: '{n} of {m}',
      said: 'The <target>big</target> one',
      late: ['<late><bonus>{token, quoted}</bonus></late> is <var>p</var>'],
    },
    say('en'),
  );
  assert.equal(words.plain, 'a {b}');
  assert.equal(words.many({ n: 1, m: 2 }), '1 of 2');
  assert.deepEqual(words.said, ['The ', { text: 'big', role: 'target' }, ' one']);
  assert.deepEqual(words.late[0]({ token: 'x' }), [
    { text: '“x”', role: 'bonus', late: true },
    ' is ',
    { var: 'p' },
  ]);
});

test('a message that does not end, or ends too often, is refused', () => {
  for (const message of ['{n', '{n, plural, one {x}', 'a }', '<b>x', 'x</b>', '{}'])
    assert.throws(() => parse(message), SyntaxError);
});

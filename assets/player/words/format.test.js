import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse, speaker, textOf, wordsOf } from './format.js';

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

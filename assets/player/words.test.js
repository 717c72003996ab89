import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const HERE = new URL('.', import.meta.url);
const ENGINE = new URL('../../specviz/', HERE);
const read = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith(ending) && !name.endsWith('.test.js'))
    .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]);
const PLAYER = read(HERE, '.js');

/** The quoted texts of a piece of code, without its comments, patterns and what is computed in between. */
function literals(code) {
  const bare = code
    .replace(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/g, '')
    .replace(/(?<=[(,=]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[gimsuy]*/g, '');
  const found = [];
  const take = (quoted) => {
    found.push(quoted.slice(1, -1));
    return '0';
  };
  let [rest, before] = [bare.replace(/'(?:[^'\\\n]|\\.)*'/g, take), ''];
  while (rest !== before) {
    // from the innermost template outwards
    before = rest;
    rest = rest.replace(/\$\{(?:[^{}`]|\{[^{}`]*\})*\}/g, '·').replace(/`[^`$]*`/g, take);
  }
  return found;
}

/**
 * Texts in the code that nobody reads on the page: kinds of events, places of Plotly's labels, ids, what
 * only a programmer reads, and pseudo-code.
 */
const UNREAD = [
  /^(?:Files|file ·|Enter|Escape|Tab|Under|Arrow\w*|shared noise|no drafter|fresh 0|round · has no beat · ·)$/,
  /^(?:(?:top|middle|bottom) (?:left|right|center)|specviz[ ·]*|sv-pair-label sv-pair-value)$/,
  /^(?:for i = 1|p′\(x\)|prefix) |argmax/,
];

test('no word and no quotation mark stands outside the tables', () => {
  const found = PLAYER.filter(([name]) => name !== 'tabs/prompts.js').flatMap(([name, code]) => {
    const phrases = literals(code).filter(
      (text) =>
        /[“”„]/.test(text) ||
        (/^[A-Z][a-z]+\b|\b[a-z]{2,} [a-z]{2,}\b/.test(text) && !/[#=;:[\]{}<>]|px|^\(/.test(text)),
    );
    const shown = [
      ...code.matchAll(/\b(?:el|svg)\([^()]*\}, '([^']*[A-Za-z]{2,}[^']*)'/g),
      ...code.matchAll(/\bwrite\(\w+, '([^']*[A-Za-z]{2,}[^']*)'/g),
      ...code.matchAll(/(?:title|placeholder|alt|'aria-label'): '([^']*[A-Za-z]{2,}[^']*)'/g),
    ].map(([, text]) => text);
    return [...phrases, ...shown]
      .filter((text) => !UNREAD.some((pattern) => pattern.test(text)))
      .map((text) => `${name}: ${text}`);
  });
  assert.deepEqual(found, []);
});

test('the code asks for every message', () => {
  const code = [...PLAYER, ...read(ENGINE, '.py')].map(([, text]) => text).join('\n');
  const messages = readFileSync(new URL('words/en.json', HERE), 'utf8');
  const kinds = [...messages.matchAll(/\{\w+, (\w+)\}/g)].map(([, kind]) => kind);
  const names = new Set(
    [...code.match(/[A-Za-z_$]\w*(?:-\w+)*|\w+/g), ...kinds].flatMap((name) => [name, ...name.split('-')]),
  );
  const unasked = (table) =>
    Object.entries(table).flatMap(([key, value]) => [
      ...(names.has(key) || /^\d+$|^no drafter$|^(?:number|greedy|coupled|typical)Under$/.test(key)
        ? []
        : [key]),
      ...(typeof value === 'object' ? unasked(value) : []),
    ]);
  assert.deepEqual(unasked(JSON.parse(messages)), []);
});

test('a message is given its values as one object', () => {
  const METHODS = 'map|filter|flatMap|forEach|find|includes|join|slice|indexOf|replace|append|entries';
  const VALUES = '\\{|numbers\\(\\{|\\)|[\\w.]+\\)';
  const CALL = new RegExp(
    `\\b(?:words|texts|says|say|look)(?:\\.(?!(?:${METHODS})\\()\\w+|\\[[^\\]]*\\])+\\(\\s*(?!${VALUES}).*`,
    'g',
  );
  const found = PLAYER.flatMap(([name, code]) => (code.match(CALL) ?? []).map((call) => `${name}: ${call}`));
  assert.deepEqual(found, []);
});

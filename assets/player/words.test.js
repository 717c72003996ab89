import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { isTable, translated } from './base/language.js';
import { words as all } from './words/words.js';

const HERE = new URL('.', import.meta.url);
const FILES = readdirSync(HERE, { recursive: true })
  .filter((name) => name.endsWith('.js') && !name.endsWith('.test.js'))
  .map((name) => name.replaceAll('\\', '/'));
const LANGUAGES = ['de', 'zh'];
/** Exports of the words' modules that are no words: what models read, and the pseudo-code of papers. */
const NO_WORDS = ['PROMPTS', 'TEXTS', 'PRESETS', 'TRIED'];
const PSEUDOCODE = [
  'block',
  'tree',
  'traversal',
  'sample',
  'parallel',
  'count',
  'adjust',
  'last',
  'greedy',
  'coupled',
  'typical',
].map((name) => `algorithm.${name}`);
/** The kinds of marks in the picture of heads, by their ids. */
const KINDS = 'heads.marks.';
/** The same in every language: mathematics, names of people and papers, code. */
const NAMES =
  /argmax|min|max|norm|exp|log|top-[kp]|[A-Z]\w+(?:, [A-Z]\w+| and \w+)* et al\.|arXiv|ngram|n-gram/g;

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

/** What a word says: its text, those of its pieces, or those that a function puts together. */
function said(word) {
  if (typeof word === 'string') return word;
  if (typeof word === 'function') return literals(String(word)).join('\n');
  return Object.values(word ?? {})
    .map(said)
    .join('\n');
}

function add(to, from) {
  for (const [key, value] of Object.entries(from)) {
    if (isTable(value) && isTable(to[key])) add((to[key] = { ...to[key] }), value);
    else to[key] = value;
  }
}

/** All that the rooms say in English, in one table as the languages have it. */
async function english() {
  const table = {};
  const isJson = ([key, value]) => all[key] === value;
  for (const name of FILES.filter(
    (file) =>
      /(^|\/)words[^/]*\.js$/.test(file) &&
      !['words', ...LANGUAGES].some((each) => `/${file}`.includes(`/${each}/`)),
  )) {
    const { words = {}, ...named } = await import(new URL(name, HERE));
    add(table, Object.fromEntries(Object.entries(words).filter((entry) => !isJson(entry))));
    add(
      table,
      Object.fromEntries(
        Object.entries(named).filter(([key, value]) => isTable(value) && !NO_WORDS.includes(key)),
      ),
    );
  }
  return table;
}

/** Says what a language lacks of English, or has and English has not, or has in another form. */
function* faults(word, own, path) {
  if (isTable(word)) {
    for (const key of new Set([...Object.keys(word), ...Object.keys(own ?? {})]))
      yield* faults(word[key], own?.[key], path ? `${path}.${key}` : key);
  } else if (word === undefined) yield `${path} is not English`;
  else if (own === undefined) {
    if (
      !PSEUDOCODE.includes(path) &&
      !path.startsWith(KINDS) &&
      /\p{L}{3}/u.test(said(word).replace(NAMES, ''))
    )
      yield `${path} is missing`;
  } else if (typeof own !== typeof word || Array.isArray(own) !== Array.isArray(word))
    yield `${path} is of another kind`;
  else if (typeof own === 'function' && own.length > word.length)
    yield `${path} asks for more than English is given`;
}

for (const language of LANGUAGES) {
  test(`${language} has every word of English, each in the same form`, async () => {
    const [below, above] = await Promise.all(
      ['base', 'tabs'].map((room) => import(`./${room}/${language}/words.js`)),
    );
    assert.deepEqual([...faults(await english(), { ...below.words, ...above.words }, '')], []);
  });
}

test('a table is taken word by word, and what a language lacks stays', () => {
  const many = (count) => `${count} Token`;
  assert.deepEqual(
    translated(
      { a: 'yes', b: { c: 'p', d: ['x', { var: 'q' }] }, e: () => '' },
      { a: 'ja', b: { d: ['y'] }, e: many },
    ),
    { a: 'ja', b: { c: 'p', d: ['y'] }, e: many },
  );
});

/**
 * Texts in the code that nobody reads on the page: kinds of events, places of Plotly's labels, ids, what
 * only a programmer reads, and pseudo-code.
 */
const UNREAD =
  /^(?:Files|file ·|Enter|Escape|Tab|Under|shared noise|no drafter|fresh 0|(?:top|middle|bottom) (?:left|right|center)|round · has no beat · ·|specviz[ ·]*|sv-pair-label sv-pair-value|if n < γ then|(?:for i = 1|return prefix|p′\(x\)|n ←|prefix) .*|Arrow\w*|.*argmax.*)$/;

test('no word and no quotation mark stands outside the tables', () => {
  const found = FILES.filter((name) => !/words[^/]*\.js$|\/(?:de|zh)\//.test(name)).flatMap((name) => {
    const code = readFileSync(new URL(name, HERE), 'utf8');
    const phrases = literals(code).filter(
      (text) =>
        /[“”„]/.test(text) ||
        (/^[A-Z][a-z]+\b|\b[a-z]{2,} [a-z]{2,}\b/.test(text) && !/[#=;:[\]{}<>]|px|^\(/.test(text)),
    );
    const shown = [
      ...code.matchAll(
        /\b(?:el|svg)\([^()]*\}, '([^']*[A-Za-z]{2,}[^']*)'|\bwrite\(\w+, '([^']*[A-Za-z]{2,}[^']*)'|(?:title|placeholder|alt|'aria-label'): '([^']*[A-Za-z]{2,}[^']*)'/g,
      ),
    ].map(([, ...texts]) => texts.find(Boolean));
    return [...phrases, ...shown].filter((text) => !UNREAD.test(text)).map((text) => `${name}: ${text}`);
  });
  assert.deepEqual(found, []);
});

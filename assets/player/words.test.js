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

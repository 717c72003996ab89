/**
 * traces.js: every recorded trace in the project, for the player's tests: those shipped and those kept
 * here, where theory.json is none and grammar.json ends in a way that these tests do not expect.
 */

import { existsSync, readFileSync, readdirSync } from 'node:fs';

const FOLDERS = [new URL('.', import.meta.url), new URL('../../assets/traces/', import.meta.url)];

let read = null;

/** One of them by its name, the caller's own to change. */
export function golden(name) {
  return structuredClone(traces().find((trace) => trace.name === `${name}.json`));
}

/** What every member of a list has under a name. */
export function column(list, name) {
  return list.map((each) => each[name]);
}

/** The traces, each with the name of its file: read once for all tests, none of which can change them. */
export function traces() {
  read ??= FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !['theory.json', 'grammar.json'].includes(name))
      .map((name) => {
        const text = readFileSync(new URL(name, folder), 'utf-8');
        return Object.freeze({ name, ...JSON.parse(text, (_, value) => Object.freeze(value)) });
      }),
  );
  return [...read];
}

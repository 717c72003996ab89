/**
 * traces.js: every recorded trace in the project, for the player's tests: those shipped and those kept
 * here, where theory.json is none and grammar.json ends in a way that these tests do not expect.
 */

import { existsSync, readFileSync, readdirSync } from 'node:fs';

const FOLDERS = [new URL('.', import.meta.url), new URL('../../assets/traces/', import.meta.url)];

/** The traces, each with the name of its file. */
export function traces() {
  return FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !['theory.json', 'grammar.json'].includes(name))
      .map((name) => ({ name, ...JSON.parse(readFileSync(new URL(name, folder), 'utf-8')) })),
  );
}

/**
 * traces.js: every recorded trace in the project, for the player's tests: those shipped and those kept
 * here, where theory.json is none.
 */

import { existsSync, readFileSync, readdirSync } from 'node:fs';

const FOLDERS = [new URL('.', import.meta.url), new URL('../../assets/traces/', import.meta.url)];

/** The traces, each with the name of its file. */
export function traces() {
  return FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json') && name !== 'theory.json')
      .map((name) => ({ name, ...JSON.parse(readFileSync(new URL(name, folder), 'utf-8')) })),
  );
}

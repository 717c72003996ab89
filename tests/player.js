/**
 * player.js: the player's tests in one process, so that what many of them look at is made once: node
 * tests/player.js FILE...
 */

import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

let begin;
// The first test begins at once, its file read to the end or not; so it is this one, and the others wait.
test('every file is read', () =>
  new Promise((resolve) => {
    begin = resolve;
  }));
for (const path of process.argv.slice(2)) await import(pathToFileURL(path));
begin();

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { storyOf } from '../../trace/story.js';
import { scene } from '../scene.js';
import { MAKERS } from './source.js';

const TRACES = new URL('../../../traces/', import.meta.url);
const ENTRIES = new URL('../../../../specviz/draft/__init__.py', import.meta.url);

test('every drafter of the catalog has a maker of its source', () => {
  const catalog = [...readFileSync(ENTRIES, 'utf8').matchAll(/DraftEntry\(\s*name="([a-z-]+)"/g)];
  assert.deepEqual(
    catalog.map(([, name]) => name),
    Object.keys(MAKERS),
  );
});

test('a line says who guesses and from what while guesses are made, at the check only where it tells more', () => {
  for (const name of readdirSync(TRACES)) {
    const story = storyOf({ ...JSON.parse(readFileSync(new URL(name, TRACES), 'utf8')), live: false });
    story.beats.slice(0, 40).forEach(({ kind }, at) => {
      const { source } = scene(story, at);
      if (kind === 'verify' && /eagle|lookahead/.test(name)) return assert.ok(source, name);
      assert.equal(source !== null, kind === 'draft', name);
    });
  }
});

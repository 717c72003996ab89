import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { show } from '../../base/format.js';
import { scene } from '../scene.js';
import { momentOf } from '../../trace/moment.js';
import { storyOf } from '../../trace/story.js';
import { passesOf } from './passes.js';

const load = (name) =>
  storyOf({
    ...JSON.parse(readFileSync(new URL(`../../../traces/${name}.json`, import.meta.url), 'utf-8')),
    live: false,
  });

/** Every moment with its picture. */
function everywhere(name, look) {
  const story = load(name);
  story.beats.slice(0, -1).forEach((beat, at) => {
    const { mask } = scene(story, at);
    if (beat.kind === 'rest') return;
    look(passesOf(story, momentOf(story.trace, beat)), beat, story.trace.rounds, mask);
  });
}

test('where somebody drafts there is no such picture', () => {
  everywhere('tale-bigram', (passes) => assert.equal(passes, null));
});

for (const name of ['code-jacobi', 'tale-jacobi-shared-noise']) {
  test(`${name}: the last row is this pass, and what it made certain stands there once it is settled`, () => {
    let settled = 0;
    everywhere(name, ({ rows, places, says }, { kind, round: index }, rounds) => {
      const { position, path, verdicts, extra } = rounds[index];
      const last = rows.at(-1);
      assert.ok(last.now && rows.slice(0, -1).every(({ now }) => !now) && rows.length <= 7);
      assert.ok(says.length > 20 && last.cells.every(({ at }) => at >= 0 && at < places.length));
      if (kind !== 'trim') return;
      settled += 1;
      const certain = last.cells.filter(({ look }) => look !== 'draft');
      assert.deepEqual(
        certain.map(({ text }) => text),
        [...path.map((node) => show(verdicts[node].text)), ...(extra ? [show(extra.text)] : [])].slice(
          0,
          certain.length,
        ),
      );
      assert.equal(places[certain[0].at], position);
    });
    assert.ok(settled > 20);
  });
}

for (const name of ['code-lookahead', 'tale-lookahead']) {
  test(`${name}: levels of the window, the groups tried, and the one that fitted`, () => {
    const seen = new Set();
    everywhere(name, ({ rows, groups, says }, { kind, round: index }, rounds) => {
      const { path, scouts = [], verdicts } = rounds[index];
      seen.add(says.replaceAll(/“.*”|\d+/g, '…'));
      assert.ok(rows.filter(({ now }) => !now).length <= 3);
      if (!scouts.length)
        assert.deepEqual(
          rows.filter(({ now }) => !now),
          [],
        );
      assert.equal(
        groups.some(({ groups: all }) => all.some(({ hit }) => hit)),
        path.length > 0 &&
          verdicts.length > 0 &&
          ['replace', 'bonus', 'join', 'gather', 'trim'].includes(kind),
      );
    });
    assert.ok([...seen].some((text) => text.startsWith('The window fills')));
    assert.ok([...seen].some((text) => text.startsWith('One of them fits')));
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../../base/statistics.js';
import { scene, supposed } from '../scene.js';
import { ROLLS, reachOf, rolled } from './rolls.js';
import { storyOf } from '../../trace/story.js';
import { golden } from '../../../../tests/golden/traces.js';
import { close } from '../../../../tests/golden/scenes.js';

const SEED = Number(process.env.SPECVIZ_SEED ?? 1) % 2 ** 31;
const story = storyOf(golden('tale-small-model'));
const tested = story.beats.flatMap(({ kind }, at) => (kind === 'dart' ? [at] : []));

test('accepted guesses and replacements together are p, each at its own rate', () => {
  let far = 0;
  let many = 0;
  for (const [index, at] of tested.entries()) {
    const { figure, ruler } = scene(story, at);
    assert.ok(ruler.moves);
    const { rows, accepted } = rolled(figure, SEED + index, ROLLS);
    close(sum(rows.map(({ p }) => p)), 1, 'all rolls', 1e-9);
    close(sum(rows.map(({ overlap }) => overlap)), accepted / ROLLS, 'accepted', 1e-9);
    assert.ok(Math.abs(accepted / ROLLS - figure.overlap) < 3 * reachOf(figure.overlap));
    rows.forEach(({ p, overlap, residual, before }, row) => {
      assert.ok(figure.rows[row].overlap > 0 || overlap === 0);
      assert.ok(figure.rows[row].residual > 0 || residual === 0);
      if (before * ROLLS < 10) return;
      assert.ok(Math.abs(p - before) < 3 * reachOf(before), `${p} for ${before}`);
      many += 1;
      far += Math.abs(p - before) > reachOf(before) ? 1 : 0;
    });
  }
  assert.ok(many > 100 && far / many > 0.01 && far / many < 0.12, `${far} of ${many} outside of 95 in 100`);
});

test('rolls pile up, the same ones for the same seed, and say that they are none of the run', () => {
  const { figure, ruler, headline } = scene(story, tested[0]);
  const [some, all] = [400, ROLLS].map((many) => rolled(figure, SEED, many));
  assert.deepEqual(rolled(figure, SEED, ROLLS), all);
  assert.notDeepEqual(rolled(figure, SEED + 1, ROLLS).rows, all.rows);
  some.rows.forEach(({ overlap, residual }, row) =>
    assert.ok(overlap <= all.rows[row].overlap && residual <= all.rows[row].residual),
  );
  const shown = supposed(story, tested[0], null, { seed: SEED, many: ROLLS });
  assert.ok(shown.supposed && shown.ruler.title !== ruler.title && shown.headline !== headline);
  assert.deepEqual(shown.figure, all);
});

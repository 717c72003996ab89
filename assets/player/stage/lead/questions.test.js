import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { ENOUGH, SAID, setOf } from './questions.js';
import { scene } from '../scene.js';
import { scoreOf } from './score.js';
import { column, golden } from '../../../../tests/golden/traces.js';
import { storyOf } from '../../trace/story.js';

const TRACES = new URL('../../../traces/', import.meta.url);
const story = (name) => storyOf(golden(name));
const tale = story('tale-small-model');

test('a set asks about five guesses, a round, a replacement and γ, each over a beat of its round', () => {
  const asked = setOf(tale);
  assert.deepEqual(column(asked, 'kind'), [
    'dart',
    'dart',
    'dart',
    'cannot',
    'count',
    'dart',
    'dart',
    'gamma',
  ]);
  const [, , third, cannot, count] = asked;
  const { accept_prob: chance } = tale.trace.rounds[0].verdicts[2];
  assert.equal(third.chance, chance);
  assert.equal(third.happened, false);
  assert.equal(SAID[third.right], 0.25, 'the answer nearest to 0.193');
  assert.deepEqual(cannot.options, ['“the”', '“he”', '“they”', '“came”']);
  const came = tale.trace.rounds[0].verdicts[2].view.bars.find(({ text }) => text.trim() === 'came');
  assert.ok(cannot.right === 3 && came.p <= came.q);
  assert.equal(count.right, tale.trace.rounds[1].path.length);
});

test('of every recorded run nothing on stage gives an answer away', () => {
  for (const file of readdirSync(TRACES)) {
    const run = story(file.slice(0, -5));
    const asked = setOf(run, 1);
    assert.ok(asked.length >= 5, file);
    for (const {
      kind,
      ask: { at, node },
      tell,
      options,
      right,
    } of asked) {
      assert.ok(options[right] !== undefined && run.beats[tell], file);
      if (kind === 'gamma' || kind === 'cannot') continue;
      const { figure, ruler, tree, ribbon, sum } = scene(run, at, node);
      assert.ok(
        figure.rows.every(({ p, overlap, residual }) => p === null && overlap === null && residual === null),
        `${file} ${kind}`,
      );
      assert.ok(
        tree.nodes.every(({ state }) => ['draft', null, undefined].includes(state)) &&
          ribbon.fresh.length === 0,
        file,
      );
      assert.ok(['q', 'none'].includes(ruler.kind) && sum.every(({ verdict }) => !verdict), file);
    }
  }
});

test('a longer draft is asked about in five ranges that cover every count once', () => {
  const run = story('code-jacobi');
  const { options, right } = setOf(run).find(({ kind }) => kind === 'count');
  assert.deepEqual(options, ['none', '1 to 3', '4 to 5', '6 to 7', 'all eight']);
  assert.ok(right >= 0);
});

test('a tree is asked whether it pays, by the times of its race', () => {
  const run = story('tale-small-tree');
  const { ask, options, right, after } = setOf(run).find(({ kind }) => kind === 'pay');
  const round = run.trace.rounds[run.beats[ask.at].round];
  const { draft, verify, accept, trim, overhead } = run.trace.race.rounds[round.index];
  const time = draft.reduce((sum, { ms }) => sum + ms, 0) + verify + accept + trim + overhead;
  const passes = run.trace.race.passes;
  const pays = round.path.length + 1 > time / (passes.reduce((sum, ms) => sum + ms, 0) / passes.length);
  assert.equal(options[right], pays ? 'yes' : 'no');
  assert.match(after[1], /plain passes/);
});

test('the score is the mean squared error, beside that of always one half, and how often each answer came true', () => {
  const dart = (chance, happened) => ({ kind: 'dart', chance, happened });
  const found = scoreOf([
    { question: dart(1, true), said: 3 },
    { question: dart(0.25, false), said: 3 },
    { question: dart(0, false), said: 0 },
    { question: { kind: 'count', right: 2 }, said: 2 },
    { question: { kind: 'pay', right: 0 }, said: 1 },
  ]);
  assert.ok(Math.abs(found.error - (0.0625 + 0.25) / 3) < 1e-12);
  assert.ok(Math.abs(found.blind - (0.25 + 0.0625 + 0.25) / 3) < 1e-12);
  assert.deepEqual(found.said, [
    { option: 0, many: 1, chance: 0, accepted: 0 },
    { option: 3, many: 2, chance: 0.625, accepted: 1 },
  ]);
  assert.deepEqual([found.right, found.others, found.guesses], [1, 2, 3]);
  assert.equal(setOf(tale).filter(({ kind }) => kind === 'dart').length, ENOUGH);
});

test('a guess after a rejected one is not needed because of that, not because another took its place', () => {
  const at = tale.beats.findIndex(({ kind, slot }) => kind === 'verdict' && slot === 2);
  const { ruler, sum } = scene(tale, at, 3);
  assert.match(ruler.title, /assumed a token that was rejected/);
  assert.match(sum[0].label, /a guess before it was rejected/);
});

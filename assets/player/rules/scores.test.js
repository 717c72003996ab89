import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatOf, sceneOf } from '../../../tests/golden/scenes.js';
import { golden } from '../../../tests/golden/traces.js';
import { storyOf } from '../trace/story.js';
import { scene } from '../stage/scene.js';

/** A recorded run under shared noise, whose noise is such that both picks are the recorded ones. */
function noisy() {
  const trace = golden('player-coupled');
  for (const { verdicts, extra } of trace.rounds) {
    for (const each of [...verdicts, ...(extra && extra.node === null ? [extra] : [])]) {
      const { bars } = each.view;
      const [guess, own] = [each, extra].map((of) => bars.find(({ token }) => token === of?.token));
      const refused = extra && extra.node === each.node && own !== guess;
      const low = refused ? Math.log(guess.p / own.p) : 0;
      const between = refused ? (low + Math.min(low + 2, Math.log(guess.q / own.q))) / 2 : 0;
      each.view.noise = bars.map((bar) => (bar === guess ? 20 : refused && bar === own ? 20 + between : 0));
    }
    if (extra && extra.node !== null && extra.node !== undefined) extra.view = verdicts[extra.node].view;
  }
  return trace;
}

test('under shared noise the bars are log p + g and log q + g, and nothing is painted as overlap', () => {
  const story = storyOf(noisy());
  let seen = 0;
  story.beats.forEach(({ kind }, at) => {
    const { figure } = scene(story, at);
    if (!['draft', 'verify', 'dart', 'verdict'].includes(kind) || !figure || figure.mode === 'p') return;
    seen += 1;
    assert.equal(figure.mode, 'noise');
    assert.equal(figure.overlap, null);
    const guess = figure.rows.find(({ drafted }) => drafted);
    const longest = Math.max(...figure.rows.map(({ wide }) => wide.q));
    assert.equal(guess.wide.q, longest, 'the draft model’s pick has its largest log q + g');
    assert.ok(figure.framed.includes(guess.token));
    assert.ok(figure.rows.every(({ overlap, wide }) => overlap === null && wide.p >= 0 && wide.p <= 1));
    if (kind === 'draft') assert.ok(figure.rows.every(({ wide, says }) => wide.p === 0 && !says[0]));
    else assert.ok(figure.rows.some(({ wide }) => wide.p > 0));
  });
  assert.ok(seen > 0);
});

test('a recording without its noise shows p and q apart', () => {
  const story = storyOf(golden('player-coupled'));
  const { figure } = sceneOf(story, 'verify');
  assert.equal(figure.mode, 'apart');
  assert.ok(figure.rows.every(({ overlap, wide }) => overlap === null && !wide));
});

test('at temperature 0 the probabilities before it stand behind the choice, and all of them are 1', () => {
  const trace = golden('player-greedy');
  const [first] = trace.rounds.find(({ verdicts }) => verdicts.length).verdicts;
  first.view.raw = [
    { token: first.token, text: first.text, p: 0.25, q: 0.625 },
    { token: 17, text: 'seventeen', p: 0.125, q: 0.0001 },
  ];
  const story = storyOf(trace);
  const at = beatOf(story, 'verify', {
    round: trace.rounds.findIndex(({ verdicts }) => verdicts[0] === first),
  });
  const { rows } = scene(story, at).figure;
  const sum = (side) => rows.reduce((total, { raw }) => total + raw[side], 0);
  assert.deepEqual([sum('p'), sum('q')], [1, 1]);
  const guess = rows.find(({ drafted }) => drafted);
  assert.deepEqual(guess.says, [`0.25 → ${guess.p}`, '0.63 → 1']);
  assert.ok(rows.some(({ token, says }) => token === 17 && says[1] === '<0.01 → 0'));
  const before = scene(story, at - 1).figure.rows;
  assert.ok(
    before.every(({ raw }) => !raw || raw.p === null),
    'p is not there before the target has answered',
  );
});

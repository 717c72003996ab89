import assert from 'node:assert/strict';
import { test } from 'node:test';
import { show } from '../base/format.js';
import { scene } from './scene.js';
import { storyOf } from '../trace/story.js';
import { asText, why } from './round/why.js';
import { sceneOf } from '../../../tests/golden/scenes.js';
import { column, golden } from '../../../tests/golden/traces.js';

/** A run whose last round accepts its first guess only, which ends the text; its others were never tested. */
function endedInside(stop) {
  const trace = golden('player-sampled');
  const at = trace.rounds.findIndex(({ path, verdicts }) => path.length > 1 && verdicts.length > 2);
  trace.rounds.splice(at + 1);
  const round = trace.rounds[at];
  Object.assign(round, { path: [0], extra: null });
  for (const verdict of round.verdicts.slice(1))
    Object.assign(verdict, { verdict: 'untested', u: null, accept_prob: null });
  return { trace: Object.assign(trace, { stop }), at, round };
}

test('a text that ends inside the guesses says so wherever something is missing', () => {
  const { trace, at } = endedInside('eos');
  const story = storyOf(trace);
  const { beats } = story;
  assert.match(
    sceneOf(story, 'verdict', { round: at }).said,
    /The text ends here; later guesses are not used/,
  );
  const last = scene(story, beats.length - 1);
  assert.match(last.ribbon.end, /end of text/);
  assert.match(last.tree.nodes.at(-1).says, /ended/);
  assert.match(asText(why(story, beats.length - 1, { round: at, slot: 1 })), /ended before/);
});

test('a round that completes a stop string says which, and that guesses behind it are never judged', () => {
  const { trace, at, round } = endedInside('string');
  const string = `${round.verdicts[0].text.at(-1)}\u202e`;
  round.verdicts[0].text += '\u202e!';
  round.stop_string = string;
  const story = storyOf(trace);
  const { beats } = story;
  const of = (kind) => beats.findLastIndex((beat) => beat.round === at && beat.kind === kind);
  const shown = `“${show(string)}”`;
  const verdict = scene(story, of('verdict')).said;
  assert.ok(verdict.includes(`is accepted: the stop string ${shown} ends the text`), verdict);
  assert.match(verdict, /guess(es)? after it (is|are) never judged/);
  const join = scene(story, of('join')).said;
  assert.ok(join.includes(`which ends with ${shown}`), join);
  assert.match(join, /guess(es)? after it (is|are) dropped untested/);
  const { ribbon } = scene(story, beats.length - 1);
  assert.ok(ribbon.end.includes(`stop string ${shown}`), ribbon.end);
  assert.deepEqual(
    column(
      ribbon.text.filter(({ ending }) => ending),
      'raw',
    ),
    [round.verdicts[0].text],
  );
  const card = asText(why(story, beats.length - 1, { round: at, slot: 0 }));
  assert.ok(card.includes(`the stop string ${shown} ends the text`), card);
  assert.match(asText(why(story, beats.length - 1, { round: at, slot: 1 })), /ended before/);
});

test('a stop string of several tokens is marked in all of them, but not in the prompt', () => {
  const trace = golden('player-sampled');
  trace.rounds.splice(1);
  const own = trace.rounds[0].extra;
  const before = [...trace.rounds[0].path.map((node) => trace.rounds[0].verdicts[node].text), own.text];
  const string = trace.prompt_texts.at(-1).at(-1) + before.join('');
  Object.assign(trace, { stop: 'string' });
  trace.rounds[0].stop_string = string;
  const { shown } = storyOf(trace);
  assert.deepEqual(
    column(
      shown.filter(({ ending }) => ending),
      'raw',
    ),
    before,
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange } from '../round/clocks.js';
import { stopsOf } from './guide-stops.js';
import { spoken } from '../round/say.js';
import { apart } from '../../base/format.js';
import { golden } from '../../../../tests/golden/traces.js';
import { storyOf } from '../../trace/story.js';

const tale = () => golden('tale-small-model');
const RUNS = [
  'tale-small-model',
  'tale-bigram',
  'code-ngram',
  'player-sampled',
  'player-greedy',
  'player-plain',
];

test('seven stills of the shipped example, each over its own beat', () => {
  const story = storyOf(tale());
  const stops = stopsOf(story);
  const [tokens, steps] = apart(...exchange(tale()));
  assert.deepEqual(
    stops.map(({ at }) => story.beats[at].kind),
    ['rest', 'draft', 'verify', 'dart', 'replace', 'trim', 'rest'],
  );
  assert.deepEqual(
    stops.map(({ say }) => spoken(say)),
    [
      'Normally, every token costs one slow pass of the big model, the target.',
      'A draft model, small and fast, guesses the next four tokens.',
      'One pass of the target checks all four guesses at once.',
      'We roll a number for each guess. Below the mark, it stays.',
      '“of” is rejected. The next guess continued “of”, so it is dropped too.',
      'What was rejected leaves the cache.',
      `On average: a round gives ${tokens} tokens in the time of ${steps} slow passes.`,
    ],
  );
  assert.deepEqual(
    stops.map(({ lit }) => lit.join(' ')),
    ['plain', 'lane', 'lane', 'lane ruler', 'lane figure ruler', 'cache', 'plain spec'],
  );
});

test('the four questions of a newcomer are answered in these words', () => {
  const [, , check, , outcome, , end] = stopsOf(storyOf(tale()));
  assert.match(spoken(outcome.say), /continued “of”, so it is dropped/, 'why later guesses are dropped');
  assert.match(
    outcome.under,
    /The green is what accepted guesses bring\. So “he” is drawn only from what is left: the blue/,
    'why not redraw from p',
  );
  assert.match(check.under, /bonus token there costs no extra pass/, 'what is free');
  assert.match(end.under, /^Slower when/, 'when it is slower');
});

test('of every run each still says a short sentence over a beat the run has', () => {
  for (const name of RUNS) {
    const trace = golden(name);
    const story = storyOf(trace);
    const stops = stopsOf(story);
    assert.ok(stops.length >= 6 || trace.rounds.every(({ verdicts }) => !verdicts.length), name);
    for (const { at, say, under } of stops) {
      assert.ok(at >= 0 && at < story.beats.length, name);
      assert.ok(
        spoken(say)
          .replace(/“[^”]*”/gu, 'x')
          .split(/\s+/u).length <= 14,
        `${name}: ${spoken(say)}`,
      );
      assert.ok(under.replace(/“[^”]*”/gu, 'x').split(/\s+/u).length <= 20, `${name}: ${under}`);
    }
  }
});

test('a run without a race claims no speed, a slower one says that it was', () => {
  const untimed = stopsOf(storyOf({ ...tale(), race: null }));
  assert.equal(spoken(untimed.at(-1).say), 'These 64 tokens took 20 slow passes, not 64.');
  assert.match(untimed.at(-1).under, /^Not timed here/);
  const trace = tale();
  trace.race.laps = trace.race.laps.map((lap) => 3 * lap);
  assert.match(spoken(stopsOf(storyOf(trace)).at(-1).say), /It took longer\.$/);
});

test('where nothing is rejected the fifth still is the bonus', () => {
  const trace = tale();
  const rounds = trace.rounds
    .filter(({ extra }) => extra?.emission === 'bonus')
    .map((round, index) => ({ ...round, index }));
  const story = storyOf({ ...trace, rounds, race: null });
  const stop = stopsOf(story)[4];
  assert.equal(story.beats[stop.at].kind, 'bonus');
  assert.match(spoken(stop.say), /^All four are accepted, and the same pass gives “.*” for free\.$/);
});

test('at temperature 0 no still speaks of a random number, nor under shared noise of a draw', () => {
  const greedy = stopsOf(storyOf(golden('player-greedy')))
    .map(({ say, under }) => `${spoken(say)} ${under}`)
    .join(' ');
  assert.match(greedy, /no random numbers/);
  assert.doesNotMatch(greedy, /we roll a number|the blue/);
  const trace = tale();
  trace.info.traits.rolls = 'shared noise';
  assert.doesNotMatch(
    stopsOf(storyOf(trace))
      .map(({ under }) => under)
      .join(' '),
    /from the blue|p\/q/,
  );
});

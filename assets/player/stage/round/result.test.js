import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { scene } from '../scene.js';
import { spoken } from './say.js';
import { isCode } from './text.js';
import { storyOf } from '../../trace/story.js';
import { traces } from '../../../../tests/golden/traces.js';

const shipped = (name) =>
  JSON.parse(readFileSync(new URL(`../../../traces/${name}.json`, import.meta.url), 'utf-8'));
const endOf = (trace) => {
  const story = storyOf(trace);
  return scene(story, story.beats.length - 1);
};

test('the result holds the text as it was written, and none of what the chat template put there', () => {
  for (const trace of traces().filter(({ info }) => info.config.pair === 'smollm2')) {
    const { prompt, made } = endOf(trace).result.text;
    assert.equal(prompt.trim(), trace.info.config.prompt);
    assert.doesNotMatch(prompt + made, /im_start|im_end|You are a helpful/);
  }
  const { prompt, made } = endOf(shipped('tale-small-model')).result.text;
  assert.ok(prompt.endsWith('One morning') && made.startsWith(' the instant he '), made);
  assert.ok(made.includes('\n'), 'line breaks stay line breaks');
});

test('code is told from prose, verse and lists', () => {
  const { made, code } = endOf(shipped('code-ngram')).result.text;
  assert.ok(code, made);
  for (const name of ['tale-small-model', 'verse-small-model', 'chat-question', 'chat-summary'])
    assert.equal(endOf(shipped(name)).result.text.code, false, name);
  assert.ok(isCode('{"name": "Ada", "born": 1815}\n{"name": "Emmy", "born": 1882}'));
  assert.equal(isCode('1. Sleep well.\n   - Keep it dark.\n   - Keep it cool.\n2. Eat well.'), false);
});

test('the result says how much faster the race was, and nothing of speed where there was none', () => {
  const trace = shipped('tale-small-model');
  assert.match(endOf(trace).said, /^64 tokens from 20 passes: [\d.]+× (faster|slower)\.$/);
  assert.ok(endOf(trace).under);
  const untimed = endOf({ ...trace, race: null });
  assert.deepEqual([untimed.said, untimed.under], ['64 tokens from 20 passes.', '']);
  const [race, wait] = [structuredClone(trace.race), 3];
  race.laps = race.plain_laps.map((lap) => wait * lap);
  const slower = endOf({ ...trace, race });
  assert.match(slower.said, /: 0\.33×, slower\.$/);
  assert.match(slower.under, /^Slower here: /);
});

test('the luckiest guess is the one accepted at the smallest chance, where a number tested it', () => {
  for (const trace of traces()) {
    const { result, kind } = endOf(trace);
    assert.equal(kind, 'result');
    const luck = / 1 in ([\d.,]+)\.$/.exec(result.facts);
    const { config, rule } = trace.info;
    if (config.temperature === 0 || rule === 'coupled' || rule === 'typical') assert.equal(luck, null);
    if (luck) assert.ok(Number(luck[1].replace(',', '')) > 5 - 0.1, result.facts);
  }
  const trace = shipped('tale-small-model');
  const chances = trace.rounds
    .flatMap(({ verdicts }) => verdicts)
    .filter(({ verdict }) => verdict === 'accepted')
    .map(({ accept_prob: chance }) => chance);
  const many = Number((1 / Math.min(...chances)).toPrecision(2));
  assert.ok(endOf(trace).result.facts.endsWith(`1 in ${many}.`));
});

test('every headline of the result fits its line', () => {
  for (const trace of traces()) assert.ok(spoken(endOf(trace).headline).split(/\s+/u).length <= 14);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scene } from '../scene.js';
import { sum } from '../../base/statistics.js';
import { isCode } from './text.js';
import { bestLength, byLength } from '../../trace/lengths.js';
import { costsOf } from '../../trace/race.js';
import { storyOf } from '../../trace/story.js';
import { golden, traces } from '../../../../tests/golden/traces.js';

const endOf = (trace) => {
  const story = storyOf(trace);
  return scene(story, story.beats.length - 1);
};

test('the result holds the text as it was written, and none of what the chat template put there', () => {
  for (const trace of traces().filter(({ info }) => info.config.pair === 'smollm2')) {
    const { prompt, made } = endOf(trace).result.text;
    assert.ok(prompt.trim().endsWith(trace.info.config.prompt));
    assert.doesNotMatch(prompt + made, /im_start|im_end|You are a helpful/);
  }
  const { prompt, made } = endOf(golden('tale-small-model')).result.text;
  assert.ok(prompt.endsWith('One morning') && made.startsWith(' the instant he '), made);
  assert.ok(made.includes('\n'), 'line breaks stay line breaks');
});

test('code is told from prose, verse and lists', () => {
  const { made, code } = endOf(golden('code-ngram')).result.text;
  assert.ok(code, made);
  for (const name of ['tale-small-model', 'verse-hybrid', 'chat-question'])
    assert.equal(endOf(golden(name)).result.text.code, false, name);
  assert.ok(isCode('{"name": "Ada", "born": 1815}\n{"name": "Emmy", "born": 1882}'));
  assert.equal(isCode('1. Sleep well.\n   - Keep it dark.\n   - Keep it cool.\n2. Eat well.'), false);
});

test('the headline is the passes, exact; below it the seconds, with their range, where some were timed', () => {
  const trace = golden('tale-small-model');
  const { said, under, result } = endOf(trace);
  assert.equal(said, '64 tokens in 20 passes of the target instead of 64.');
  assert.match(
    under,
    /^On the machine that recorded it: [\d.]+× faster \([\d.]+ to [\d.]+×\)\. A round takes /,
  );
  assert.match(endOf({ ...trace, live: true }).under, /^On this machine: /);
  const untimed = endOf({ ...trace, race: null });
  assert.deepEqual([untimed.said, untimed.under, untimed.result.advice], [said, '', null]);
  assert.ok(result.advice === null || result.advice.gamma !== trace.info.config.gamma);
  const slower = endOf({ ...trace, race: slowed(trace, 3) });
  assert.equal(slower.said, said, 'passes are the same on every machine');
  assert.match(slower.under, /: 0\.33×: slower \(0\.33 to 0\.33×\)\. Checking /);
  const close = endOf({
    ...trace,
    race: { ...slowed(trace, 1), laps: trace.race.plain_laps.map((lap, at) => lap + at - 1) },
  });
  assert.match(close.under, /: no clear gain \([\d.]+ to [\d.]+×\)\.$/);
});

/** The trace's race, all of whose laps took so many times as long as plain decoding. */
function slowed({ race }, times) {
  return { ...race, laps: race.plain_laps.map((lap) => times * lap) };
}

test('another draft length is advised where its costs and acceptance promise more, and none where none pays', () => {
  const trace = golden('tale-small-model');
  const priced = (verify, draft, first = draft) => ({
    ...trace,
    race: {
      ...trace.race,
      rounds: trace.race.rounds.map((round, index) => ({
        ...round,
        verify: verify * trace.race.passes[0],
        draft: trace.rounds[index].timing.draft.map((call, place) => ({
          ...call,
          ms: (place ? draft : first) * call.nodes,
        })),
      })),
      passes: trace.race.passes.map(() => trace.race.passes[0]),
    },
  });
  const cheap = byLength(priced(1, 0)).map(({ speedup }) => speedup);
  assert.ok(
    cheap.every((speed, at) => !at || speed > cheap[at - 1]),
    'where guesses and rows cost nothing, more is faster',
  );
  const dear = byLength(priced(9, 9)).map(({ speedup }) => speedup);
  assert.equal(bestLength(priced(9, 9)).gamma, 1, 'where both cost much, the shortest draft loses least');
  assert.ok(dear.at(-1) < dear[0]);
  assert.ok(bestLength(priced(9, 0, 900)).gamma > 1, 'a first guess that is dear is paid once');
  const { measured } = costsOf(trace);
  assert.ok(
    Math.abs(byLength(trace)[trace.info.config.gamma - 1].speedup - measured) < 1e-9,
    'its own length is as measured',
  );
  const lossy = { ...priced(9, 9), race: slowed(priced(9, 9), 5) };
  assert.deepEqual(endOf(lossy).result.advice, {
    gamma: 0,
    line: 'Whatever γ, guessing would not pay on this text here.',
  });
  for (const name of ['tale-small-tree', 'code-suffix', 'chat-code'])
    assert.equal(byLength(golden(name)), null);
});

test('with another γ a round has what its places tell, and the run as many passes as that takes', () => {
  const trace = golden('tale-small-model');
  const { lengths } = endOf(trace).result;
  const { gamma } = trace.info.config;
  assert.equal(lengths.gamma, gamma);
  lengths.all.forEach(({ tokens, passes, reached }, at) => {
    assert.equal(reached.length, at + 1);
    assert.ok(Math.abs(tokens - 1 - sum(reached)) < 1e-9);
    assert.ok(at === 0 || reached.at(-1) < reached.at(-2), 'a later guess needs all before it');
    assert.equal(passes, Math.round(64 / tokens));
  });
  assert.ok(
    Math.abs(lengths.all[gamma - 1].passes - trace.rounds.length) <= 2,
    'its own length took what it took',
  );
  assert.equal(endOf({ ...trace, race: null }).result.lengths, null);
  assert.equal(endOf(golden('tale-small-tree')).result.lengths, null);
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
  const trace = golden('tale-small-model');
  const chances = trace.rounds
    .flatMap(({ verdicts }) => verdicts)
    .filter(({ verdict }) => verdict === 'accepted')
    .map(({ accept_prob: chance }) => chance);
  const many = Number((1 / Math.min(...chances)).toPrecision(2));
  assert.ok(endOf(trace).result.facts.endsWith(`(1 in ${many}).`));
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LAPS, besideOf, byKind, joined, lossOf, questionOf, racedAs, settingsOf, summed } from './sums.js';
import { resultThere } from '../../trace/machine.js';
import { costs } from './figures.js';
import { TEXTS } from '../prompts.js';
import { across, judgements } from './sums-lanes.js';
import { LENGTH, MOST, PROMPTS, adviceOf, promptsIn, triedOf } from './sums-advice.js';

const RULES = [
  { name: 'rejection', lossless: true },
  { name: 'block', lossless: true },
];
const DRAFTERS = [
  { name: 'small-tree', shape: 'tree', family: 'trees' },
  { name: 'small-model', shape: 'chain', family: 'models' },
];
const METHODS = [{ name: 'small-model, block', drafter: 'small-model', rule: 'block', gamma: 8 }];
const cell = (more) => ({
  tokens: Array(30).fill(1),
  gammas: Array(10).fill(4),
  tested: 40,
  accepted: 20,
  draft: 10,
  verify: 30,
  rest: 10,
  plain: 100,
  memory: 2e6,
  ...more,
});

test('a method is measured in laps on each kind of text, with settings that a sweep takes', () => {
  const [method] = joined(METHODS, DRAFTERS, RULES);
  assert.deepEqual([method.entry.family, method.rule.lossless], ['models', true]);
  const { kinds, over } = questionOf(method, { seed: 5, max_new_tokens: 200 }, TEXTS);
  assert.deepEqual(
    kinds,
    Object.keys(TEXTS).flatMap((kind) => Array(LAPS).fill(kind)),
  );
  assert.deepEqual(over[LAPS - 1], {
    ...settingsOf(method),
    max_new_tokens: 64,
    prompt: TEXTS.tale,
    seed: 5 + LAPS - 1,
  });
  assert.deepEqual(settingsOf(method), {
    drafter: 'small-model',
    params: {},
    rule: 'block',
    gamma: 8,
    gamma_rule: 'fixed',
    gamma_params: {},
  });
});

test('cells add up: ranges go over whole laps, and a round costs what makes the speed-up', () => {
  assert.equal(summed([]), null);
  const cells = [cell(), cell({ plain: 200 }), cell(), cell({ plain: 50 }), cell({ plain: 100 }), cell()];
  const result = summed(cells);
  assert.deepEqual([result.tokens, result.speedup, result.alpha, result.memory], [3, 650 / 300, 0.5, 2e6]);
  assert.deepEqual([result.low, result.high], [1.5, 3]);
  assert.equal(result.cost, 3 / result.speedup);
  assert.equal(result.check, (3 * 180) / 650, 'a pass of 3 ms against 650 ms for 180 tokens');
  assert.equal(summed([cell({ tested: 0, accepted: 0 })]).alpha, null);
  const kinds = byKind(['tale', 'tale', 'tale', 'code', 'code', 'code'], cells);
  assert.deepEqual(Object.keys(kinds), ['all', 'tale', 'code']);
  assert.deepEqual([kinds.tale.speedup, kinds.code.speedup], [400 / 150, 250 / 150]);
});

test('a method that loses says what holds it back most; one that wins says nothing', () => {
  const result = { low: 0.6, tokens: 2, drafting: 0.2, check: 2.9, own: 0.3 };
  assert.equal(lossOf(result), 'wider');
  assert.equal(lossOf({ ...result, drafting: 2 }), 'drafting');
  assert.equal(lossOf({ ...result, tokens: 1.1 }), 'few');
  assert.equal(lossOf({ ...result, low: 1.1 }), null);
});

test('the race of the run on stage is the measurement of its method on its text', () => {
  const config = {
    ...{ prompt: TEXTS.tale, drafter: 'small-model', gamma: 2, gamma_rule: 'fixed', rule: 'rejection' },
    ...{ pair: 'embedded', temperature: 0.8, top_k: 0, top_p: 1, seed: 1 },
  };
  const verdicts = [{ node: 0, parent: -1, depth: 0, verdict: 'accepted' }];
  const trace = {
    info: { config },
    rounds: [{ verdicts, path: [0], extra: { node: null }, budget: {}, calls: { target: 1 } }],
    race: {
      rounds: [{ draft: [{ nodes: 1, ms: 1 }], verify: 2, accept: 0, trim: 0, overhead: 1 }],
      passes: [3, 3],
      tokens: [1, 2],
      laps: [4, 5, 4],
      plain_laps: [6, 6, 8],
    },
  };
  const found = racedAs(trace, { config }, TEXTS);
  const method = { entry: { name: 'small-model', sized: true }, rule: { name: 'rejection' }, gamma: 2 };
  assert.ok(found.is(method) && !found.is({ ...method, gamma: 3 }));
  const { speedup, low, high, tokens, cost } = found.result;
  assert.deepEqual([found.kind, speedup, low, high, tokens / cost], ['tale', 1.5, 1.2, 2, 1.5]);
  assert.equal(racedAs({ ...trace, live: true }, { config }, TEXTS), null);
  assert.equal(racedAs(trace, { config: { ...config, seed: 2 } }, TEXTS), null);
});

test('the recorded methods are whole, and the chart has a point for each and one for plain decoding', () => {
  const { answers } = JSON.parse(
    readFileSync(new URL('../../../labs/methods.json', import.meta.url), 'utf-8'),
  );
  const rows = Object.entries(answers).map(([name, reports]) => {
    const kinds = byKind(
      Object.keys(TEXTS).flatMap((kind) => Array(LAPS).fill(kind)),
      reports.flatMap(({ cell: result }) => result ?? []),
    );
    const { exact } = reports.at(-1);
    return {
      name,
      title: name,
      entry: { family: 'models', shape: 'chain' },
      rule: RULES[0],
      kinds,
      result: kinds.all,
      exact,
    };
  });
  assert.deepEqual(
    rows.filter(({ name, exact }) => exact.holds === name.includes('typical')).map(({ name }) => name),
    [],
    'only what is lossy fails',
  );
  assert.ok(
    rows.every(({ kinds }) =>
      Object.values(kinds).every((result) => result.speedup > 0 && result.tokens >= 1),
    ),
  );
  const figure = costs(rows, 'all', answers);
  const points = figure.series.filter(({ kind }) => kind === 'points');
  assert.equal(points.flatMap(({ x }) => x).length, rows.length + 1);
  points.forEach(({ x, y, labels, places, symbols, left, right }) =>
    [y, labels, places, symbols, left, right].forEach((each) => assert.equal(each.length, x.length)),
  );
  assert.equal(figure.table.rows.length, 3 * rows.length);
});

test('on a large machine a check costs one step and a guess at most a tenth; what is measured comes back at 0', () => {
  const result = summed([cell(), cell({ plain: 90 }), cell()]);
  assert.deepEqual(resultThere(result, 0), result);
  const there = resultThere(result, 1);
  assert.ok(Math.abs(there.cost - (1 + result.drafting)) < 1e-9, 'these guesses cost less than a tenth each');
  assert.ok(Math.abs(resultThere({ ...result, drafting: 2 }, 1).cost - 1.4) < 1e-9);
  assert.ok(Math.abs(there.low / there.speedup - result.low / result.speedup) < 1e-9);
});

const tokens = (ids) => [...ids].map((id) => ({ id, text: `“${id}”`, label: `${id}, accepted` }));
const lanes = (...given) =>
  given.map(([fixed, ids, lossy = false], index) => ({
    letter: 'ABCD'[index],
    fixed,
    lossy,
    tokens: tokens(ids),
  }));
const said = (...given) =>
  judgements(lanes(...given)).map(({ kind, at, sentence }) => [
    kind,
    at,
    sentence.match(/^[A-D, and]+(?= |:)/)?.[0].trim() ?? '',
  ]);

test('greedy texts must be equal, whoever guesses, and the earliest difference is said loudly', () => {
  assert.deepEqual(said(['greedy', 'abcd'], ['greedy', 'abcd'], ['greedy', 'abcd']), [
    ['equal', null, 'A, B and C'],
  ]);
  const [judged, ...more] = judgements(lanes(['greedy', 'abcd'], ['greedy', 'abcx'], ['greedy', 'axcd']));
  assert.deepEqual([judged.kind, judged.at, more], ['different', 1, []]);
  assert.match(judged.sentence, /^A and C differ from token 2 on: ““b”” vs\. ““x””\. /);
  assert.match(judged.sentence, / At T = 0 they must be equal, so this is a bug or a numerical tie/);
  const [shorter] = judgements(lanes(['greedy', 'abc'], ['greedy', 'ab']));
  assert.deepEqual([shorter.kind, shorter.at], ['different', 2]);
  assert.match(shorter.sentence, /vs\. “the end of the text”/);
});

test('with shared noise texts must be equal too; drawn ones share the distribution, but for a lossy rule', () => {
  assert.deepEqual(said(['coupled', 'ab'], ['coupled', 'ab']), [['equal', null, 'A and B']]);
  assert.deepEqual(said(['coupled', 'ab'], ['coupled', 'ac']), [['different', 1, 'A and B']]);
  assert.deepEqual(said([null, 'ab'], [null, 'cd'], [null, 'cd', true]), [
    ['same', null, 'A and B'],
    ['none', null, 'C'],
  ]);
});

test('one lane alone has nothing to be held against, and every lane tells what it wrote at a position', () => {
  assert.match(judgements(lanes([null, 'ab']))[0].sentence, /Only lane A/);
  assert.equal(judgements([])[0].kind, 'none');
  const [first, second] = across(lanes([null, 'ab'], [null, 'a']), 1);
  assert.deepEqual([first[1].id, second], ['b', ['B', null]]);
});

const entry = (name, more = {}) => ({ entry: { name, ...more } });

test('a prompt is a line; empty ones and doubles are none, and no more are taken than may be asked', () => {
  assert.deepEqual(promptsIn(' one \n\n two\none\n'), ['one', 'two']);
  assert.equal(
    promptsIn(Array.from({ length: 20 }, (_, index) => `prompt ${index}`).join('\n')).length,
    PROMPTS,
  );
  assert.deepEqual(promptsIn(' \n'), []);
});

test('drafters that lack something here, or are not there, are not tried', () => {
  const methods = [entry('suffix'), entry('lookahead'), entry('small-model', { modelled: true })];
  const names = (lacks) => triedOf(methods, lacks).map(({ name }) => name);
  assert.deepEqual(
    names(() => ''),
    ['small-model', 'suffix'],
  );
  assert.deepEqual(
    names(({ modelled }) => (modelled ? 'draft' : '')),
    ['suffix'],
  );
});

test('every drafter reads the same prompts at the longest draft, judged by rejection', () => {
  const entries = [{ name: 'small-model' }, { name: 'suffix' }];
  const { job, over } = adviceOf(['one', 'two'], entries, 'tale', { max_new_tokens: 200 });
  assert.equal(job, 'advise');
  assert.deepEqual(
    over.map(({ drafter, prompt }) => [drafter, prompt]),
    [
      ['small-model', 'one'],
      ['small-model', 'two'],
      ['suffix', 'one'],
      ['suffix', 'two'],
    ],
  );
  for (const each of over) {
    const { gamma, rule, gamma_rule: by, max_new_tokens: length } = each;
    assert.deepEqual([gamma, rule, by, length], [MOST, 'rejection', 'fixed', LENGTH]);
  }
});

test('beside the method of a run stands the fastest that guesses in another way, at the γ of the run', () => {
  const row = (name, rule, speedup, more = {}) => ({
    name: `${name}, ${rule}`,
    entry: { name, sized: name !== 'lookahead' },
    rule: { name: rule },
    gamma: 8,
    result: speedup && { speedup },
    ...more,
  });
  const rows = [
    row('small-model', 'rejection', 1.1),
    row('small-model', 'block', 1.3),
    row('ngram', 'rejection', 1.2),
    row('bigram', 'rejection', null),
    row('eagle', 'rejection', 2, { lacks: 'heads' }),
    row('lookahead', 'rejection', 0.9),
  ];
  const beside = (drafter, rule) =>
    besideOf(rows, { drafter, rule, gamma: 3 }).map(({ name, gamma }) => `${name}, ${gamma}`);
  assert.deepEqual(beside('small-model', 'rejection'), ['small-model, rejection, 3', 'ngram, rejection, 8']);
  assert.deepEqual(beside('ngram', 'coupled'), ['ngram, rejection, 3', 'small-model, block, 8']);
  assert.deepEqual(beside('lookahead', 'rejection'), ['lookahead, rejection, 8', 'small-model, block, 8']);
  assert.deepEqual(beside('grammar', 'rejection'), ['small-model, block, 8', 'ngram, rejection, 8']);
});

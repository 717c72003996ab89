import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { alphaAt, pointsOf, sweepOf, wholeSweep } from './alpha/sums-speedup.js';
import { isOf, runName } from './head.js';
import { changesOf, decoded, firstLanes, letter } from './compare/sums.js';
import { FIRST, planOf, wholeLaps } from './compare/sums-strategies.js';
import { questionOf, settingsOf } from './methods/sums.js';
import { PROMPTS, TEXTS } from './prompts.js';
import { genres, temperatures } from './why/sums.js';

const ASSETS = new URL('../../', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, ASSETS), 'utf-8'));
const { run, labs } = read('labs/questions.json');
const { info } = read(`traces/${run}.json`);
const records = Object.fromEntries(Object.keys(labs).map((lab) => [lab, read(`labs/${lab}.json`)]));

/** Samples of a recorded proof. */
const SAMPLES = 20_000;
/** A recorded run under a lossy rule. */
const LOSSY = 'tale-small-model-typical-lossy';
/** A method without a name. */
const ANY = { entry: {}, rule: {} };

/**
 * Everything the tabs open on, asked of one run: questions by lab and name, as the page itself asks them.
 * Those of methods name none, because they are asked of each; one that names a run is asked of that one.
 */
function questionsOf(config, bugs, drafters) {
  const proof = (bug, law) => ({ position: 0, law, n: SAMPLES, seed: 0, bug });
  const lanes = firstLanes(config, drafters).map((lane) =>
    changesOf(lane, config, {
      prompt: config.prompt,
      seed: config.seed,
      max_new_tokens: Math.min(64, config.max_new_tokens),
    }),
  );
  const sweep = (over) => ({ job: 'sweep', over });
  return {
    losslessness: {
      ...Object.fromEntries(
        [['', 'first'], ...bugs.map(({ name, law }) => [name, law])].map(([name, law]) => [
          name,
          proof(name, law),
        ]),
      ),
      lossy: { ...proof('', 'first'), run: LOSSY },
    },
    alpha: { costs: { job: 'costs' }, sweep: sweep(sweepOf(config)) },
    compare: {
      lanes: { job: 'lanes', over: lanes },
      strategies: sweep(planOf(config, FIRST).map(({ changes }) => changes)),
    },
    methods: {
      sweep: sweep(questionOf(ANY, config, TEXTS).over),
      exact: { job: 'exact', over: [settingsOf(ANY)] },
    },
    why: {
      machine: { job: 'machine' },
      temperature: sweep(temperatures(config).over),
      genre: sweep(genres(config, PROMPTS).over),
    },
  };
}

test('the labs were recorded with the very questions that the page asks of the run it opens on', () => {
  const bugs = Object.values(labs.losslessness)
    .filter(({ bug }) => bug)
    .map(({ bug: name, law }) => ({ name, law }));
  const drafters = labs.compare.lanes.over.map(({ drafter: name }) => ({ name }));
  assert.deepEqual(JSON.parse(JSON.stringify(questionsOf(info.config, bugs, drafters))), labs);
  const { methods, ...others } = records;
  for (const [lab, { answers }] of Object.entries(others))
    assert.deepEqual(Object.keys(answers), Object.keys(labs[lab]), lab);
  for (const [name, reports] of Object.entries(methods.answers))
    assert.equal(reports.length, labs.methods.sweep.over.length + 1, name);
  for (const record of Object.values(records))
    assert.ok(isOf(record, { run: 'another', info }), 'each is of the run on stage');
});

test('the recorded samples show no difference, and each sabotage and a lossy rule do', () => {
  const {
    lossy: [lossy],
    ...exact
  } = records.losslessness.answers;
  for (const [bug, [{ finding }]] of Object.entries(exact)) {
    assert.deepEqual([finding.n, finding.bug, finding.different], [SAMPLES, bug, bug !== ''], bug);
  }
  assert.deepEqual([lossy.finding.n, lossy.finding.different, lossy.config.rule], [SAMPLES, true, 'typical']);
});

test('the recorded sweeps are whole, and every recorded lane can be drawn', () => {
  const cells = records.alpha.answers.sweep.map(({ cell }) => cell);
  assert.ok(wholeSweep(pointsOf(cells)));
  assert.ok(alphaAt(cells, info.config.gamma) > 0);
  const { lanes, strategies } = records.compare.answers;
  lanes.forEach((report, index) => {
    const { tokens, cost } = decoded(report);
    assert.deepEqual(
      tokens.map(({ id }) => id),
      report.cells[0].tokens,
      letter(index),
    );
    assert.ok(cost.time > 0);
  });
  assert.equal(wholeLaps(strategies.map(({ cell }) => cell)) * 6, planOf(info.config, 'throughput').length);
  assert.equal(records.why.answers.machine[0].machine.batches.length, 6);
});

test('a run is called by its opening and its settings', () => {
  assert.equal(
    runName({ ...info.config, prompt: 'Once\nmore', drafter: 'ngram' }),
    '“Once⏎more”, n-gram, γ = 4, T = 0.8, seed 1',
  );
  assert.ok(!isOf(records.alpha, { run: 'another', info: { ...info, config: { ...info.config, seed: 2 } } }));
});

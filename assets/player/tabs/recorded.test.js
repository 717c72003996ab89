import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isOf, runName } from './head.js';
import { questionOf, settingsOf } from './methods/sums.js';
import { TEXTS } from './prompts.js';
import { lengthsFigure, lengthsLine, loadLine, passesFigure, sweepLine } from './race/figures-why.js';
import { lengthsOf, ratesOf } from './race/sums-lengths.js';
import { loadOf } from './race/sums-load.js';
import { pointsOf, sweepOf, wholeSweep } from './race/sums-sweep.js';
import { mindLengths } from '../base/lengths.js';
import { lengthOf } from './words.js';
import { createMeasuring } from './measuring.js';

const ASSETS = new URL('../../', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, ASSETS), 'utf-8'));
const { run, labs } = read('labs/questions.json');
const { info } = read(`traces/${run}.json`);
const records = Object.fromEntries(Object.keys(labs).map((lab) => [lab, read(`labs/${lab}.json`)]));

const CHAT = 'chat-code';
const chat = read(`traces/${CHAT}.json`);
const firsts = {}; // the question of each kind that the chat model is asked
for (const line of readFileSync(new URL('prompts/chat.jsonl', ASSETS), 'utf-8').trim().split('\n')) {
  const { category, turns } = JSON.parse(line);
  firsts[category] ??= turns[0];
}
const ofMethods = ['methods', 'methods-chat'];
/** Samples of a recorded proof. */
const SAMPLES = 20_000;
/** A recorded run under a lossy rule. */
const LOSSY = 'tale-small-model-typical-lossy';
/** A method without a name. */
const ANY = { entry: {}, rule: {} };

/**
 * What the tabs open on, asked of one run: questions by lab and name, as the page itself asks them. Those of
 * methods name none, because they are asked of each; one that names a run is asked of that one.
 */
function questionsOf(config, bugs) {
  const proof = (bug, law) => ({ position: 0, law, n: SAMPLES, seed: 0, bug });
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
    race: { machine: { job: 'machine' }, sweep: sweep(sweepOf(config)) },
    methods: {
      sweep: sweep(questionOf(ANY, config, TEXTS).over),
      exact: { job: 'exact', over: [settingsOf(ANY)] },
    },
    'methods-chat': { sweep: { run: CHAT, ...sweep(questionOf(ANY, chat.info.config, firsts).over) } },
  };
}

test('the labs were recorded with the very questions that the page asks of the run it opens on', () => {
  const bugs = Object.values(labs.losslessness)
    .filter(({ bug }) => bug)
    .map(({ bug: name, law }) => ({ name, law }));
  const { article, ...asked } = labs;
  assert.deepEqual(JSON.parse(JSON.stringify(questionsOf(info.config, bugs))), asked);
  for (const [lab, { answers, ...record }] of Object.entries(records)) {
    if (!ofMethods.includes(lab)) assert.deepEqual(Object.keys(answers), Object.keys(labs[lab]), lab);
    else
      for (const [name, reports] of Object.entries(answers))
        assert.equal(reports.length, labs[lab].sweep.over.length + Object.keys(labs[lab]).length - 1, name);
    const of = lab === 'methods-chat' ? chat : { info };
    assert.ok(isOf(record, { run: 'another', info: of.info }), 'each is of the run on stage');
  }
});

test('the recorded samples show no difference, and each sabotage and a lossy rule do', () => {
  const {
    lossy: [lossy],
    ...exact
  } = records.losslessness.answers;
  for (const [bug, [{ finding }]] of Object.entries(exact)) {
    assert.deepEqual(
      [finding.n, finding.bug, finding.different],
      [SAMPLES, bug, !['', 'penalty-on-p-alone'].includes(bug)],
      bug,
    );
  }
  assert.deepEqual([lossy.finding.n, lossy.finding.different, lossy.config.rule], [SAMPLES, true, 'typical']);
});

test('the recorded sweep is whole and gives an answer, as do the recorded passes', () => {
  const { sweep, machine } = records.race.answers;
  const cells = sweep.map(({ cell }) => cell);
  assert.ok(wholeSweep(cells));
  assert.match(sweepLine(pointsOf(cells)), /^γ = /);
  assert.equal(machine[0].machine.batches.length, 6);
  assert.match(passesFigure(machine[0].machine).says, /lat|adds/);
});

test('at load a run is worth its own rounds at the cost of batches, and only as many guesses as pay', () => {
  const { machine } = records.race.answers.machine.at(-1);
  const trace = read(`traces/${run}.json`);
  const { loads, measured } = loadOf(machine, trace);
  for (const { texts, plain, whole, cut, guesses } of loads) {
    assert.ok(cut >= whole && cut >= plain && guesses <= machine.gamma, `${texts}`);
  }
  for (const { texts, plain, whole } of measured.filter(({ texts: many }) => [1, 8].includes(many))) {
    const computed = loads.find((load) => load.texts === texts);
    assert.ok(Math.abs(computed.plain / plain - 1) < 0.1, `without guesses, ${texts}`);
    assert.ok(Math.abs(computed.whole / whole - 1) < 0.1, `with guesses, ${texts}`);
  }
  // where a pass costs a millisecond a token, guesses that are not all accepted never pay once it is full
  const full = { gamma: 4, batches: [1, 2, 4].map((rows) => batch(rows, 0, 1)) };
  const small = { gamma: 4, batches: [1, 2, 4].map((rows) => batch(rows, 1, 0)) };
  assert.ok(loadOf(full, trace).loads.every(({ guesses }) => guesses === 0));
  assert.match(loadLine(loadOf(full, trace)), /From 1 on/);
  assert.ok(loadOf(small, trace).loads.every(({ guesses }) => guesses === 4));
  assert.match(loadLine(loadOf(small, trace)), /up to 256/);
});

/** A batch of texts whose pass takes so many milliseconds, and so many a token. */
function batch(rows, whole, each) {
  return { rows, one: [whole + each * rows], many: [whole + each * 5 * rows], draft: [0] };
}

test('after a long text a drafter that reads all of it loses, and one that reads nothing of it gains', () => {
  const trace = read(`traces/${run}.json`);
  const rates = ratesOf(trace, [records.methods, records['methods-chat'], null]);
  assert.deepEqual(Object.keys(rates), ['small-model', 'prompt-lookup']);
  assert.ok(rates['small-model'] > 0.5 && rates['prompt-lookup'] > 0 && rates['prompt-lookup'] < 1);
  const cell = (drafter, behind, draft) => {
    const step = 1 + behind / 128; // ms, and as much for each token of a pass
    return { drafter, behind, costs: { draft, rest: 0, widths: [1, 5], passes: [step, step] } };
  };
  const cells = [128, 8192].flatMap((behind) => [
    cell('small-model', behind, behind / 256),
    cell('prompt-lookup', behind, 0.1),
  ]);
  const lines = lengthsOf(cells, rates, 4);
  const [[near, far], [first, last]] = lines.map(({ rows }) => rows.map(({ speedup }) => speedup));
  assert.ok(far < near && last > first);
  assert.match(
    lengthsLine(lines),
    /^small model: [\d.]+× after 128 tokens, [\d.]+× after 8,192.*32\.5× there/,
  );
  const { series } = lengthsFigure(lines);
  assert.deepEqual(
    series.map(({ y }) => y.length),
    [2, 2, 2],
  );
  assert.deepEqual(series[0].y, [1, 32.5]);
});

test('a run is called by its opening and its settings', () => {
  assert.equal(
    runName({ ...info.config, prompt: 'Once\nmore', drafter: 'ngram' }),
    '“Once⏎more”, n-gram, γ = 4, T = 0.8, seed 1',
  );
  assert.match(runName(info.config), /^“Once upon a time a…”/, 'no word is cut');
  assert.ok(!isOf(records.race, { run: 'another', info: { ...info, config: { ...info.config, seed: 2 } } }));
});

test('where a drafter leaves no length to choose, no γ is named', () => {
  const config = {
    prompt: 'Once',
    drafter: 'lookahead',
    gamma: 4,
    gamma_rule: 'fixed',
    rule: 'rejection',
    temperature: 0.8,
    seed: 1,
  };
  assert.equal(lengthOf(config), ', γ = 4', 'as long as nobody says so');
  mindLengths([
    { name: 'lookahead', sized: false },
    { name: 'ngram', sized: true },
  ]);
  assert.equal(lengthOf(config), '');
  assert.equal(runName(config), '“Once”, lookahead, T = 0.8, seed 1');
  assert.equal(lengthOf({ ...config, drafter: 'ngram', gamma_rule: 'entropy-stop' }), ', γ by entropy stop');
  mindLengths([]);
});

/** One that writes down what it asks and says. */
function written() {
  const log = [];
  const measuring = createMeasuring(
    { ask: ({ job }) => log.push(`asks ${job}`), stop: () => log.push('stops') },
    {
      busy: (text) => log.push(`busy ${text}`),
      idle: (text) => log.push(`idle ${text}`),
      progress: (job, { done, of }, left) => [`${done} of ${of}, ${left} left`, done / of],
      over: ({ question }, { cells, error = 'done' }, cancelled) =>
        `${question.job} ${cells.length} ${cancelled ? 'cancelled' : error}`,
    },
  );
  return { ...measuring, log };
}
const job = (name, more = {}) => ({ question: { job: name }, waits: 'waits', ...more });

test('jobs are measured one after the other, and each has what it brought', () => {
  const { start, onReport, busy, log } = written();
  start([job('one'), job('two', { waits: '' })]);
  start([job('three')]);
  onReport({ done: 1, of: 2, cell: {} });
  onReport({ ended: true });
  onReport({ ended: true });
  assert.deepEqual(log, ['busy waits', 'asks one', 'busy 1 of 2, 2 left', 'asks two', 'idle two 0 done']);
  assert.ok(!busy());
});

test('a refusal ends all of them, but where the others go on anyway', () => {
  const [some, all] = [written(), written()];
  some.start([job('one'), job('two')]);
  all.start([job('one', { anyway: true }), job('two')]);
  [some, all].forEach(({ onReport }) => onReport({ error: 'no' }));
  assert.equal(some.log.at(-1), 'idle one 0 no');
  assert.equal(all.log.at(-1), 'asks two');
});

test('what is cancelled keeps what it brought, and says so unless another reason is given', () => {
  const { start, onReport, cancel, settle, log } = written();
  start([job('one')]);
  onReport({ done: 1, of: 2, cell: {} });
  cancel();
  assert.deepEqual(log.slice(-2), ['stops', 'idle one 1 cancelled']);
  start([job('one')]);
  settle('another run');
  assert.equal(log.at(-1), 'idle another run');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopProblem } from './stops.js';
import { turnsOf } from './turns.js';
import { generationLine, modelLines } from './tried.js';
import { good, opened } from '../../../tests/golden/files.js';
import { cachedLine } from './cached.js';
import { words } from '../words/words.js';
import { readFileSync } from 'node:fs';
import { csv } from '../base/figure.js';
import { importTrace } from './file.js';
import { tableOf } from './table.js';

/** A trace of rounds that accept guesses, and add the target's own token where it is given. */
function trace(strings, rounds, { stop = 'length', prompt = ['a'], said = '' } = {}) {
  const made = rounds.map(({ kept = [], own }) => ({
    path: kept.map((_, node) => node),
    verdicts: kept.map((text) => ({ text, token: 1 })),
    extra: own ? { text: own, token: own === '</s>' ? 2 : 1 } : null,
  }));
  if (said) made.at(-1).stop_string = said;
  return { info: { stop_strings: strings, eos: [2] }, prompt_texts: prompt, rounds: made, stop };
}
const roundOf = (...asked) => stopProblem(trace(...asked))?.round;

test('a text that ends with the token that completes its string hangs together', () => {
  const ended = { stop: 'string', said: 'STOP' };
  assert.equal(stopProblem(trace(['STOP'], [{ kept: ['S', 'TO'] }, { own: 'P!' }], ended)), null);
  assert.equal(stopProblem(trace(['STOP'], [{ kept: ['a', 'STOP'] }], ended)), null);
  assert.equal(stopProblem(trace(['STOP'], [{ own: 'OP' }], { ...ended, prompt: ['S', 'T'] })), null);
  assert.equal(stopProblem(trace(['STOP'], [{ own: 'a' }], { prompt: ['STOP'] })), null, 'not in the prompt');
  assert.equal(stopProblem(trace([], [{ kept: ['STOP'], own: 'a' }])), null);
});

test('a character of several tokens is complete with its last', () => {
  const bytes = ['<F0><9F>', '<99>', '<82>'];
  assert.equal(stopProblem(trace(['🙂'], [{ kept: bytes }], { stop: 'string', said: '🙂' })), null);
  assert.equal(roundOf(['🙂'], [{ kept: bytes, own: 'a' }]), 0);
});

test('a text that goes on behind a complete string, inside a round or behind it, contradicts itself', () => {
  assert.equal(roundOf(['STOP'], [{ kept: ['ST', 'OP'], own: 'a' }]), 0);
  assert.equal(roundOf(['STOP'], [{ own: 'a' }, { own: 'STOP' }, { own: 'a' }]), 1);
  assert.match(stopProblem(trace(['<b>'], [{ kept: ['<b>'], own: 'a' }])).what, /<b>/);
});

test('a string that is not complete, or that an end token came with, is not what ended the text', () => {
  assert.equal(roundOf(['STOP'], [{ own: 'STO' }], { stop: 'string', said: 'STOP' }), 0);
  assert.equal(roundOf([], [{ own: 'STOP' }], { stop: 'string', said: 'STOP' }), 0);
  assert.equal(roundOf(['STOP'], [{ own: 'STOP' }], { stop: 'length' }), 0);
  assert.equal(stopProblem(trace(['</s>'], [{ own: '</s>' }], { stop: 'eos' })), null);
  assert.equal(roundOf(['STOP'], [{ own: 'STOP' }], { stop: 'length', said: 'STOP' }), null);
  assert.equal(roundOf(['STOP'], [{ own: 'a' }], { stop: 'string' }), null);
});

const own = { path: [], verdicts: [], extra: { token: 2, text: '</s>' } };
const kept = { path: [0], verdicts: [{ token: 2, text: '</s>' }], extra: null };
const run = (more, config) => ({
  info: { config: { prompt: 'why?', chat: true, ...config }, eos: [2] },
  rounds: [own],
  stop: 'eos',
  text: 'so.</s>',
  ...more,
});

test('a next prompt follows on what was said before, the prompt and the answer', () => {
  assert.deepEqual(turnsOf(run()), ['why?', 'so.']);
  assert.deepEqual(turnsOf(run({ rounds: [kept] }, { earlier: ['who?', 'me'] })), [
    'who?',
    'me',
    'why?',
    'so.',
  ]);
  assert.deepEqual(
    turnsOf(run({ stop: 'length', rounds: [{ ...own, extra: { token: 7, text: '</s>' } }] })),
    ['why?', 'so.</s>'],
  );
  const stopped = {
    stop: 'string',
    text: 'so.\n\n',
    rounds: [{ ...own, extra: { token: 7, text: '\n\n' } }],
  };
  assert.deepEqual(turnsOf(run(stopped)), ['why?', 'so.\n\n']);
});

test('no prompt follows on a run without a template, one cut short, or one whose text nobody vouches for', () => {
  assert.equal(turnsOf(run({}, { chat: false })), null);
  for (const stop of [null, 'stopped', 'deadline', 'failed', 'context'])
    assert.equal(turnsOf(run({ stop })), null);
  assert.equal(turnsOf(run({ text: undefined })), null);
});

const OFF = { code: 'reasons.tried.differs', error: '0.5', most: '0.0002' };
const trial = (use, error, reason) => (reason ? { use, error, reason } : { use, error });
const forward = (tried, border) => ({ name: 'eager', reason: '', threads: 1, tried, border });
const PASSED = [trial('chain', 1e-7), trial('back', 3.1e-7), trial('together', 2e-7)];

test('a model that was tried says what for, and the largest error', () => {
  assert.deepEqual(modelLines({ target_forward: forward(PASSED), draft_caches: [] }), [
    'Target, compared with transformers: token by token, after a rejected draft and two texts in turns; ' +
      'largest error 3e-7 of the largest logit.',
  ]);
});

test('a use that is refused has its reason, once for all that share it, and a border its length', () => {
  const tried = [
    trial('chain', null, 'it has no cache'),
    trial('back', null, 'it has no cache'),
    trial('branch', 0.5, OFF),
  ];
  const draft = { name: 'small-model', slot_bytes: 4, forward: forward(tried, 4096) };
  assert.deepEqual(modelLines({ target_forward: forward(PASSED), draft_caches: [draft] }).slice(1), [
    'Draft model, refused: token by token and after a rejected draft, because it has no cache.',
    'Draft model, refused: two branches of a tree, because its logits are off by 0.5 of the largest; ' +
      'rounding explains at most 0.0002.',
    'Draft model: after 4,096 tokens positions change, so the text is read again there.',
  ]);
});

test('what the file of the model asked for is said: what held, what a person chose instead, what is not done', () => {
  const data = good();
  data.info.generation = { held: { top_p: 0.8 }, own: { temperature: 0.6 }, left: { dola_layers: '<b>' } };
  const { trace, dropped } = opened(data);
  const { config, generation } = trace.info;
  assert.equal(dropped, 0);
  const said = generationLine(trace.info);
  assert.equal(
    said,
    'From the model’s generation_config: top-p 0.8. Your own choice replaces the model’s temperature 0.6. ' +
      'specviz does not support these settings of the model’s generation_config: dola_layers <b>.',
  );
  assert.equal(modelLines(trace.info)[0], said);
  assert.equal(
    generationLine({ config, generation: { held: { top_k: 20, min_p: 0.1 }, own: {}, left: {} } }),
    'From the model’s generation_config: top-k 20 and min-p 0.1.',
  );
  const plain = {
    config: { ...config, generation: 'plain' },
    generation: { ...generation, held: {}, own: {} },
  };
  assert.match(generationLine(plain), /^Plain is chosen, so .*: dola_layers <b>\.$/);
  assert.equal(generationLine({ config }), '');
});

const SAID = { forward: 'compiled', pair: 'embedded', check: 1.7 };

test('the built-in pair under the compiled pass says what its check takes, and where the waterfall is', () => {
  assert.equal(cachedLine(SAID, true), words.cached({ steps: '1.7', beside: true }));
  assert.match(cachedLine(SAID), /a check costs 1\.7 plain steps\. .* Race shows where the speed-up goes\.$/);
  assert.doesNotMatch(cachedLine(SAID, true), /Race/);
});

test('no other pair, pass or cheap check says it', () => {
  for (const other of [
    { pair: 'gpt2' },
    { forward: 'eager' },
    { forward: 'graphs' },
    { forward: 'lean' },
    { forward: undefined },
    { check: 1.2 },
    { check: 1 },
  ])
    assert.equal(cachedLine({ ...SAID, ...other }), '');
});

test('the table holds every guess and every token of the text, each at its place', () => {
  for (const name of ['tale-small-tree', 'code-ngram']) {
    const { trace } = importTrace(readFileSync(new URL(`../../traces/${name}.json`, import.meta.url)));
    const { columns, rows } = tableOf(trace);
    const at = (row, column) => row[columns.indexOf(column)];
    const kept = rows.filter((row) => ['accepted', 'resampled', 'bonus'].includes(at(row, 'became')));
    const length = trace.rounds.reduce((sum, { path, extra }) => sum + path.length + (extra ? 1 : 0), 0);
    assert.deepEqual(
      kept.map((row) => at(row, 'position')).sort((one, other) => one - other),
      Array.from({ length }, (_, index) => trace.prompt.length + index),
    );
    assert.equal(
      rows.length,
      trace.rounds.reduce((sum, { verdicts, extra }) => sum + verdicts.length + (extra ? 1 : 0), 0),
    );
    assert.equal(
      csv({ columns, rows }).split('\r\n').length,
      rows.length + 2,
      'a line for each row, none broken',
    );
  }
});

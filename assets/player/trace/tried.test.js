import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generationLine, modelLines } from './tried.js';
import { good, opened } from '../../../tests/golden/files.js';

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

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SCHEMA } from './file.js';
import { words } from './words.js';
import { fresh, good, harmless, opened } from '../../../tests/golden/files.js';
import { traces } from '../../../tests/golden/traces.js';

test('a trace of schema 6 opens as one of schema 7, and whatever calls itself one is opened or refused', () => {
  const old = fresh('older/schema-6.json');
  const { trace, why: reason } = opened(old);
  assert.match(reason, /letters$/); // made up with texts of 500 letters
  assert.equal(trace.rounds.length, old.rounds.length);
  const guesses = old.rounds.flatMap(({ verdicts }) => verdicts);
  trace.rounds
    .flatMap(({ verdicts }) => verdicts)
    .forEach(({ source, law, p, q, u, low, high }, at) => {
      assert.deepEqual(
        [source.words, law, p, q, u],
        [guesses[at].evidence, 'row', guesses[at].p, guesses[at].q, guesses[at].u],
      );
      assert.ok(low >= 0 && high <= 1 && Math.abs(high - low - q) < 1e-12);
    });
  trace.rounds.forEach(({ timing, draft_caches: caches }, index) => {
    assert.deepEqual(
      timing.draft.map(({ ms }) => ms),
      old.rounds[index].timing.draft,
    );
    assert.deepEqual(caches, [old.rounds[index].draft_cache].filter(Boolean));
  });
  const drop = (value, name) =>
    JSON.parse(JSON.stringify(value, (key, each) => (key === name ? undefined : each)));
  const junk = (value, name) =>
    JSON.parse(JSON.stringify(value, (key, each) => (key === name ? [null, 3, { at: 'x' }] : each)));
  const names = [
    'info',
    'config',
    'rounds',
    'verdicts',
    'extra',
    'path',
    'timing',
    'draft',
    'view',
    'bars',
    'race',
    'evidence',
    'draft_forward',
    'target_forward',
    'draft_cache',
    'q',
  ];
  for (const name of names)
    for (const spoil of [drop, junk])
      harmless(opened({ ...spoil(old, name), schema: 6 }), `${spoil.name} ${name}`);
});

test('every trace in the project opens, with everything the stage reads as it was recorded', () => {
  for (const { name, ...data } of traces()) {
    const { trace, refusal, dropped, why: reason } = opened(data);
    assert.equal(refusal, undefined, name);
    if (name === 'player-sampled.json')
      assert.match(reason, /letters$/); // made up with texts of 500 letters
    else assert.equal(dropped, 0, `${name}: ${reason}`);
    const cut = ({ ...value }) => JSON.stringify(value).replace(/w{500}/g, `${'w'.repeat(255)}…`);
    const rounds = JSON.parse(JSON.stringify(data.rounds));
    rounds.forEach(({ verdicts }) => verdicts.forEach((verdict) => delete verdict.p_entropy));
    assert.equal(cut(trace.rounds), cut(rounds), name);
    assert.equal(cut(trace.prompt_texts), cut(data.prompt_texts));
    assert.deepEqual([trace.stop, trace.live, trace.prefill], [data.stop, false, data.prefill]);
    if (!data.race) continue;
    const { where, ...race } = trace.race;
    assert.equal(cut(race), cut(data.race));
    assert.deepEqual(where, {
      device: data.info.device,
      dtype: data.info.dtype,
      threads: data.info.target_forward.threads,
      forward: data.info.target_forward.name,
      reason: data.info.target_forward.reason,
      recorded: data.info.recorded,
    });
  }
});

test('a trace that notes what timing picked opens, and one that does not', () => {
  const trace = good();
  for (const pass of [trace.info.target_forward, ...trace.info.draft_caches.map(({ forward }) => forward)])
    Object.assign(pass, { name: 'lean', picked: 'rows 1' });
  const { trace: found, dropped } = opened(trace);
  assert.deepEqual(
    [found.info.target_forward.name, 'picked' in found.info.target_forward, dropped],
    ['lean', false, 0],
  );
  delete trace.info.target_forward.picked;
  assert.equal(opened(trace).dropped, 0);
});

test("scouts are kept, and the target's cache must have held them", () => {
  const trace = good();
  const {
    rounds: [first, second],
    ...found
  } = opened(trace).trace;
  assert.deepEqual(
    [found.refusal, 'scouts' in first, second.scouts],
    [undefined, false, trace.rounds[1].scouts],
  );
  assert.deepEqual(
    [second.learning, second.verdicts[0].source.inner],
    [trace.rounds[1].learning, trace.rounds[1].verdicts[0].source.inner],
  );
  delete trace.rounds[1].scouts;
  assert.match(opened(trace).refusal, /the target’s cache/);
});

test('states that a head imagined are kept, and stand behind guesses', () => {
  const trace = good();
  const { trace: found } = opened(trace);
  assert.deepEqual(
    [found.info.heads, found.rounds[1].imagined, 'imagined' in found.rounds[0]],
    [trace.info.heads, trace.rounds[1].imagined, false],
  );
  const [state] = trace.rounds[1].imagined;
  const wrongly = [
    [state, state],
    [{ ...state, node: 90 }],
    [{ ...state, own: [1] }],
    [{ ...state, likeness: 2 }],
  ];
  for (const imagined of wrongly) {
    trace.rounds[1].imagined = imagined;
    assert.match(opened(trace).refusal, /imagined/);
  }
});

test("the schema is the engine's", () => {
  const { properties } = JSON.parse(
    readFileSync(new URL('../../trace.schema.json', import.meta.url), 'utf-8'),
  );
  assert.equal(SCHEMA, properties.schema.const);
});

test('a tree opens whose draft model read more guesses than were kept, within reason', () => {
  const read = (more) => {
    const trace = fresh('branches-top.json');
    trace.rounds[0].draft_caches[0].written += more;
    return opened(trace).refusal;
  };
  assert.equal(read(9), undefined);
  assert.match(read(999), /drafter’s cache cannot have those lengths/);
});

test("a file's name is text that stays to itself", () => {
  const line = words.file.opened({ name: `a\u202eb${'c'.repeat(99)}`, of: 3, dropped: 2, why: 'x' });
  assert.match(
    line,
    /^opened from a file: \u2068a<U\+202E>bc+…\u2069, the first of 3 · 2 parts of this file were left out: x; …$/,
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importTrace } from './file.js';
import { words } from '../words/words.js';
import { named } from '../base/format.js';
import { fresh, good, opened } from '../../../tests/golden/files.js';
import { traces } from '../../../tests/golden/traces.js';

test('every trace in the project opens, with everything the stage reads as it was recorded', () => {
  for (const { name, ...data } of traces()) {
    const { trace, refusal, dropped, why: reason } = opened(data);
    assert.equal(refusal, undefined, name);
    if (name === 'player-sampled.json')
      assert.match(reason, /letters$/); // made up with texts of 500 letters
    else assert.equal(dropped, 0, `${name}: ${reason}`);
    const cut = ({ ...value }) => JSON.stringify(value).replace(/w{500}/g, `${'w'.repeat(255)}…`);
    assert.equal(cut(trace.rounds), cut(data.rounds), name);
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

test('a replacement from nothing opens where others wrote the loop, since that is its bug', () => {
  for (const loop of ['', 'mine']) {
    const trace = good();
    trace.info.loop = loop;
    const { extra } = trace.rounds.find((round) => round.extra?.emission === 'resampled');
    extra.view.bars.find(({ token }) => token === extra.token).residual = 0;
    assert.equal(Boolean(opened(trace).trace), Boolean(loop));
  }
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

test("an accepted token that ends the text may have lost its slot in the target's cache", () => {
  const ended = fresh('grammar.json');
  assert.equal(ended.rounds.at(-1).extra, null);
  const cache = ended.rounds.at(-1).target_cache;
  cache.kept -= 1;
  assert.equal(opened(ended).refusal, undefined);
  cache.kept -= 1;
  assert.match(opened(ended).refusal, /the target’s cache/);
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

test('guesses that were made and not checked are kept, and follow on those that were checked', () => {
  const trace = fresh();
  const { verdicts } = trace.rounds[0];
  const cut = (parent, depth) => ({ parent, depth, token: 1, text: 'a', q: 0.5 });
  const end = verdicts.length - 1;
  const refused = (...unchecked) => {
    trace.rounds[0].unchecked = unchecked;
    return opened(trace).refusal;
  };
  assert.equal(refused(cut(end, end + 1), cut(end + 1, end + 2)), undefined);
  assert.equal(opened(trace).trace.rounds[0].unchecked.length, 2);
  for (const wrong of [cut(end + 1, end + 2), cut(end, end), cut(-1, 1)])
    assert.match(refused(wrong), /guess/);
  assert.match(refused(cut(-2, 0)), /parent/);
});

test('the tokens of a chat template are kept, and lie in the prompt one stretch behind the other', () => {
  const trace = good();
  assert.deepEqual(opened(trace).trace.info.template, [[0, 1]]);
  for (const stretches of [
    [[0, 3]],
    [[1, 1]],
    [[1, 0]],
    [[0]],
    [[0, 1, 2]],
    [
      [0, 1],
      [1, 2],
    ],
    [
      [1, 2],
      [0, 1],
    ],
  ]) {
    trace.info.template = stretches;
    assert.match(opened(trace).refusal, /template/, JSON.stringify(stretches));
  }
});

test('a file opens as editors save it, with a mark or in UTF-16', () => {
  const json = `\ufeff${JSON.stringify(fresh())}`;
  const [utf16, swapped] = [Buffer.from(json, 'utf16le'), Buffer.from(json, 'utf16le').swap16()];
  for (const bytes of [Buffer.from(json), utf16, swapped])
    assert.deepEqual(importTrace(new Uint8Array(bytes)).trace, opened(fresh()).trace);
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
  const name = named(`a\u202eb${'c'.repeat(99)}`);
  const line = words.file.opened({ name, of: 3, dropped: 2, why: 'x', checked: 'no' });
  assert.match(
    line,
    /^not checked · .*: \u2068a<U\+202E>bc+…\u2069, the first of 3 · 2 parts of this file were left out: x; …$/,
  );
});

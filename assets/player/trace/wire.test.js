import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { unpack, unpackRace } from './wire.js';

const read = (name) =>
  JSON.parse(readFileSync(new URL(`../../../tests/golden/${name}`, import.meta.url), 'utf-8'));

test('a packed round is the round of the trace, but for what the player works out or does not need', () => {
  const texts = new Map();
  const { rounds } = read('player-sampled.json');
  read('player-sampled.wire.json').forEach((message, index) => {
    const wanted = structuredClone(rounds[index]);
    const got = unpack(message, texts);
    const views = ({ verdicts, extra }) => [...verdicts, extra].filter(Boolean).map(({ view }) => view);
    views(wanted).forEach((view, at) =>
      view.bars.forEach((bar, place) => {
        const { residual } = views(got)[at].bars[place];
        assert.ok(
          Math.abs(residual - bar.residual) <= 2e-4 * bar.residual,
          `${residual} for ${bar.residual}`,
        );
        bar.residual = residual;
      }),
    );
    wanted.verdicts.forEach((verdict, node) => {
      delete verdict.p_entropy;
      assert.ok(Math.abs(got.verdicts[node].high - verdict.high) < 1e-12);
      verdict.high = got.verdicts[node].high;
    });
    wanted.timing.draft = got.timing.draft;
    for (const part of ['verify', 'accept', 'trim', 'overhead']) {
      assert.ok(Math.abs(got.timing[part] - wanted.timing[part]) <= 5e-5);
      wanted.timing[part] = got.timing[part];
    }
    assert.deepEqual(got, wanted);
  });
});

test('a packed race is the race of the trace to 4 decimals, with where it was timed', () => {
  const texts = new Map();
  const { race, info } = read('player-sampled.json');
  read('player-sampled.wire.json').forEach((message) => unpack(message, texts));
  const known = texts.size;
  const got = unpackRace(read('player-race.wire.json'), texts);
  assert.equal(texts.size, known);
  assert.deepEqual([got.tokens, got.texts], [race.tokens, race.texts]);
  const short = (value) =>
    JSON.parse(JSON.stringify(value), (_, each) =>
      typeof each === 'number' ? Number(each.toFixed(4)) : each,
    );
  for (const part of ['rounds', 'passes', 'laps', 'plain_laps'])
    assert.deepEqual(got[part], short(race[part]));
  const { device, dtype, target_forward: forward, recorded } = info;
  assert.deepEqual(got.where, {
    device,
    dtype,
    threads: forward.threads,
    forward: forward.name,
    reason: forward.reason,
    recorded,
  });
});

test('scouts come with their texts, and only where there are some', () => {
  const {
    rounds: [wanted],
  } = read('player-sampled.json');
  const [message] = read('player-sampled.wire.json');
  assert.ok(!('scouts' in unpack(message, new Map())));
  const known = wanted.verdicts[0];
  const sent = { round: [...message.round, [known.token, 0, 1234567, 1]], texts: [...message.texts, '<b>'] };
  const unpacked = unpack(sent, new Map());
  assert.ok(!('learning' in unpacked));
  assert.deepEqual(unpacked.scouts, [
    { token: known.token, text: known.text, depth: 0 },
    { token: 1234567, text: '<b>', depth: 1 },
  ]);
});

test('what a drafter had learned or imagined comes with the round, and an inner guess with its own', () => {
  const [message] = read('player-sampled.wire.json');
  const round = structuredClone(message.round);
  round[3][0][10] = ['me', 0, 0, 0, '', ['ngram', 1234567]];
  round[3][1][10] = [0, 0, 0, 0, 'others'];
  const {
    verdicts: [first, second],
    ...made
  } = unpack(
    {
      round: [...round, 0, [12, 1], [[-1, 0.5, [1, 2], [3, 4]]]],
      texts: [message.texts[0], '<i>', ...message.texts.slice(1)],
    },
    new Map(),
  );
  assert.deepEqual([made.learning, 'scouts' in made], [{ updates: 12, used: true }, false]);
  assert.deepEqual(made.imagined, [{ node: -1, likeness: 0.5, own: [1, 2], true: [3, 4] }]);
  assert.deepEqual(
    [first.source.inner, second.source.inner],
    [{ who: 'ngram', token: 1234567, text: '<i>' }, undefined],
  );
});

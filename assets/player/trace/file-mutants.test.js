import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbersOf } from '../base/statistics.js';
import { importTrace } from './file.js';
import { MARKUP, bytes, good, harmless, opened, walk } from '../../../tests/golden/files.js';

const MUTANTS = 400;

test('a good trace changed anywhere opens harmlessly or not at all', () => {
  const random = dice(Number(process.env.SPECVIZ_SEED ?? 7));
  const trace = small();
  assert.deepEqual([opened(trace).dropped, opened(trace).trace.race.passes.length > 0], [0, true]);
  const count = { opened: 0, mended: 0, refused: 0 };
  for (let at = 0; at < MUTANTS; at += 1) {
    const mutant = structuredClone(trace);
    for (let changes = 1 + random(2); changes; changes -= 1) mutate(mutant, random);
    const found = importTrace(bytes(JSON.stringify(mutant)));
    harmless(found, `mutant ${at}`, at % 4 ? Infinity : 3); // a scene costs more than an import
    count[found.refusal ? 'refused' : found.dropped ? 'mended' : 'opened'] += 1;
  }
  Object.entries(count).forEach(([name, many]) => assert.ok(many > MUTANTS / 50, `${many} ${name}`));
});

/** The good trace's first two rounds, and the few bars they cannot do without. */
function small() {
  const trace = good();
  const rounds = trace.rounds.slice(0, 2);
  for (const { verdicts, extra } of rounds) {
    for (const { token, view } of [...verdicts, extra]) {
      const keeps = (_, place) => place < 2 || view.bars[place].token === token;
      const kept = ['noise', 'before']
        .filter((name) => view[name])
        .map((name) => [name, view[name].filter(keeps)]);
      Object.assign(view, { bars: view.bars.filter(keeps) }, Object.fromEntries(kept));
    }
  }
  const made = rounds.reduce((sum, { path }) => sum + path.length + 1, 0);
  const cut = Object.fromEntries(
    ['passes', 'tokens', 'texts'].map((name) => [name, trace.race[name].slice(0, made)]),
  );
  return {
    ...trace,
    rounds,
    stop: 'stopped',
    race: { ...trace.race, ...cut, rounds: trace.race.rounds.slice(0, 2) },
  };
}

/** Whole numbers below n, the same for the same seed. */
function dice(seed) {
  const next = numbersOf(seed);
  return (n) => Math.floor(next() * n);
}

const STRANGE = [
  ...JSON.parse('[null, true, false, 0, 1, -1, 0.5, 1.5, -0, 20, 21, 1e9, 1e300, 5e-324, 9007199254740992]'),
  ...JSON.parse('["", "0", "accepted", "\\u202e", [], {}, [[]], {"length": 3}, [null], {"token": 1}]'),
  ...[MARKUP[0], 'x'.repeat(999)],
];

/**
 * Changes one place of a value: another value there, a key gone, twice, new or swapped with its neighbour.
 */
function mutate(root, random) {
  const places = [];
  walk(
    root,
    '',
    (value) =>
      value && typeof value === 'object' && Object.keys(value).forEach((name) => places.push([value, name])),
  );
  const [owner, name] = places[random(places.length)];
  const strange = structuredClone(STRANGE[random(STRANGE.length)]);
  const acts = [
    () => {
      owner[name] = strange;
    },
    () => {
      owner[name] = typeof owner[name] === 'number' ? owner[name] * (random(2) ? 0.99 : 1 + 1e-9) : strange;
    },
    () => (Array.isArray(owner) ? owner.splice(Number(name), 1) : delete owner[name]),
    () =>
      Array.isArray(owner)
        ? owner.push(structuredClone(owner[name]))
        : Object.defineProperty(owner, ['__proto__', 'constructor', 'x'][random(3)], {
            value: strange,
            enumerable: true,
            configurable: true,
            writable: true,
          }),
    () => {
      const other = places[random(places.length)];
      [owner[name], other[0][other[1]]] = [structuredClone(other[0][other[1]]), structuredClone(owner[name])];
    },
  ];
  acts[random(acts.length)]();
}

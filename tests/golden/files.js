/**
 * files.js: for the tests of opened trace files: a good file, and what must hold whatever a file held.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { scene } from '../../assets/player/stage/scene.js';
import { why } from '../../assets/player/stage/round/why.js';
import { raceLanes } from '../../assets/player/tabs/race/sums-lanes.js';
import { importTrace } from '../../assets/player/trace/file.js';
import { costsOf, raceOf, resultOf } from '../../assets/player/trace/race.js';
import { storyOf } from '../../assets/player/trace/story.js';

/** Text that would run if anything took it for markup. */
export const MARKUP = [
  '<script>window.__x = 1</script>',
  '<img src=x onerror="window.__x=2">',
  '${window.__x = 3}',
  '{{constructor.constructor("window.__x=4")()}}',
];

/** Text as the bytes of a file. */
export function bytes(text) {
  return new TextEncoder().encode(text);
}

/** A golden trace by name, read anew. */
export function fresh(name = 'player-sampled.json') {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf-8'));
}

/** What comes of data saved as a file and opened. */
export function opened(data) {
  return importTrace(bytes(JSON.stringify(data)));
}

/** A sound trace of every feature: a round that a γ rule stopped, with what it saw. Its texts fit. */
export function good() {
  const trace = fresh();
  trace.rounds[1].halt = { reason: { code: 'reasons.product.halt', guesses: 2, risk: '40%' }, signal: 1.5 };
  Object.assign(trace.rounds[1].budget, { reason: { code: 'reasons.always', gamma: 4 }, signal: 0.25 });
  trace.rounds[1].verdicts[0].source.words = { code: 'reasons.ngram', context: 2, seen: '1,234', own: '0' };
  for (const model of ['target', 'draft'])
    trace.info[model] = { code: 'reasons.model', family: 'llama', layers: 2, size: '1 M' };
  trace.info.target_forward.reason = { code: 'reasons.pass.window' };
  trace.rounds[1].glances = [
    { entropy: 1, q: 0.5 },
    { entropy: 2, q: null },
  ];
  trace.rounds[1].scouts = [
    { token: 1, text: '<i>', depth: 0 },
    { token: 2, text: 'b', depth: 3 },
  ];
  trace.rounds[1].target_cache.written += 2;
  trace.info.template = [[0, 1]];
  trace.info.control = [1];
  trace.info.generation = { held: { k: 0.8 }, own: { k: 0.6 }, left: { k: '<b>' } };
  trace.info.stop_strings = ['☃'];
  trace.info.config.earlier = ['<b>who</b>', 'me'];
  trace.info.config.stop_strings = ['<b>', '\n'];
  trace.info.config.grammar = '<b>|c';
  trace.rounds[1].learning = { updates: 3, used: false };
  trace.info.heads = { reads: 'imagined', layers: [1, 2], of: 2, width: 8, places: 0, pending: true };
  trace.rounds[1].imagined = [{ node: -1, likeness: 0.5, own: [1, -2], true: [0.5, 3] }];
  trace.rounds[1].verdicts[0].source.inner = { who: 'ngram', token: 2, text: 'b' };
  for (const { view } of [trace.rounds[1].verdicts[0], trace.rounds[1].extra]) {
    view.noise = view.bars.map((_, at) => at - 0.5);
    view.raw = [
      { token: 1, text: '<b>', p: 0.5, q: 0.25 },
      { token: 2, text: 'b', p: 0.25, q: null },
    ];
    view.allowed = 2;
    const [{ token }] = view.bars;
    view.before = view.bars.map(() => 0.03125);
    view.changed = [
      { token, by: 'repetition', places: [0, trace.rounds[1].position - 1] },
      { token, by: 'no_repeat', places: [] },
    ];
  }
  trace.info.config.params = { k: 0.5 };
  trace.info.config.gamma_params = { k: 1 };
  return JSON.parse(JSON.stringify(trace).replace(/w{500}/g, 'w'.repeat(9)));
}

/** Every path of field names in a value, places in lists left out. */
function paths(value, path = '', found = new Set()) {
  if (Array.isArray(value)) value.forEach((item) => paths(item, `${path}[]`, found));
  else if (value && typeof value === 'object')
    Object.entries(value).forEach(([name, each]) =>
      paths(each, found.add(`${path}.${name}`) && `${path}.${name}`, found),
    );
  return found;
}

const KNOWN = paths(opened(good()).trace);
/** A value of a sentence. */
const SAID = /\.(reason|words|target|draft)\.[a-z]\w*$/;
/** A value under a name that a file is free to choose. */
const NAMED = /(params|generation\.[a-z]+)\.[a-z]\w*$/;
const SHARES = /rounds.*\.(p|q|u|draft_u|accept_prob|low|high|overlap|residual)$/;

/**
 * Whatever a file held, its trace is bounded, of known fields and finite numbers, and every beat, or every
 * few, can be shown.
 */
export function harmless({ trace, dropped, why: reason, refusal }, name, every = 1) {
  assert.equal({}.polluted, undefined, name);
  if (!trace) {
    assert.match(refusal, /^\S.{5,}[^.]$/su, name);
    assert.ok(refusal.length < 600 && !/[\u202e\u0000-\u001f]/.test(refusal), `${name}: ${refusal}`);
    return;
  }
  assert.equal(dropped > 0, reason !== '', name);
  for (const path of paths(trace))
    assert.ok(KNOWN.has(path.replace(NAMED, '$1.k').replace(SAID, '.$1.code')), `${name}: ${path}`);
  walk(trace, '', (value, path) => {
    if (typeof value === 'number') assert.ok(Number.isFinite(value), `${name}: ${path} is ${value}`);
    if (typeof value === 'number' && SHARES.test(path))
      assert.ok(value >= 0 && value <= 1, `${name}: ${path} is ${value}`);
    if (typeof value === 'string') assert.ok(value.length <= 8000, `${name}: ${path}`);
    if (value && typeof value === 'object')
      assert.ok(
        [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)),
        `${name}: ${path}`,
      );
  });
  playable(trace, every);
}

/** Calls look(value, path) for a value and everything inside it. */
export function walk(value, path, look) {
  look(value, path);
  if (value && typeof value === 'object')
    Object.entries(value).forEach(([name, each]) => walk(each, `${path}.${name}`, look));
}

/**
 * Shows what the stage can show of a trace at its first beat and every so many later; an impossible one
 * throws.
 */
function playable(trace, every) {
  const story = storyOf(trace);
  story.beats.forEach((beat, at) => {
    if (at % every) return;
    const { figure, ruler, sum, said, cellTitle, caches, tree } = scene(story, at);
    caches.forEach(({ cells }) => cells?.forEach(cellTitle));
    walk(
      [figure, ruler, tree],
      '',
      (value) => typeof value === 'number' && assert.ok(Number.isFinite(value)),
    );
    assert.ok(!/NaN|Infinity|undefined/.test(JSON.stringify([sum, said])), JSON.stringify([sum, said]));
    trace.rounds[beat.round].verdicts.forEach((_, slot) => why(story, at, { round: beat.round, slot }));
  });
  if (!raceOf(trace)) return;
  raceLanes(story);
  walk(
    [costsOf(trace), resultOf(trace)],
    '',
    (value, path) => typeof value === 'number' && assert.ok(Number.isFinite(value), `race: ${path}`),
  );
}

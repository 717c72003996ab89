import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LIMITS, SCHEMA, importTrace } from './file.js';
import { lanes, playhead } from '../stage/lanes.js';
import { costsOf, raceOf, resultOf } from './race.js';
import { raceLanes } from '../tabs/race/sums-lanes.js';
import { scene } from '../stage/scene.js';
import { storyOf } from './story.js';
import { words } from './words.js';
import { why } from '../stage/why.js';
import { traces } from '../../../tests/golden/traces.js';

const MUTANTS = 2000;
const GOLDEN = new URL('../../../tests/golden/', import.meta.url);
const bytes = (text) => new TextEncoder().encode(text);
const fresh = (name = 'player-sampled.json') => JSON.parse(readFileSync(new URL(name, GOLDEN), 'utf-8'));
const opened = (data) => importTrace(bytes(JSON.stringify(data)));

/** A sound trace of every feature: a round that a γ rule stopped, with what it saw. Its texts fit. */
function good() {
  const trace = fresh();
  trace.rounds[1].halt = { reason: 'entropy', signal: 1.5 };
  trace.rounds[1].budget.signal = 0.25;
  trace.rounds[1].glances = [{ entropy: 1, q: 0.5 }, { entropy: 2, q: null }];
  trace.rounds[1].scouts = [{ token: 1, text: '<i>', depth: 0 }, { token: 2, text: 'b', depth: 3 }];
  trace.rounds[1].target_cache.written += 2;
  trace.info.config.params = { k: 0.5 };
  trace.info.config.gamma_params = { k: 1 };
  return JSON.parse(JSON.stringify(trace).replace(/w{500}/g, 'w'.repeat(9)));
}

/** Every path of field names in a value, places in lists left out. */
function paths(value, path = '', found = new Set()) {
  if (Array.isArray(value)) value.forEach((item) => paths(item, `${path}[]`, found));
  else if (value && typeof value === 'object') Object.entries(value).forEach(([name, each]) => paths(each, found.add(`${path}.${name}`) && `${path}.${name}`, found));
  return found;
}

const KNOWN = paths(opened(good()).trace);
const SHARES = /rounds.*\.(p|q|u|draft_u|accept_prob|low|high|overlap|residual)$/;

/** Whatever a file held, its trace is bounded, of known fields and finite numbers, and every beat, or every few, can be shown. */
function harmless({ trace, dropped, why: reason, refusal }, name, every = 1) {
  assert.equal({}.polluted, undefined, name);
  if (!trace) {
    assert.match(refusal, /^\S.{5,}[^.]$/su, name);
    assert.ok(refusal.length < 600 && !/[\u202e\u0000-\u001f]/.test(refusal), `${name}: ${refusal}`);
    return;
  }
  assert.equal(dropped > 0, reason !== '', name);
  for (const path of paths(trace)) assert.ok(KNOWN.has(path.replace(/params\.[a-z]\w*$/, 'params.k')), `${name}: ${path}`);
  walk(trace, '', (value, path) => {
    if (typeof value === 'number') assert.ok(Number.isFinite(value), `${name}: ${path} is ${value}`);
    if (typeof value === 'number' && SHARES.test(path)) assert.ok(value >= 0 && value <= 1, `${name}: ${path} is ${value}`);
    if (typeof value === 'string') assert.ok(value.length <= LIMITS.prompt, `${name}: ${path}`);
    if (value && typeof value === 'object') assert.ok([Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)), `${name}: ${path}`);
  });
  playable(trace, every);
}

function walk(value, path, look) {
  look(value, path);
  if (value && typeof value === 'object') Object.entries(value).forEach(([name, each]) => walk(each, `${path}.${name}`, look));
}

/** Shows what the stage can show of a trace at its first beat and every so many later; an impossible one throws. */
function playable(trace, every) {
  const story = storyOf(trace);
  lanes(story);
  story.beats.forEach((beat, at) => {
    if (at % every) return;
    const { figure, ruler, sum, said, cellTitle, caches, tree } = scene(story, at);
    playhead(story, at).forEach(({ x }) => assert.ok(Number.isFinite(x)));
    caches.forEach(({ cells }) => cells?.forEach(cellTitle));
    walk([figure, ruler, tree], '', (value) => typeof value === 'number' && assert.ok(Number.isFinite(value)));
    assert.ok(!/NaN|Infinity|undefined/.test(JSON.stringify([sum, said])), JSON.stringify([sum, said]));
    trace.rounds[beat.round].verdicts.forEach((_, slot) => why(trace, story.beats, at, { round: beat.round, slot }));
  });
  if (!raceOf(trace)) return;
  raceLanes(story);
  walk([costsOf(trace), resultOf(trace)], '', (value, path) => typeof value === 'number' && assert.ok(Number.isFinite(value), `race: ${path}`));
}

test('a trace of schema 6 opens as one of schema 7, and whatever calls itself one is opened or refused', () => {
  const old = fresh('older/schema-6.json');
  const { trace, why: reason } = opened(old);
  assert.match(reason, /letters$/); // made up with texts of 500 letters
  assert.equal(trace.rounds.length, old.rounds.length);
  const guesses = old.rounds.flatMap(({ verdicts }) => verdicts);
  trace.rounds.flatMap(({ verdicts }) => verdicts).forEach(({ source, law, p, q, u, low, high }, at) => {
    assert.deepEqual([source.words, law, p, q, u], [guesses[at].evidence, 'row', guesses[at].p, guesses[at].q, guesses[at].u]);
    assert.ok(low >= 0 && high <= 1 && Math.abs(high - low - q) < 1e-12);
  });
  trace.rounds.forEach(({ timing, draft_caches: caches }, index) => {
    assert.deepEqual(timing.draft.map(({ ms }) => ms), old.rounds[index].timing.draft);
    assert.deepEqual(caches, [old.rounds[index].draft_cache].filter(Boolean));
  });
  const drop = (value, name) => JSON.parse(JSON.stringify(value, (key, each) => (key === name ? undefined : each)));
  const junk = (value, name) => JSON.parse(JSON.stringify(value, (key, each) => (key === name ? [null, 3, { at: 'x' }] : each)));
  const names = ['info', 'config', 'rounds', 'verdicts', 'extra', 'path', 'timing', 'draft', 'view', 'bars', 'race', 'evidence', 'draft_forward', 'target_forward', 'draft_cache', 'q'];
  for (const name of names) for (const spoil of [drop, junk]) harmless(opened({ ...spoil(old, name), schema: 6 }), `${spoil.name} ${name}`);
});

test('every trace in the project opens, with everything the stage reads as it was recorded', () => {
  for (const { name, ...data } of traces()) {
    const { trace, refusal, dropped, why: reason } = opened(data);
    assert.equal(refusal, undefined, name);
    if (name === 'player-sampled.json') assert.match(reason, /letters$/); // made up with texts of 500 letters
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
    assert.deepEqual(where, { device: data.info.device, dtype: data.info.dtype, threads: data.info.target_forward.threads, forward: data.info.target_forward.name, reason: data.info.target_forward.reason, recorded: data.info.recorded });
  }
});

test('scouts are kept, and the target\'s cache must have held them', () => {
  const trace = good();
  const { rounds: [first, second], ...found } = opened(trace).trace;
  assert.deepEqual([found.refusal, 'scouts' in first, second.scouts], [undefined, false, trace.rounds[1].scouts]);
  delete trace.rounds[1].scouts;
  assert.match(opened(trace).refusal, /the target’s cache/);
});

test('the schema is the engine\'s', () => {
  const { properties } = JSON.parse(readFileSync(new URL('../../trace.schema.json', import.meta.url), 'utf-8'));
  assert.equal(SCHEMA, properties.schema.const);
});

const TEXTS = ['<script>window.__x = 1</script>', '<img src=x onerror="window.__x=2">', '${window.__x = 3}', '{{constructor.constructor("window.__x=4")()}}'];
const nested = (depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const raw = (from, to) => (trace) => JSON.stringify(trace).replace(from, to);
const on = (change) => (trace) => {
  change(trace);
  return trace;
};
const verdict = (change) => on(({ rounds }) => change(rounds[0].verdicts[0]));
const bar = (change) => on(({ rounds }) => change(rounds[0].verdicts[0].view.bars[0], rounds[0].verdicts[0].view.bars));

/** Files that must not open: what is in them, and the reason given. */
const REFUSED = [
  ['nothing', () => '', /not JSON/],
  ['half a file', (trace) => JSON.stringify(trace).slice(0, 20_000), /not JSON, or not all of it/],
  ['two files in one', (trace) => JSON.stringify(trace).repeat(2), /not JSON/],
  ['no JSON but a page', () => `<html>${TEXTS[0]}</html>`, /not JSON/],
  ['UTF-16', (trace) => Uint8Array.from(Buffer.from(JSON.stringify(trace), 'utf16le')), /not UTF-8|not JSON/],
  ['UTF-16 with its mark', (trace) => Uint8Array.from([0xff, 0xfe, ...Buffer.from(JSON.stringify(trace), 'utf16le')]), /not UTF-8/],
  ['bytes that are no text', () => Uint8Array.from({ length: 999 }, (_, at) => (at * 151) % 256), /not UTF-8/],
  ['11 MB', () => new Uint8Array(11e6), /it has 11 MB; at most 5 MB are opened/],
  ['depth of a million', () => nested(1e6), /not JSON|no trace/],
  ['depth inside a field', raw('"stop":"length"', `"stop":${nested(1e5)}`), /stop is a list/],
  ['a list', () => '[]', /no trace of specviz/],
  ['null', () => 'null', /no trace of specviz/],
  ['another JSON file', () => '{"name":"package","version":"1.0"}', /no trace of specviz/],
  ['an older schema', on((trace) => { trace.schema = 5; }), /a trace of schema 5, and this page reads schema 7; make the run again .*specviz run/],
  ['a newer schema', on((trace) => { trace.schema = 8; }), /schema 8.*newer specviz/],
  ['a schema in quotes', on((trace) => { trace.schema = '7'; }), /no trace of specviz/],
  ['a field missing', on((trace) => delete trace.rounds[2].timing.verify), /rounds\[2\]\.timing\.verify is missing/],
  ['a field only inherited', raw('"stop":"length"', '"__proto__":{"stop":"length"}'), /trace\.stop is missing/],
  ['an object for a list', on((trace) => { trace.rounds = { length: 1, 0: trace.rounds[0] }; }), /rounds is an object; wanted a list/],
  ['a list for an object', on((trace) => { trace.info = []; }), /info is a list/],
  ['no rounds', on((trace) => { trace.rounds = []; }), /no rounds to show/],
  ['a million rounds', on((trace) => { trace.rounds = Array(1e6).fill(0); }), /a list, 1,000,000 long; wanted a list of at most 2,000/],
  ['2,001 rounds', on((trace) => { trace.rounds = Array(2001).fill(0); }), /2,001 long/],
  ['a prompt of 8,193 tokens', on((trace) => { trace.prompt = Array(8193).fill(0); }), /8,193 long/],
  ['γ 21', on((trace) => { trace.info.config.gamma = 21; }), /config\.gamma is 21; wanted a whole number from 0 to 20/],
  ['129 guesses', on(({ rounds }) => { rounds[0].verdicts = Array(129).fill(rounds[0].verdicts[0]); }), /verdicts is a list, 129 long/],
  ['NaN', raw(/"p":[\d.]+/, '"p":NaN'), /not JSON/],
  ['infinity', raw('"prefill":1', '"prefill":1e999,"x":1'), /prefill is Infinity/],
  ['a huge number', on(({ rounds }) => { rounds[0].timing.verify = 1e300; }), /verify is 1e\+300/],
  ['a negative time', on(({ rounds }) => { rounds[0].timing.trim = -1; }), /trim is -1/],
  ['a pass of no time', on(({ rounds }) => { rounds[0].timing.verify = 0; }), /one for the target’s pass/],
  ['true for a number', verdict((each) => { each.p = true; }), /\.p is true/],
  ['a number in quotes', verdict((each) => { each.p = '0.5'; }), /\.p is "0.5"/],
  ['a probability of 1.5', verdict((each) => { each.q = 1.5; }), /\.q is 1.5; wanted a number from 0 to 1/],
  ['a probability below 0', verdict((each) => { each.u = -0.5; }), /\.u is -0.5/],
  ['a guess of probability 0', verdict((each) => { each.q = 0; }), /rounds\[0\] contradicts itself: guess 0 lacks a number/],
  ['a guess beside where its number fell', verdict((each) => { const by = each.low > 0.5 ? -0.5 : 0.5; each.low += by; each.high += by; }), /guess 0 does not stand where/],
  ['a guess as wide as it is not', verdict((each) => { each.low = each.high; }), /guess 0 does not stand where/],
  ['a verdict its numbers do not give', verdict((each) => { each.accept_prob = (each.accept_prob + 0.5) % 1; }), /guess 0 has a verdict/],
  ['a verdict named constructor', verdict((each) => { each.verdict = 'constructor'; }), /"constructor"; wanted one of accepted/],
  ['a token beyond the vocabulary', verdict((each) => { each.token = 18; }), /token is 18; wanted a whole number from 0 to 17/],
  ['half a token', on((trace) => { trace.prompt[0] = 0.5; }), /prompt\[0\] is 0.5/],
  ['a parent that comes later', on(({ rounds }) => { rounds[0].verdicts[0].parent = 1; }), /guess 0 does not hang on an earlier one/],
  ['a guess that is its own parent', on(({ rounds }) => { rounds[0].verdicts[1].parent = 1; }), /guess 1 does not hang/],
  ['a path in a circle', on(({ rounds }) => { rounds.find(({ path }) => path.length > 1).path = [0, 0]; }), /the path does not follow/],
  ['a path out of the round', on(({ rounds }) => { rounds[0].path.push(19); }), /the path does not follow/],
  ['rounds in disorder', on(({ rounds }) => rounds.reverse()), /index and position/],
  ['a cache longer than the text', on(({ rounds }) => { rounds[0].target_cache.written = 1e6; }), /the target’s cache/],
  ['a drafter’s cache from nowhere', on(({ rounds }) => { rounds[1].draft_caches[0].before += 1; }), /the drafter’s cache/],
  ['a resampled token without a bar', on(({ rounds }) => { const { extra } = rounds.find((round) => round.extra.emission === 'resampled'); extra.view.bars = extra.view.bars.filter(({ token }) => token !== extra.token); }), /drawn from nothing/],
  ['texts that are no texts', on((trace) => { trace.prompt_texts = [{ toString: 'x' }, 7]; }), /prompt_texts\[0\] is an object; wanted text/],
  ['a refused guess with nothing left to draw from', on(({ rounds }) => { const { extra, verdicts } = rounds.find(({ extra: own }) => own?.node !== null); verdicts[extra.node].view.overlap = 1; }), /drawn/],
  ['fewer texts than tokens', on((trace) => trace.prompt_texts.pop()), /a text for each token/],
  ['markup where a word is wanted', on((trace) => { trace.stop = TEXTS[0]; }), /stop is "<script>/],
  ['an invisible huge word where one is wanted', on((trace) => { trace.stop = '\u202e'.repeat(1e6); }), /<U\+202E>/],
];

/** Files that open all the same: what is in them, how many parts are left out (null: as many as it takes), and what else holds. */
const MENDED = [
  ['prototype keys at the top', raw('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},'), 2],
  ['prototype keys in a guess', raw('"node":0', '"__proto__":{"polluted":1},"prototype":1,"node":0'), null],
  ['prototype keys as parameters', raw('"params":{', '"params":{"__proto__":1,"constructor":2,"toString":3,'), 3, ({ info }) => assert.deepEqual(info.config.params, { k: 0.5 })],
  ['fields nobody knows', on((trace) => Object.assign(trace, { onload: TEXTS[0], then: 1 })), 2, (trace) => assert.ok(!('then' in trace))],
  ['a field twice', raw('"prefill":1', '"prefill":9,"prefill":1'), 0, ({ prefill }) => assert.equal(prefill, 1)],
  ['a byte order mark', (trace) => `\ufeff${JSON.stringify(trace)}`, 0],
  ['markup in every text', (trace) => JSON.stringify(trace, (name, value) => (['text', 'words', 'who', 'reason', 'drafter', 'target', 'draft', 'pair', 'recorded'].includes(name) && typeof value === 'string' ? TEXTS[value.length % TEXTS.length] : value)), 0, ({ rounds }) => assert.ok(TEXTS.includes(rounds[0].verdicts[0].text))],
  ['lone surrogates', (trace) => JSON.stringify(trace).replaceAll('"text":"', '"text":"\\ud800'), 0],
  ['text that turns its neighbours round', on(({ info, rounds }) => { info.target = '\u202ellac\u2066'; rounds[0].verdicts[0].source.words = '\u200b'; }), 0, ({ info, rounds }) => assert.deepEqual([info.target, rounds[0].verdicts[0].source.words], ['<U+202E>llac<U+2066>', '<U+200B>'])],
  ['a text of a million letters', verdict((each) => { each.text = '😀'.repeat(5e5); }), 1, ({ rounds }) => assert.match(rounds[0].verdicts[0].text, /^(😀)+…$/u)],
  ['a bar above 1', bar((each) => { each.p = 7; }), 1, ({ rounds }, { rounds: before }) => assert.equal(rounds[0].verdicts[0].view.bars.length, before[0].verdicts[0].view.bars.length - 1)],
  ['a bar of no shape', bar((_, bars) => bars.splice(0, 2, null, [])), 2],
  ['a bar twice', bar((each, bars) => bars.push(each)), 1],
  ['a race of another run', on((trace) => trace.race.rounds.pop()), 1, ({ race }) => assert.equal(race, null)],
  ['a race of no time', on((trace) => trace.race.laps.fill(5e-324)), 1, ({ race }) => assert.equal(race, null)],
  ['a race of nonsense', on((trace) => { trace.race = 'fast'; }), 1, ({ race }) => assert.equal(race, null)],
  ['glances and a halt of nonsense', on(({ rounds }) => Object.assign(rounds[1], { glances: [{ entropy: 'x', q: 2 }], halt: 'now' })), 2, ({ rounds }) => assert.deepEqual([rounds[1].glances, rounds[1].halt], [[], null])],
  ['a source that is a list', verdict((each) => { each.source = []; }), 1],
];

test('files that cannot be played are refused, with the reason', () => {
  for (const [name, make, reason] of REFUSED) {
    const file = make(good());
    const found = importTrace(file instanceof Uint8Array ? file : bytes(typeof file === 'string' ? file : JSON.stringify(file)));
    assert.match(found.refusal ?? 'it opened', reason, name);
    harmless(found, name);
  }
});

test('files that are bad in parts are opened without those, which are counted', () => {
  for (const [name, make, dropped, holds] of MENDED) {
    const file = make(good());
    const found = importTrace(bytes(typeof file === 'string' ? file : JSON.stringify(file)));
    assert.equal(found.refusal, undefined, name);
    if (dropped === null) assert.ok(found.dropped > 0, name);
    else assert.equal(found.dropped, dropped, `${name}: ${found.why}`);
    holds?.(found.trace, good());
    harmless(found, name, 3);
  }
  assert.ok(REFUSED.length + MENDED.length >= 40);
});

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
    for (const { token, view } of [...verdicts, extra]) view.bars = view.bars.filter((bar, place) => place < 2 || bar.token === token);
  }
  const made = rounds.reduce((sum, { path }) => sum + path.length + 1, 0);
  const cut = Object.fromEntries(['passes', 'tokens', 'texts'].map((name) => [name, trace.race[name].slice(0, made)]));
  return { ...trace, rounds, stop: 'stopped', race: { ...trace.race, ...cut, rounds: trace.race.rounds.slice(0, 2) } };
}

/** Whole numbers below n, the same for the same seed; mulberry32. */
function dice(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % n;
  };
}

const STRANGE = [null, true, false, 0, 1, -1, 0.5, 1.5, -0, 20, 21, 1e9, 1e300, 5e-324, 2 ** 53, '', '0', 'accepted', '\u202e', TEXTS[0], 'x'.repeat(999), [], {}, [[]], { length: 3 }, [null], { token: 1 }];

/** Changes one place of a value: another value there, a key gone, twice, new or swapped with its neighbour. */
function mutate(root, random) {
  const places = [];
  walk(root, '', (value) => value && typeof value === 'object' && Object.keys(value).forEach((name) => places.push([value, name])));
  const [owner, name] = places[random(places.length)];
  const strange = structuredClone(STRANGE[random(STRANGE.length)]);
  const acts = [
    () => { owner[name] = strange; },
    () => { owner[name] = typeof owner[name] === 'number' ? owner[name] * (random(2) ? 0.99 : 1 + 1e-9) : strange; },
    () => (Array.isArray(owner) ? owner.splice(Number(name), 1) : delete owner[name]),
    () => (Array.isArray(owner) ? owner.push(structuredClone(owner[name])) : Object.defineProperty(owner, ['__proto__', 'constructor', 'x'][random(3)], { value: strange, enumerable: true, configurable: true, writable: true })),
    () => {
      const other = places[random(places.length)];
      [owner[name], other[0][other[1]]] = [structuredClone(other[0][other[1]]), structuredClone(owner[name])];
    },
  ];
  acts[random(acts.length)]();
}

test('a file\'s name is text that stays to itself', () => {
  const told = words.file.opened({ name: `a\u202eb${'c'.repeat(99)}`, of: 3, dropped: 2, why: 'x' });
  assert.match(told, /^opened from a file: \u2068a<U\+202E>bc+…\u2069, the first of 3 · 2 parts of this file were left out: x; …$/);
});

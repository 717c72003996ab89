import assert from 'node:assert/strict';
import { tell } from '../words/words.js';
import { test } from 'node:test';
import { importTrace } from './file.js';
import { MARKUP, bytes, good, harmless } from '../../../tests/golden/files.js';

const nested = (depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const raw = (from, to) => (trace) => JSON.stringify(trace).replace(from, to);
const on = (change) => (trace) => {
  change(trace);
  return trace;
};
/** Puts a value at a path of names, such as rounds.0.path. */
const put = (path, value) =>
  on((trace) => {
    const names = path.split('.');
    names.slice(0, -1).reduce((part, name) => part[name], trace)[names.at(-1)] = value;
  });
const guess = (name, value) => put(`rounds.0.verdicts.0.${name}`, value);
const resampled = ({ rounds }) => rounds.find(({ extra }) => extra?.emission === 'resampled');

/** Files that must not open: what is in them, and the reason given. */
const REFUSED = [
  ['nothing', () => '', /not JSON/],
  ['half a file', (trace) => JSON.stringify(trace).slice(0, 20_000), /not JSON, or not all of it/],
  ['bytes that are no text', () => Uint8Array.from({ length: 999 }, (_, at) => at * 151), /not UTF-8/],
  ['11 MB', () => new Uint8Array(11e6), /it has 11 MB; at most 5 MB are opened/],
  ['depth inside a field', raw('"stop":"length"', `"stop":${nested(1e5)}`), /stop is a list/],
  ['another JSON file', () => '{"name":"package","version":"1.0"}', /no trace of specviz/],
  [
    'an older schema',
    put('schema', 5),
    /schema 5, and this page reads schema 8; make the run again .*specviz run/,
  ],
  ['a schema in quotes', put('schema', '7'), /no trace of specviz/],
  [
    'a field missing',
    on(({ rounds }) => delete rounds[2].timing.verify),
    /rounds\[2\]\.timing\.verify is missing/,
  ],
  [
    'a field only inherited',
    raw('"stop":"length"', '"__proto__":{"stop":"length"}'),
    /trace\.stop is missing/,
  ],
  ['an object for a list', put('rounds', { length: 1, 0: {} }), /rounds is an object; wanted a list/],
  ['no rounds', put('rounds', []), /no rounds to show/],
  [
    'a million rounds',
    put('rounds', Array(1e6).fill(0)),
    /a list, 1,000,000 long; wanted a list of at most 2,000/,
  ],
  ['γ 21', put('info.config.gamma', 21), /config\.gamma is 21; wanted a whole number from 0 to 20/],
  ['infinity', raw('"prefill":1', '"prefill":1e999,"x":1'), /prefill is Infinity/],
  ['a pass of no time', put('rounds.0.timing.verify', 0), /one for the target’s pass/],
  ['true for a number', guess('p', true), /\.p is true/],
  ['a guess of probability 0', guess('q', 0), /rounds\[0\] contradicts itself: guess 0 lacks a number/],
  ['a guess that nothing tested', guess('u', null), /guess 0 lacks a number/],
  ['a verdict named constructor', guess('verdict', 'constructor'), /"constructor"; wanted one of accepted/],
  ['a parent that comes later', guess('parent', 1), /guess 0 does not hang on an earlier one/],
  [
    'a path in a circle',
    on(({ rounds }) => (rounds.find(({ path }) => path[1]).path = [0, 0])),
    /the path does not/,
  ],
  ['rounds in disorder', on(({ rounds }) => rounds.reverse()), /index and position/],
  ['a cache longer than the text', put('rounds.0.target_cache.written', 1e6), /the target’s cache/],
  ['a drafter’s cache without end', put('rounds.1.draft_caches.0.written', 1e6), /the drafter’s cache/],
  [
    'a penalty for a token behind its row',
    on(({ rounds: [, { position, verdicts }] }) => (verdicts[0].view.changed[0].places[1] = position)),
    /does not stand before it/,
  ],
  [
    'a replaced guess that nobody refused',
    on((trace) => (resampled(trace).extra.node = 90)),
    /not come by that way/,
  ],
  [
    'a resampled token without a bar',
    on((trace) => (resampled(trace).extra.view.bars = [])),
    /drawn from nothing/,
  ],
  [
    'texts that are no texts',
    put('prompt_texts', [{ toString: 'x' }, 7]),
    /prompt_texts\[0\] is an object; wanted text/,
  ],
  ['fewer texts than tokens', on((trace) => trace.prompt_texts.pop()), /a text for each token/],
  ['markup where a word is wanted', put('stop', MARKUP[0]), /stop is "<script>/],
  ['noise for another number of bars', put('rounds.0.verdicts.0.view.noise', [1]), /one number for each bar/],
  [
    'a row before its penalties of another length',
    put('rounds.1.verdicts.0.view.before', [1]),
    /penalties and bans/,
  ],
  ['a bar above 1', guess('view.bars.0.p', 7), /bars\[0\]\.p is 7; wanted a number from 0 to 1/],
  ['a bar of no shape', guess('view.bars.0', null), /bars\[0\] is null; wanted an object/],
  [
    'a bar twice',
    on(({ rounds: [{ verdicts }] }) => verdicts[0].view.bars.push(verdicts[0].view.bars[0])),
    /a bar already/,
  ],
  [
    'a sentence from another table',
    put('rounds.0.budget.reason', { code: 'page.file.refused' }),
    /reason\.code is "page/,
  ],
  ['a sentence without a code', put('rounds.0.budget.reason', { gamma: 4 }), /reason\.code is missing/],
  [
    'a sentence in a sentence',
    put('rounds.0.budget.reason', { code: 'reasons.x', a: {} }),
    /reason\.a is an object/,
  ],
  ['a halt of nonsense', put('rounds.1.halt', 'now'), /halt is "now"; wanted/],
  ['a source that is a list', guess('source', []), /source is a list/],
  ['an invisible huge word where one is wanted', put('stop', '\u202e'.repeat(1e6)), /<U\+202E>/],
];

/**
 * Files that open all the same: what is in them, how many parts are left out (null: as many as it takes),
 * and what else holds.
 */
const MENDED = [
  [
    'prototype keys at the top',
    raw('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},'),
    2,
  ],
  ['prototype keys in a guess', raw('"node":0', '"__proto__":{"polluted":1},"prototype":1,"node":0'), null],
  [
    'prototype keys as parameters',
    raw('"params":{', '"params":{"__proto__":1,"constructor":2,"toString":3,'),
    3,
    ({ info }) => assert.deepEqual(info.config.params, { k: 0.5 }),
  ],
  [
    'fields nobody knows',
    on((trace) => Object.assign(trace, { onload: MARKUP[0], then: 1 })),
    2,
    (trace) => assert.ok(!('then' in trace)),
  ],
  [
    'a field twice',
    raw('"prefill":1', '"prefill":9,"prefill":1'),
    0,
    ({ prefill }) => assert.equal(prefill, 1),
  ],
  ['a byte order mark', (trace) => `\ufeff${JSON.stringify(trace)}`, 0],
  [
    'markup in every text',
    (trace) =>
      JSON.stringify(trace, (name, value) =>
        ['text', 'words', 'who', 'reason', 'drafter', 'target', 'draft', 'pair', 'recorded'].includes(name) &&
        typeof value === 'string'
          ? MARKUP[value.length % MARKUP.length]
          : value,
      ),
    0,
    ({ rounds }) => assert.ok(MARKUP.includes(rounds[0].verdicts[0].text)),
  ],
  ['lone surrogates', (trace) => JSON.stringify(trace).replaceAll('"text":"', '"text":"\\ud800'), 0],
  [
    'text that turns its neighbours round',
    on(({ info, rounds }) => {
      info.target = '\u202ellac\u2066';
      rounds[0].verdicts[0].source.words = '\u200b';
    }),
    0,
    ({ info, rounds }) =>
      assert.deepEqual(
        [info.target, rounds[0].verdicts[0].source.words],
        ['<U+202E>llac<U+2066>', '<U+200B>'],
      ),
  ],
  [
    'a sentence that nobody knows',
    on(({ rounds }) => {
      rounds[0].budget.reason = JSON.parse('{"code":"reasons.of.tomorrow","__proto__":1,"a":"\u202e"}');
    }),
    1,
    ({ rounds }) => {
      assert.deepEqual(rounds[0].budget.reason, { code: 'reasons.of.tomorrow', a: '<U+202E>' });
      assert.equal(tell(rounds[0].budget.reason), 'reasons.of.tomorrow');
    },
  ],
  [
    'a text of a million letters',
    guess('text', '😀'.repeat(5e5)),
    1,
    ({ rounds }) => assert.match(rounds[0].verdicts[0].text, /^(😀)+…$/u),
  ],
  [
    'a race of another run',
    on((trace) => trace.race.rounds.pop()),
    1,
    ({ race }) => assert.equal(race, null),
  ],
  [
    'a race of no time',
    on((trace) => trace.race.laps.fill(5e-324)),
    1,
    ({ race }) => assert.equal(race, null),
  ],
  ['a race of nonsense', put('race', 'fast'), 1, ({ race }) => assert.equal(race, null)],
  ['numbers that contradict each other, which nobody checks here', guess('accept_prob', 0.123), 0],
];

test('files that cannot be played are refused, with the reason', () => {
  for (const [name, make, reason] of REFUSED) {
    const file = make(good());
    const found = importTrace(
      file instanceof Uint8Array ? file : bytes(typeof file === 'string' ? file : JSON.stringify(file)),
    );
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
});

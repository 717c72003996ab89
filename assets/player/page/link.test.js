import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbersOf } from '../base/statistics.js';
import { words } from '../words/words.js';
import { ASKS, LONGEST, PARTS, VIEWS, decode, encode, locked } from './link.js';

const setting = (key, name, kind, more) => ({ key, name, kind, ...more });
const SETTINGS = [
  setting('p', 'prompt', 'text', { default: null }),
  setting('d', 'drafter', 'entry'),
  setting('g', 'gamma', 'whole', { low: 0, high: 20 }),
  setting('T', 'temperature', 'number', { low: 0.05, high: 2, zero: true }),
  setting('k', 'top_k', 'whole', { low: 0, high: 200 }),
  setting('tp', 'top_p', 'number', { low: 0, high: 1 }),
  setting('n', 'max_new_tokens', 'whole', { low: 1, high: 512 }),
  setting('s', 'seed', 'whole', { low: 0, high: 2 ** 63 }),
  setting('r', 'rule', 'entry'),
  setting('dp', 'params', 'params'),
  setting('m', 'pair', 'text', { default: 'embedded' }),
  setting('c', 'chat', 'flag', { default: true }),
  setting('gr', 'gamma_rule', 'entry'),
  setting('gp', 'gamma_params', 'params'),
  setting('', 'costs', 'costs'),
  setting('e', 'earlier', 'turns', { many: 64 }),
  setting('st', 'stop_strings', 'texts', { many: 2 }),
  setting('gc', 'generation', 'option', { default: 'model', options: ['model', 'plain'] }),
];
const KNOWN = {
  recorded: ['tale-small-model', 'code-ngram'],
  settings: SETTINGS,
  names: {
    drafter: ['bigram', 'small-model', 'small-tree'],
    rule: ['rejection', 'block'],
    gamma_rule: ['fixed', 'ema'],
  },
  tabs: ['round', 'race', 'methods'],
};

test('turns of a conversation are texts in a list, and anything else is left out and said', () => {
  const turns = (text) => decode(new URLSearchParams({ v: 1, p: 'so?', e: text }).toString(), KNOWN);
  assert.deepEqual(turns('["a","b"]').config.earlier, ['a', 'b']);
  for (const text of ['', '[', '5', '{"length":1}', '["a",5]', JSON.stringify(Array(65).fill('a'))]) {
    assert.equal('earlier' in turns(text).config, false, text);
    assert.equal(turns(text).said.length, 1, text);
  }
});

test('500 random places come back from their links exactly, with nothing to say', () => {
  const random = numbersOf(7);
  const below = (many) => Math.floor(random() * many);
  const one = (list) => list[below(list.length)];
  const maybe = (value) => (random() < 0.7 ? value : undefined);
  const letters = 'aZ 09&=#%+?/\\"<>\'\n\t·é👩‍🔬漢\u202e';
  for (let round = 0; round < 500; round += 1) {
    const config = maybe({
      prompt: Array.from({ length: 1 + below(60) }, () => one([...letters])).join(''),
      gamma: below(21),
      temperature: Number((random() * 2).toPrecision(4)),
      top_k: below(201),
      top_p: Number(random().toPrecision(6)),
      max_new_tokens: 1 + below(512),
      seed: below(2 ** 50),
      drafter: one(KNOWN.names.drafter),
      rule: one(KNOWN.names.rule),
      gamma_rule: one(KNOWN.names.gamma_rule),
      ...(random() < 0.5
        ? { params: { nodes: below(64), draw: 'top', shape: one(['4,2,1', '4', '*', '*7', '-1e3']) } }
        : {}),
      ...(random() < 0.5 ? { gamma_params: { rate: 0.25 } } : {}),
      ...(random() < 0.3 ? { chat: false } : {}),
      ...(random() < 0.3 ? { earlier: ['why, "you"?\n', ''] } : {}),
      ...(random() < 0.3 ? { stop_strings: ['\n\n', 'END'] } : {}),
      ...(random() < 0.3 ? { pair: 'a/b -> c/d' } : {}),
    });
    const given = {
      recorded: maybe(one(KNOWN.recorded)),
      config,
      at: maybe({ round: below(300), kind: one(Object.keys(words.kinds)), slot: one([null, below(20)]) }),
      node: maybe(below(64)),
      tab: maybe(one(KNOWN.tabs)),
      view: maybe(VIEWS.filter(() => random() < 0.5)),
      step: maybe(1 + below(6)),
      quiz: maybe(one(ASKS)),
      follow: maybe(one(['abcd', 'k3x9q2pz'])),
      hide: maybe(PARTS.filter(() => random() < 0.5)),
      embed: random() < 0.3 ? true : undefined,
      tokens: maybe(Array.from({ length: 1 + below(200) }, () => below(150_000))),
      trace: maybe('abc-_9'),
    };
    const place = Object.fromEntries(
      Object.entries(given).filter(
        ([, value]) => value !== undefined && !(Array.isArray(value) && !value.length),
      ),
    );
    const { said, ...found } = decode(
      `#${encode({ ...place, config: place.config && { pair: 'embedded', ...place.config } }, SETTINGS)}`,
      KNOWN,
    );
    assert.deepEqual(said, [], JSON.stringify(place));
    assert.deepEqual(found, place);
  }
});

test('what is out of range is clamped, what is unknown is left out, and both are said', () => {
  const { said, config } = decode('#v=1&g=99&T=-3&s=1.5&d=medusa2&n=abc&zzz=1', KNOWN);
  assert.deepEqual(config, { gamma: 20, temperature: 0, seed: 2 });
  assert.equal(said.length, 6);
  assert.match(said[0], /γ.*99.*20/);
  assert.match(decode('#v=7&g=3', KNOWN).said[0], /7/);
  const { said: told, ...place } = decode(
    '#v=1&run=gone&at=x&node=9000&step=99&view=details,x&hide=x&quiz=x&follow=X&embed=yes',
    KNOWN,
  );
  assert.deepEqual(place, { step: 7, view: ['details'], hide: [], quiz: 'one' });
  assert.equal(told.length, 9);
  assert.deepEqual(decode('#v=1&run=gone&p=a', KNOWN).said, [], 'a run that is not kept is made again');
  assert.equal(decode('', KNOWN), null);
  assert.equal(decode('#sv-main', KNOWN), null, 'a link into the page is none of a run');
});

test('200 hostile links bring nothing but known names with values of their kind', () => {
  const evil = [
    ...'javascript:alert(1) __proto__ constructor ../../etc/passwd 1e999 NaN -0 \u0000 % %zz'.split(' '),
    ...'{"$eval":1} ${7*7} 0x10 null [] <img/src=x/onerror=alert(1)>'.split(' '),
    ...[' 12 ', "';--", '👾'.repeat(50), 'a'.repeat(20_000)],
  ];
  const others = 'at node view step quiz follow tab run hide embed x z dp.nodes dp.__proto__ gp.constructor';
  const keys = [...SETTINGS.map(({ key }) => key), ...others.split(' '), '__proto__', 'v'];
  const random = numbersOf(11);
  for (let round = 0; round < 200; round += 1) {
    const parts = Array.from(
      { length: 6 },
      () => `${keys[Math.floor(random() * keys.length)]}=${evil[Math.floor(random() * evil.length)]}`,
    );
    const place = decode(`#v=1&${parts.join('&')}`, KNOWN);
    for (const { name, low, high, zero } of SETTINGS.filter((each) => each.high)) {
      const value = place.config?.[name];
      assert.ok(value === undefined || (value >= (zero ? 0 : low) && value <= high), `${name} ${value}`);
    }
    for (const [name, choices] of Object.entries(KNOWN.names))
      assert.ok([undefined, ...choices].includes(place.config?.[name]));
    for (const params of [place.config?.params, place.config?.gamma_params])
      assert.ok(Object.keys(params ?? {}).every((name) => /^[a-z]/.test(name)));
    assert.ok([undefined, ...ASKS].includes(place.quiz) && /^[a-z0-9]*$/.test(place.follow ?? ''));
    assert.ok(
      [undefined, ...KNOWN.tabs].includes(place.tab) &&
        [undefined, ...KNOWN.recorded].includes(place.recorded),
    );
    assert.ok((place.config?.prompt ?? '').length <= 16_000 && place.said.every((line) => line.length < 200));
    assert.equal({}.polluted ?? Object.prototype.nodes, undefined);
  }
  assert.equal(decode(`#v=1&p=${'a'.repeat(LONGEST)}`, KNOWN).said.length, 1);
});

test('with the settings hidden their keys are locked, and Run is not', () => {
  assert.deepEqual(
    ['seed', 'gamma-up', 'run'].map((press) => locked('tabs settings', press)),
    [true, true, false],
  );
  assert.ok(
    locked('tabs', 'tab') && !locked('settings', 'tab'),
    'nothing leads back from a tab without tabs',
  );
  assert.ok(locked('bar', 'run') && !locked('', 'seed') && !locked(undefined, 'seed'));
});

test('a link to a tab that was taken in elsewhere leads to where the thing is now', () => {
  for (const [tab, now] of Object.entries({ alpha: 'race', why: 'race', compare: 'methods', race: 'race' }))
    assert.deepEqual(decode(`#v=1&tab=${tab}`, KNOWN), { said: [], tab: now });
});

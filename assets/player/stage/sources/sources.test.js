import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { sceneOf, some } from '../../../../tests/golden/scenes.js';
import { golden } from '../../../../tests/golden/traces.js';
import { storyOf } from '../../trace/story.js';
import { scene } from '../scene.js';
import { spoken } from '../round/say.js';
import { SOURCES } from './sources.js';
import { takenOf } from './tree.js';

const TRACES = new URL('../../../traces/', import.meta.url);
const ENTRIES = new URL('../../../../specviz/draft/__init__.py', import.meta.url);
const NAMES = readdirSync(TRACES).map((name) => name.slice(0, -5));

const told = new Map();

/** The sources of a recorded run's first beats, looked at once for all tests. */
function sourcesNamed(name) {
  if (!told.has(name)) told.set(name, sourcesOf(golden(name)));
  return told.get(name);
}

/** The sources of a run's first beats. */
function sourcesOf(trace) {
  const story = storyOf(trace);
  return story.beats.slice(0, 60).map(({ kind }, at) => [scene(story, at).source, kind]);
}

test('every source is that of a drafter of the catalog', () => {
  const catalog = [...readFileSync(ENTRIES, 'utf8').matchAll(/(?:DraftEntry\(\s*name=|_head\()"([a-z-]+)"/g)];
  const names = catalog.map(([, name]) => name);
  assert.deepEqual(
    Object.keys(SOURCES).filter((name) => !names.includes(name)),
    [],
  );
});

test('a line says who guesses and from what while guesses are made, at the check only where it tells more', () => {
  for (const name of NAMES)
    for (const [source, kind] of sourcesNamed(name)) {
      if (kind === 'verify' && /eagle|mtp|lookahead/.test(name)) {
        assert.ok(source, name);
        continue;
      }
      assert.equal(source !== null, kind === 'draft', name);
      if (source) assert.ok(spoken(source.line).length > 10, name);
    }
});

test('no drafter says what another one says, but for one that hands over to another', () => {
  const speaks = (drafter) => (drafter === 'copy-first' ? 'small-model' : drafter);
  const said = new Map();
  for (const name of NAMES)
    for (const [source] of sourcesNamed(name).filter(([each]) => each)) {
      const sentence = spoken(source.line).replaceAll(/“.*?”|[\d.,]+/g, '…');
      said.set(sentence, new Set([...(said.get(sentence) ?? []), speaks(source.drafter)]));
    }
  assert.ok(said.size > 20);
  assert.deepEqual(
    [...said].filter(([, drafters]) => drafters.size > 1),
    [],
  );
});

test('a small model with another tokenizer says so, and how many tokens both have', () => {
  const trace = golden('tale-small-model');
  for (const { verdicts } of trace.rounds)
    for (const { source } of verdicts)
      source.words = { code: 'reasons.translated', shared: '3,210', size: '4,096' };
  const [{ line }] = sourcesOf(trace)
    .map(([source]) => source)
    .filter(Boolean);
  assert.match(spoken(line), /another tokenizer: 3,210 of the target’s 4,096 tokens/);
});

/** A round of two drafters: both guess the same first token, and then each its own. */
function joint() {
  const trace = golden('tale-small-tree');
  const [round] = trace.rounds;
  const [first, other, below] = round.verdicts;
  const guess = (node, from, more) => ({ ...from, node, ...more });
  round.verdicts = [
    guess(0, first, { source: { ...first.source, who: 'small-model' } }),
    guess(1, below, { parent: 0, source: { ...first.source, who: 'small-model' } }),
    guess(2, first, { source: { ...first.source, who: 'bigram' } }),
    guess(3, other, { parent: 0, depth: 1, source: { ...first.source, who: 'bigram' } }),
  ];
  Object.assign(round, { path: [0], extra: null });
  trace.rounds = [round];
  trace.info = { ...trace.info, config: { ...trace.info.config, drafter: 'ensemble' } };
  return trace;
}

test('each member of an ensemble has its branch in a row, which shows where another one guesses the same', () => {
  const [[first], [second]] = sourcesOf(joint()).filter(([each]) => each);
  assert.match(spoken(first.line), /^Two drafters.*: small model guesses “the” here, and so does bigram\.$/);
  const seen = ({ picture: { rows } }) =>
    rows.map(({ name, cells }) => [name, ...cells.map(({ text, look }) => [text, look === 'agrees'])]);
  assert.deepEqual(seen(first), [
    ['small model', ['·the', true]],
    ['bigram', ['·the', true]],
  ]);
  assert.deepEqual(seen(second), [
    ['small model', ['·the', true], ['·instant', false]],
    ['bigram', ['·the', true], ['·Jack', false]],
  ]);
  assert.match(spoken(second.line), /small model guesses “instant” here, and no other does\.$/);
});

test('what is drawn from a row of the small model is told as of the whole row, and why its q is more', () => {
  const trace = golden('tale-small-tree');
  const [round] = trace.rounds;
  const { verdicts } = round;
  const [[{ line, picture }]] = sourcesOf(trace).filter(([each]) => each);
  assert.match(spoken(line), /draws two different guesses; “the” is number 1\.$/);
  assert.deepEqual(picture.key, []);
  const jack = verdicts[1].q * (1 - verdicts[0].q); // its q is given that “the” was drawn
  assert.ok(Math.abs(picture.rows[0].cells[1].share - jack) < 1e-12);
  const { picture: second } = takenOf(storyOf(trace), round, { slot: 0 }, 1);
  assert.match(spoken(second.key), /for draw 2, 0\.76 of the chances are left, so its q grows to 3\.5×10⁻⁴/);
});

test('every drafter has a picture, of one of seven kinds', () => {
  const kinds = new Map();
  const known = ['table', 'copied', 'stack', 'heads', 'blanks', 'window', 'tree'];
  const made = [joint(), held(), windowed({})].map(sourcesOf);
  for (const [source] of [...NAMES.map(sourcesNamed), ...made].flat())
    if (source?.picture) kinds.set(source.drafter, source.picture.kind);
  assert.deepEqual(new Set(kinds.values()), new Set(known));
  const unrecorded = ['prompt-lookup']; // it has the picture of suffix, without the tally
  assert.deepEqual(
    Object.keys(SOURCES).filter((name) => !kinds.has(name)),
    unrecorded,
  );
});

/** A run of the target as its own drafter, each of whose guesses says so of the slots that it read. */
function windowed(how) {
  const trace = golden('tale-early-exit');
  trace.info.config.drafter = 'window';
  for (const { verdicts } of trace.rounds)
    for (const { source } of verdicts)
      source.words = { code: 'reasons.window.some', slots: 20, first: 4, last: 3, ...how };
  return trace;
}

test('the slots that a guess reads through a window are lit in the cache, and a block has as few as fit', () => {
  const read = (how) => sceneOf(storyOf(windowed(how)), 'draft').source;
  const lit = ({ picture: { rows } }) =>
    rows.map(({ cells }) => cells.map(({ look }) => (look === 'layer' ? '.' : look[0])).join(''));
  assert.deepEqual(lit(read({ slots: 7 })), ['ddddddd', 'ttttttt']);
  assert.deepEqual(lit(read({ slots: 12 })), ['dddd.....ddd', 't'.repeat(12)]);
  const long = read({ slots: 480, last: 25 });
  assert.deepEqual(lit(long)[0], `d${'.'.repeat(29)}dd`);
  assert.match(spoken(long.line), /slots 1 to 4 and the last 25 of 480/);
  assert.match(long.picture.title, /15 slots a block/);
  assert.equal(read({ slots: 'many' }).picture, null);
});

/** A run whose rounds begin with a guess that the grammar forces. */
function held() {
  const trace = golden('tale-small-model');
  Object.assign(trace.info.config, { drafter: 'grammar', grammar: 'x' });
  for (const { verdicts } of trace.rounds)
    verdicts.forEach((verdict, at) => {
      verdict.view.allowed = at ? 300 : 1;
      if (!at) Object.assign(verdict, { law: 'point', p: 1, q: 1, verdict: 'accepted' });
      verdict.source.who = at ? 'small-model' : 'grammar';
    });
  return trace;
}

test('what a grammar forces is said to be certain, wherever the guess is told of', () => {
  const story = storyOf(held());
  const { source, tree, figure } = sceneOf(story, 'draft');
  assert.match(spoken(source.line), /of 4,096 tokens it allows .* alone here, so p is 1/);
  const [{ look, cells: forced }] = source.picture.rows;
  assert.deepEqual([look, forced], ['forced', [{ share: 0, value: '1' }]]);
  assert.ok(tree.held && tree.nodes[0].certain);
  assert.match(tree.nodes[0].label, /forced by the grammar/);
  assert.match(figure.title.now, /: 1 of 4,096 tokens allowed, so certain/);
  const next = sceneOf(story, 'draft', { slot: 1 });
  assert.match(spoken(next.source.line), /allows 300 of 4,096 tokens here; small model guesses among them/);
  assert.match(next.figure.title.now, /: 300 of 4,096 tokens allowed$/);
  assert.equal(next.tree.nodes[1].certain, false);
});

test('without a grammar nothing tells of one', () => {
  const story = storyOf(golden('tale-small-model'));
  const { tree, figure } = sceneOf(story, 'draft');
  assert.deepEqual([tree.held, tree.nodes[0].certain, figure.title.now], [false, false, '']);
});

const follower = (token, text, seen) => ({ token, text, seen, own: 0 });

test('a word pair counts what followed the last token; the guess stands among it', () => {
  const trace = golden('tale-bigram');
  const [{ verdicts }] = trace.rounds;
  verdicts[0].source.tables = [
    {
      context: 1,
      seen: 93,
      own: 0,
      share: 1,
      followers: [follower(1, ' man', 41), follower(verdicts[0].token, ' woman', 17)],
    },
  ];
  const [[source]] = sourcesOf(trace).filter(([each]) => each);
  assert.match(spoken(source.line), /was seen 93 times; after it came “man” 41 times and “woman” 17 times/);
  assert.deepEqual(
    source.picture.rows.map(({ name, cells: [{ value }], guess }) => [name, value, guess]),
    [
      ['·man', '41', false],
      ['·woman', '17', true],
    ],
  );
  assert.match(source.picture.key[0], /: 35 times/);
});

test('phrases: the longest known context first, one that was never seen says so, and the shares are told', () => {
  const trace = golden('code-ngram');
  const [{ verdicts }] = trace.rounds;
  verdicts[0].source.tables = [
    { context: 2, seen: 12, own: 1, share: 0.62, followers: [follower(5, ' x', 9)] },
    { context: 1, seen: 400, own: 0, share: 0.3, followers: [follower(5, ' x', 90)] },
  ];
  const [[{ line, picture }]] = sourcesOf(trace).filter(([each]) => each);
  assert.match(spoken(line), /was seen 12 times, and once in this text/);
  assert.deepEqual(
    picture.rows.map(({ look = '', cells }) => [look, cells.at(-1)?.value]),
    [
      ['unknown', undefined],
      ['unknown', undefined],
      ['', '62 %'],
      ['', '30 %'],
    ],
  );
  assert.match(picture.key[0], /8 ?\.?0? %/);
});

test('a file may name any drafter for what another one recorded; a line stands there all the same', () => {
  for (const name of ['tale-small-model', 'code-suffix', 'tale-medusa'])
    for (const drafter of some(Object.keys(SOURCES), 4)) {
      const trace = golden(name);
      trace.info = { ...trace.info, config: { ...trace.info.config, drafter } };
      trace.rounds = trace.rounds.slice(0, 2);
      for (const [source] of sourcesOf(trace)) assert.ok(source === null || Array.isArray(source.line));
    }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fresh } from '../../../../tests/golden/files.js';
import { importTrace } from '../../trace/file.js';
import { storyOf } from '../../trace/story.js';
import { words } from '../../words/words.js';
import { scene } from '../scene.js';
import { chartsOf } from './charts.js';
import { clocks } from './clocks.js';
import { stateOf } from './state.js';
import { memory } from './memory.js';

/** A recorded run as a target with a running state would have made it: what it keeps of a round is read again. */
function hybrid() {
  const trace = fresh();
  trace.info.target_state_bytes = 4096;
  for (const { target_cache: span, timing } of trace.rounds)
    if (span.written > span.kept) {
      span.reread = span.kept - span.before;
      timing.trim += 2;
      timing.reread = 2;
    }
  return trace;
}

const trace = hybrid();
const story = storyOf(trace);
const trims = story.beats.flatMap(({ kind }, at) => (kind === 'trim' ? [scene(story, at)] : []));
const again = trace.rounds.filter(({ target_cache: { reread } }) => reread);

test('a file says how large a state is, what was read again and how long that took', () => {
  const { trace: read, refusal } = importTrace(new TextEncoder().encode(JSON.stringify(trace)));
  assert.equal(refusal, undefined);
  assert.equal(read.info.target_state_bytes, 4096);
  assert.deepEqual(
    read.rounds.map(({ target_cache, timing }) => [target_cache.reread, timing.reread]),
    trace.rounds.map(({ target_cache, timing }) => [target_cache.reread, timing.reread]),
  );
});

test('a rejection puts the saved copy back, which reads what is kept again; else the state stays', () => {
  assert.ok(again.length && again.length < trace.rounds.length);
  trims.forEach(({ held: [target, draft], said, round }) => {
    const { target_cache: span, verdicts } = trace.rounds[round];
    const [over, back] = target.state.ways;
    assert.equal(draft.state, null, 'its cache can be cut');
    assert.equal(over.from.length, span.before);
    assert.equal(over.to.length, span.written);
    assert.deepEqual(
      over.cells.map(({ at }) => at),
      Array.from({ length: span.written - span.before }, (_, place) => span.before + place),
    );
    const lost = over.cells.filter(({ kind }) => kind === 'rolled-back').length;
    assert.equal(lost, span.written - span.kept);
    assert.equal(over.to.gone, lost > 0);
    if (lost) {
      assert.deepEqual([back.from.length, back.to.length], [span.before, span.kept]);
      assert.equal(back.cells.length, span.reread);
      assert.deepEqual(
        back.cells.map(({ text }) => text),
        over.cells.slice(0, span.reread).map(({ text }) => text),
      );
      assert.equal(said, words.say.reread({ again: span.reread }));
      assert.match(target.state.says, /, in 2 ms\.$/);
    } else {
      assert.equal(back, undefined);
      assert.equal(said, words.say.stays({ count: verdicts.length }));
    }
  });
});

test('the first token is read by a state that has read nothing, and a long way shows its last tokens', () => {
  const textAt = ({ at }) => (at < 0 ? '' : `t${at}`);
  const { ways } = stateOf(64, { before: 0, written: 30, kept: 20, reread: 20 }, { drafts: true, textAt });
  const [over, back] = ways;
  assert.equal(over.from.upTo, '');
  assert.equal(over.cells.length, 12);
  assert.equal(over.more, words.state.more({ many: 18 }));
  assert.equal(back.from.kind, 'fresh', 'no copy reaches back so far');
  assert.equal(back.to.length, 20);
});

test('a draft has a copy for every guess, so nothing is read again', () => {
  const textAt = ({ at }) => `t${at}`;
  const told = stateOf(64, { before: 5, written: 9, kept: 7 }, { drafts: true, guesses: 4, textAt });
  assert.deepEqual([told.ways[1].from.length, told.ways[1].to.length, told.ways[1].cells], [7, 7, []]);
  assert.equal(told.says, words.state.again({ again: 0, ms: null }));
  const own = stateOf(64, { before: 5, written: 9, kept: 7 }, { drafts: true, guesses: 4, textAt: () => '' });
  assert.equal(
    own.ways[0].more,
    words.state.more({ many: 4 }),
    'tokens of its own tokenizer have no text here',
  );
});

test('the caches count what was read, and the line falls to the copy before it rises to what is kept', () => {
  const [chart] = chartsOf(trace);
  const { points } = chart.panels[1].series.find(({ look }) => look === 'length-target');
  trace.rounds.forEach(({ target_cache: { before, kept, reread } }, index) => {
    const between = points.filter(([x]) => x > index + 1 && x < index + 1.5);
    assert.deepEqual(
      between.map(([, value]) => value),
      reread ? [before] : [],
    );
    assert.ok(points.some(([x, value]) => x === index + 1.5 && value === kept));
  });
  const total = again.reduce((sum, { target_cache: { reread } }) => sum + reread, 0);
  assert.match(chart.says, new RegExp(` ${total} read again`));
  const { caches, foot } = trims[again[0].index];
  assert.deepEqual(
    caches.map(({ keeps }) => keeps),
    ['state', 'entries'],
  );
  assert.match(caches[0].more, /^state 4\.1 kB/);
  assert.equal(foot.cache, words.foot.state({ length: again[0].target_cache.kept }));
});

test('reading again is a part of its own of a round’s time, and of the run’s', () => {
  trims.forEach(({ clock: { rows, total }, round }) => {
    const { timing } = trace.rounds[round];
    const part = rows.find(({ kind }) => kind === 'again');
    assert.equal(part?.ms, timing.reread && 2);
    const sum = rows.reduce((ms, row) => ms + (row.kind === 'plain' ? 0 : row.ms), 0);
    assert.ok(Math.abs(sum - total) < 1e-9);
  });
  delete trace.race;
  const [, lane] = clocks(storyOf(trace)).lanes;
  const { d } = lane.paths.find(({ kind }) => kind === 'again');
  assert.equal(d.split('M').length - 1, again.length);
  const [, before] = clocks(storyOf({ ...fresh(), race: null })).lanes;
  assert.ok(!before.paths.some(({ kind }) => kind === 'again'));
});

const guess = (node, parent, token, counts) => ({ node, parent, token, law: 'point', source: { counts } });
const own = { context: 1, seen: 0, own: 1 };

/** Two rounds behind the prompt 5, 7: the first keeps one of two guesses, the second neither. */
function learned(counts = own) {
  const rounds = [
    { position: 2, path: [0], verdicts: [guess(0, -1, 300, counts), guess(1, 0, 9, counts)] },
    { position: 4, path: [], verdicts: [guess(0, -1, 9, counts), guess(1, -1, 300, counts)] },
  ];
  return {
    trace: { info: { vocab_size: 4096 }, prompt: [5, 7], rounds },
    text: [5, 7, 300, 8, 6].map((id) => ({ id })),
  };
}
const said = (found) => [found.says, ...found.key.map(({ text }) => text)];

test('a round teaches its rows once it is over: the pending token and every guess, kept or not', () => {
  const told = learned();
  assert.deepEqual(said(memory(told, { round: 0, order: 1 })), [
    '1 of 4,096 tokens remembered',
    '1 from the text',
    '0 from guesses not accepted',
  ]);
  assert.deepEqual(said(memory(told, { round: 0, order: 6 })), [
    '4 of 4,096 tokens remembered',
    '3 from the text',
    '1 from guesses not accepted',
  ]);
  assert.deepEqual(said(memory(told, { round: 1, order: 0 })), said(memory(told, { round: 0, order: 6 })));
  assert.deepEqual(said(memory(told, { round: 1, order: 6 })), [
    '5 of 4,096 tokens remembered',
    '3 from the text',
    '2 from guesses not accepted',
  ]);
});

test('a cell is as hot as its row was learned often, in the colour of what taught it last', () => {
  const { width, height, paths } = memory(learned(), { round: 1, order: 6 });
  assert.deepEqual([width, height], [128, 32]);
  assert.deepEqual(
    paths.map(({ kind, heat }) => [kind, heat]),
    [
      ['fresh', 0],
      ['rejected', 1],
      ['text', 0],
    ],
  );
  assert.equal(paths[1].d, 'M44 2h1v1h-1zM9 0h1v1h-1z');
  assert.equal(paths[2].d, 'M5 0h1v1h-1zM7 0h1v1h-1zM8 0h1v1h-1z');
});

test('tokens of a large vocabulary share cells, and other drafters have no such memory', () => {
  const large = learned();
  large.trace.info.vocab_size = 152_000;
  assert.equal(memory(large, { round: 1, order: 6 }).height, 32);
  assert.equal(memory(learned(null), { round: 0, order: 6 }), null);
  assert.equal(memory(learned({ context: 1, seen: 4, own: 0 }), { round: 0, order: 6 }), null);
});

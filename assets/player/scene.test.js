import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { number, show } from './format.js';
import { scene } from './scene.js';
import { extend } from './timeline.js';
import { STATES } from './words.js';
import { traces } from '../../tests/golden/traces.js';

/** Calls check(scene, beat, round, trace) at every beat of every trace. */
function everywhere(check) {
  let many = 0;
  for (const trace of traces()) {
    const beats = extend([], trace.rounds);
    beats.forEach((beat, at) => {
      many += 1;
      check(scene(trace, beats, at), beat, trace.rounds[beat.round], trace);
    });
  }
  assert.ok(many > 50);
}

const close = (left, right, name, by = 1e-4) => assert.ok(Math.abs(left - right) < by, `${name}: ${left} and ${right}`);
const sum = (items, value) => items.reduce((total, item) => total + value(item), 0);

test('the states are the palette\'s, with its words', () => {
  const palette = JSON.parse(readFileSync(new URL('../palette.json', import.meta.url), 'utf-8'));
  assert.deepEqual(STATES, Object.fromEntries(Object.entries(palette.states).map(([state, { word }]) => [state, word])));
});

test('scenes do not depend on what was shown before, nor change the trace', () => {
  for (const trace of traces()) {
    const before = JSON.stringify(trace);
    const beats = extend([], trace.rounds);
    const forward = beats.map((_, at) => JSON.stringify(scene(trace, beats, at)));
    const backward = beats.map((_, at) => at).reverse().map((at) => JSON.stringify(scene(trace, beats, at))).reverse();
    assert.deepEqual(backward, forward);
    assert.equal(JSON.stringify(trace), before);
  }
});

test('after the last beat the ribbon holds the prompt and exactly the text that was made', () => {
  for (const trace of traces()) {
    const beats = extend([], trace.rounds);
    const { tokens } = scene(trace, beats, beats.length - 1).ribbon;
    const shown = tokens.map(({ text }) => text).join('');
    const made = trace.rounds.flatMap(({ verdicts, path, extra }) =>
      [...path.map((node) => verdicts[node].text), ...(extra ? [extra.text] : [])]);
    assert.equal(shown, [...trace.prompt_texts, ...made].map(show).join(''));
    assert.ok(tokens.every(({ state }) => ['prompt', 'accepted', 'resampled', 'bonus'].includes(state)));
  }
});

test('no p is shown before the target has answered, and no verdict before its dart', () => {
  everywhere(({ slots, figure, ribbon }, { kind, slot }) => {
    if (kind !== 'draft') return;
    slots.slice(0, slot + 1).forEach(({ p, note }) => assert.deepEqual([p, note], ['?', '']));
    assert.ok(figure.rows.every(({ numbers }) => numbers[0] === '?'));
    assert.ok(ribbon.tokens.slice(ribbon.fresh).every(({ state }) => state === 'draft'));
  });
});

test('the equation is the recorded decision', () => {
  everywhere(({ equation }, { kind, slot }, round, { info }) => {
    if (kind !== 'verdict' || info.config.temperature === 0) return;
    const { p, q, u, verdict } = round.verdicts[slot];
    assert.equal(equation[0][1], number(Math.min(1, p / q)));
    assert.equal(equation[1][1], verdict === 'accepted' ? 'accept' : 'reject');
    assert.equal(u < Math.min(1, p / q), verdict === 'accepted');
  });
});

test('in every figure p sums to 1, q sums to 1, and the leftovers are equal', () => {
  everywhere(({ figure }, { kind }, round) => {
    if (!figure || kind === 'draft') return;
    close(sum(figure.rows, ({ overlap, excess }) => overlap + excess), 1, 'p');
    if (kind === 'bonus' || (kind === 'trim' && round.extra?.emission === 'bonus')) return;
    close(sum(figure.rows, ({ overlap, surplus }) => overlap + surplus), 1, 'q');
    close(sum(figure.rows, ({ excess }) => excess), sum(figure.rows, ({ surplus }) => surplus), 'p − q and q − p');
    assert.ok(figure.rows.length <= 12);
  });
});

test('a ruler sums to 1 and its dart lies in the segment that was hit', () => {
  everywhere(({ ruler }, { kind }, round, { name }) => {
    if (!ruler.segments.length) return;
    close(sum(ruler.segments, ({ share }) => share), 1, `${name} ${kind}`);
    if (ruler.kind === 'accept' || ruler.dart === null) return;
    const hit = ruler.segments.findIndex((segment) => segment.hit);
    const low = sum(ruler.segments.slice(0, hit), ({ share }) => share);
    assert.ok(ruler.dart > low - 1e-5 && ruler.dart < low + ruler.segments[hit].share + 1e-5,
      `${name} ${kind}: ${ruler.dart} outside ${low} + ${ruler.segments[hit].share}`);
  });
});

test('a cache shows as many cells as its length, and what the trim took', () => {
  everywhere(({ caches }, { kind }, round) => {
    const spans = [round.target_cache, round.draft_cache];
    caches.forEach(({ cells, head, gap, length }, index) => {
      if (cells === null) {
        assert.equal(spans[index], null);
        return;
      }
      const hidden = gap ? Number(gap.match(/\d+/)[0]) : 0;
      const count = (kinds) => [...head, ...cells].filter((cell) => kinds.includes(cell)).length;
      assert.equal(count(['kept', 'guess']) + hidden, length);
      if (kind === 'trim') assert.equal(count(['rolled']), spans[index].written - spans[index].kept);
    });
  });
});

test('the cache lengths are the recorded ones at the first beat, the verify and the trim', () => {
  everywhere(({ caches: [target, draft] }, { kind }, { target_cache: t, draft_cache: d }) => {
    if (kind === 'draft') assert.equal(target.length, t.before);
    if (kind === 'verify') assert.deepEqual([target.length, draft.length], [t.written, d && d.written]);
    if (kind === 'trim') assert.deepEqual([target.length, draft.length], [t.kept, d && d.kept]);
  });
});

test('greedy runs throw no dice', () => {
  const trace = traces().find(({ name }) => name === 'player-greedy.json');
  const beats = extend([], trace.rounds);
  beats.forEach((_, at) => {
    const { ruler, slots, figure } = scene(trace, beats, at);
    assert.equal(ruler.dart, null);
    assert.ok(slots.every(({ strip }) => !strip || strip.dart === null));
    assert.ok(!figure || figure.rows.every(({ dart }) => dart === null));
  });
});

test('any slot can be looked at at any beat', () => {
  for (const trace of traces()) {
    const beats = extend([], trace.rounds);
    beats.forEach(({ round }, at) => {
      for (let slot = 0; slot <= trace.rounds[round].verdicts.length; slot += 1) {
        assert.equal(scene(trace, beats, at, slot).focus, slot);
      }
    });
  }
});

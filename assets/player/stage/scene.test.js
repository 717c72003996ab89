import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { number, show } from '../base/format.js';
import { lanes, playhead, roundAt } from './lanes.js';
import { momentOf } from '../trace/moment.js';
import { headline, spoken, stay } from './say.js';
import { scene } from './scene.js';
import { storyOf } from '../trace/story.js';
import { isChain } from '../trace/timeline.js';
import { why } from './why.js';
import { STATES } from '../base/words.js';
import { traces } from '../../../tests/golden/traces.js';

const ALL = traces().flatMap((trace) => {
  const story = storyOf(trace);
  return story.beats.map((beat, at) => [scene(story, at), beat, trace.rounds[beat.round], trace, story, at]);
});

/** Calls check(scene, beat, round, trace, story, at) at every beat of every trace. */
function everywhere(check) {
  assert.ok(ALL.length > 50);
  for (const each of ALL) check(...each);
}

const close = (left, right, name, by = 1e-4) => assert.ok(Math.abs(left - right) < by, `${name}: ${left} and ${right}`);
/** A printed number as a number. */
const value = (text) => Number(text.replace(/[ =]/g, '').replace('×10', 'e').replace(/[⁻⁰¹²³⁴-⁹]/gu, (sign) => '-0123456789'['⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign)]));
const sum = (items, value_) => items.reduce((total, item) => total + value_(item), 0);
const shownIn = ({ text, upto, fresh }) => [...text.slice(0, upto), ...fresh];

test('the states are the palette\'s, with its words', () => {
  const palette = JSON.parse(readFileSync(new URL('../../palette.json', import.meta.url), 'utf-8'));
  assert.deepEqual(STATES, Object.fromEntries(Object.entries(palette.states).map(([state, { word }]) => [state, word])));
});

test('scenes do not depend on what was shown before, nor change the trace', () => {
  for (const trace of traces()) {
    const before = JSON.stringify(trace);
    const story = storyOf(trace);
    const forward = story.beats.map((_, at) => JSON.stringify(scene(story, at)));
    const jumps = story.beats.map((_, at) => at).sort((one, two) => ((one * 7919) % 1009) - ((two * 7919) % 1009));
    for (const at of jumps) assert.equal(JSON.stringify(scene(story, at)), forward[at]);
    assert.equal(JSON.stringify(trace), before);
  }
});

test('after the last beat the ribbon holds the prompt and exactly the text that was made, and says why it ends', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    const { ribbon } = scene(story, story.beats.length - 1);
    const made = trace.rounds.flatMap(({ verdicts, path, extra }) =>
      [...path.map((node) => verdicts[node].text), ...(extra ? [extra.text] : [])]);
    assert.equal(shownIn(ribbon).map(({ text }) => text).join(''), [...trace.prompt_texts, ...made].map(show).join(''));
    assert.ok(shownIn(ribbon).every(({ state }) => ['prompt', 'accepted', 'resampled', 'bonus'].includes(state)));
    assert.ok(ribbon.end.includes(`${made.length} token`));
    assert.equal(scene(story, 1).ribbon.end, null);
  }
});

test('no p is shown before the target has answered, and no verdict before its number', () => {
  everywhere(({ tree, figure, ribbon, sum: entries }, { kind }) => {
    if (kind !== 'draft') return;
    assert.ok(tree.nodes.every(({ p, u, state }) => p === null && u === null && (state === null || state === 'draft')));
    assert.ok(figure.rows.every(({ p, overlap, residual }) => p === null && overlap === null && residual === null));
    assert.deepEqual([figure.mode, ribbon.fresh.every(({ state }) => state === 'prompt' || state === 'accepted')], ['q', true]);
    assert.ok(entries.every(({ verdict }) => !verdict));
  });
});

test('the printed ratio is that of the printed p and q, and the verdict is the recorded decision', () => {
  let seen = 0;
  everywhere(({ sum: entries }, { kind, slot }, round, { info }) => {
    if (kind !== 'verdict' || info.config.temperature === 0 || info.rule !== 'rejection') return;
    const { p, q, u, verdict } = round.verdicts[slot];
    const [chance, thrown] = entries;
    assert.equal(u < Math.min(1, p / q), verdict === 'accepted');
    assert.equal(thrown.verdict.state, verdict);
    const [, printed, sign, mark] = /([\d.×⁻⁰-⁹]+) ([<≥]) ([\d.×⁻⁰-⁹]+)$/u.exec(thrown.terms.at(-1));
    assert.equal(value(printed) < value(mark), sign === '<');
    assert.equal(sign === '<', verdict === 'accepted');
    const fraction = chance.terms.find(({ frac }) => frac && frac[0][0].var === undefined);
    if (!fraction || p === 0) {
      assert.ok(p >= q || p === 0);
      return;
    }
    const [top, bottom] = fraction.frac.map(([text]) => value(text));
    close(top / bottom / value(chance.terms.at(-1)), 1, 'ratio', 0.011);
    seen += 1;
  });
  assert.ok(seen > 20);
});

test('every headline has at most fourteen words, and the slow paces leave time to read it', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    story.beats.forEach(({ round }, at) => {
      const said = spoken(headline(story, at));
      const words = said.split(/\s+/u).length;
      assert.ok(words <= 14, said);
      let [first, last] = [at, at];
      const same = (beat) => story.beats[beat]?.round === round && spoken(headline(story, beat)) === said;
      while (same(first - 1)) first -= 1;
      while (same(last + 1)) last += 1;
      let time = 0;
      for (let beat = first; beat <= last; beat += 1) time += stay(story, beat, 'reading', 0);
      assert.ok(words / (time / 1000) <= 4, `${said}: ${words} words in ${time} ms`);
      assert.ok(stay(story, at, 'quick', 0) < stay(story, at, 'reading', 0));
      assert.ok(stay(story, at, 'reading', 5000) >= 5000);
    });
  }
});

test('beats of a round that say the same share their time, and guesses of a chain always do', () => {
  for (const trace of traces().filter(({ rounds }) => rounds.every(isChain))) {
    const story = storyOf(trace);
    story.beats.forEach(({ kind, round }, at) => {
      if (kind === 'draft') assert.equal(spoken(headline(story, at)), spoken(headline(story, story.rounds[round].beat)));
    });
  }
});

test('the bar has a place for every beat, one of them now', () => {
  everywhere(({ bar }, { kind }) => {
    if (kind === 'rest') return assert.deepEqual(bar, []);
    assert.equal(bar.filter(({ state }) => state === 'now').length, 1);
    assert.deepEqual(bar.map(({ beat }) => beat), bar.map(({ beat }) => beat).sort((a, b) => a - b));
  });
});

test('the lane hangs every node on another: columns are depths, what fell stands below, the own token in its place', () => {
  everywhere(({ tree, settled }, { kind }, round) => {
    const { nodes, columns } = tree;
    nodes.forEach(({ parent, column, tier, state, kind: what, token: shown, note }) => {
      assert.ok(parent >= -1 && parent < nodes.length && column >= 1 && column <= columns);
      if (what === 'guess') assert.equal(column, parent < 0 ? 1 : nodes[parent].column + 1);
      if (tree.shape === 'chain' && (state === 'untested' || (state === 'rejected' && settled))) assert.ok(tier > 1);
      assert.ok(shown || note || state === null);
    });
    if (tree.shape === 'chain') for (let column = 1; column <= columns; column += 1) assert.equal(nodes.filter((node) => node.column === column && node.tier === 1 && node.token).length <= 1, true);
    const own = nodes.filter(({ kind: what }) => what === 'own');
    assert.equal(own.length, settled && round.extra ? 1 : 0);
    if (own.length) assert.equal(own[0].column, round.path.length + 1);
    if (kind === 'verify') assert.ok(nodes.every(({ strip, p, kind: what }) => what !== 'guess' || strip || p !== undefined));
  });
});

test('in every figure p sums to 1, q sums to 1, and blue, amber and what is left over are 1 minus the overlap', () => {
  everywhere(({ figure }) => {
    if (!figure) return;
    const whole = figure.weight ?? 1;
    if (figure.mode !== 'q') close(sum(figure.rows, ({ p }) => p), whole, 'p');
    if (figure.mode !== 'p') close(sum(figure.rows, ({ q }) => q), 1, 'q');
    if (figure.overlap === null) return;
    close(sum(figure.rows, ({ overlap }) => overlap), figure.overlap, 'overlap');
    close(sum(figure.rows, ({ residual }) => residual), figure.left, 'blue');
    close(sum(figure.rows, ({ q, overlap }) => q - overlap), 1 - figure.overlap, 'amber');
    close(figure.overlap + figure.left, whole, 'whole');
  });
});

test('a ruler sums to 1 and its dart lies in the segment that was hit', () => {
  everywhere(({ ruler }, { kind }, round, { name }) => {
    assert.equal(typeof ruler.title, 'string', `${name} ${kind}`);
    if (!ruler.segments.length) return;
    ruler.segments.forEach(({ start }, index) => close(start, index ? ruler.segments[index - 1].start + ruler.segments[index - 1].share : 0, 'start', 2e-5));
    close(sum(ruler.segments, ({ share }) => share), 1, `${name} ${kind}`);
    if (ruler.dart === null) return;
    const hit = ruler.segments.findIndex((segment) => segment.hit);
    const low = sum(ruler.segments.slice(0, hit), ({ share }) => share);
    assert.ok(ruler.dart > low - 1e-5 && ruler.dart < low + ruler.segments[hit].share + 1e-5,
      `${name} ${kind}: ${ruler.dart} outside ${low} + ${ruler.segments[hit].share}`);
  });
});

test('a guess stands on q’s ruler as wide as its q, though it be hidden in the rest', () => {
  let hidden = 0;
  everywhere(({ ruler, figure }, { kind, slot }, { verdicts }) => {
    if (kind !== 'draft' || ruler.kind !== 'q' || !figure) return;
    const { segments } = ruler;
    const hit = segments.findIndex((segment) => segment.hit);
    const guess = verdicts.find(({ low, high, q }) => Math.abs(high - low - segments[hit].share) < 1e-5 && Math.abs(q - segments[hit].share) < 1e-5);
    assert.ok(guess, `${segments[hit].label} is ${segments[hit].share} wide, guess ${slot}`);
    close(sum(segments.slice(0, hit), ({ share }) => share), guess.low, 'low');
    hidden += hit > 0 && segments[hit - 1].label === segments.at(-1).label;
  });
  assert.ok(hidden > 20, `${hidden} guesses stand among the rest`);
});

test('the target’s own token stands on its ruler as wide as its share, though nobody could see it', () => {
  let thin = 0;
  everywhere(({ ruler }, { kind }, { extra }) => {
    if ((kind !== 'replace' && kind !== 'bonus') || ruler.kind === 'none') return;
    const [hit] = ruler.segments.filter((segment) => segment.hit);
    assert.equal(hit.token, extra.token);
    assert.ok(ruler.dart >= hit.start - 1e-5 && ruler.dart <= hit.start + hit.share + 1e-5);
    close(hit.share, extra.high - extra.low, hit.callout, 1e-5);
    assert.equal(/drawn wider than it is/.test(hit.callout), hit.share < 0.004);
    thin += hit.share < 0.004;
  });
  assert.ok(thin > 5, `${thin} own tokens are slivers`);
});

test('what is left of p is printed as the numbers that make it, and stretched by one over them', () => {
  let seen = 0;
  everywhere(({ sum: entries, ruler, figure }, { kind }) => {
    if (kind === 'residual') {
      const [mass, stretch] = entries;
      close(value(mass.terms.at(-1)) / ruler.bracket.was, 1, 'mass', 0.006);
      close(value(stretch.terms.at(-1).replace(/[×,=]/g, '')) * value(mass.terms.at(-1)), 1, 'stretch', 0.011);
      close(figure.left, ruler.bracket.was, 'blue');
      assert.ok(ruler.segments.every(({ hit }) => !hit) && ruler.dart === null, 'nothing is given away');
    }
    if (kind !== 'replace' || ruler.kind !== 'residual') return;
    const { terms } = entries[0];
    const [top, bottom] = terms.filter(({ frac }) => frac)[1].frac.map(([text]) => value(text));
    close(top / bottom / value(terms.at(-1)), 1, 'share', 0.011);
    seen += 1;
  });
  assert.ok(seen > 20);
});

test('guesses that fork hang on their parents, whatever their order in the list, and the token to come has its place', () => {
  const trace = structuredClone(traces().find(({ name }) => name === 'player-sampled.json'));
  const round = trace.rounds.find(({ path, verdicts }) => path.length === 0 && verdicts.length === 4);
  const [first] = round.verdicts;
  Object.assign(first, { verdict: 'rejected' });
  Object.assign(round.verdicts[1], { parent: -1, depth: 0, verdict: 'accepted', u: first.u, accept_prob: 0.99 });
  Object.assign(round.verdicts[2], { parent: 0, depth: 1 });
  Object.assign(round.verdicts[3], { parent: 1, depth: 1, verdict: 'rejected', u: 0.9999, accept_prob: 0.5 });
  round.path = [1];
  const story = storyOf(trace);
  const index = trace.rounds.indexOf(round);
  const shown = (kind, slot = null) => scene(story, story.beats.findIndex((beat) => beat.round === index && beat.kind === kind && (slot === null || beat.slot === slot))).tree;
  const states = ({ nodes }) => nodes.slice(0, 4).map(({ column, parent, order, state }) => [column, parent, order, state]);
  assert.deepEqual(states(shown('verify')), [[1, -1, 1, 'draft'], [1, -1, 2, 'draft'], [2, 0, 1, 'draft'], [2, 1, 1, 'draft']]);
  assert.deepEqual(states(shown('verdict', 0)).map((each) => each[3]), ['rejected', 'draft', 'untested', 'draft'], 'what hangs on a refused guess goes with it');
  const after = shown('trim');
  assert.deepEqual(states(after).map((each) => each[3]), ['rejected', 'accepted', 'untested', 'rejected']);
  assert.equal(after.columns, 2);
  for (const kind of ['draft', 'verify', 'dart', 'gather', 'trim']) {
    const own = shown(kind).nodes[4];
    assert.deepEqual([own.parent, own.column, own.state !== null], [1, 2, kind === 'trim' || kind === 'gather']);
  }
});

test('drafters that copy say so, and a token of any length leaves a sentence its room', () => {
  const [trace] = traces().filter(({ name }) => name === 'player-sampled.json').map((each) => structuredClone(each));
  trace.rounds[0].verdicts.forEach(({ source }) => { source.span = [0, 1]; });
  assert.match(spoken(headline(storyOf(trace), 1)), /copied what followed/);
  everywhere(({ said }) => assert.ok(said.length < 140, said));
});

test('a cache shows as many cells as its length, and what the trim took', () => {
  everywhere(({ caches }, { kind }, round) => {
    if (kind === 'rest') return;
    const spans = [round.target_cache, ...round.draft_caches];
    caches.forEach(({ cells, gap, length }, index) => {
      if (cells === null) {
        assert.equal(spans[index], undefined);
        return;
      }
      const count = (...kinds) => cells.filter((cell) => kinds.includes(cell.kind)).length;
      assert.equal(count('committed', 'speculative', 'kept') + gap, length);
      if (kind === 'trim') assert.equal(count('rolled-back'), spans[index].written - spans[index].kept);
      else assert.equal(count('rolled-back', 'owed'), 0);
    });
  });
});

test('a cell says which token it holds, kept ones those of the text, the others the guesses', () => {
  everywhere(({ caches, cellTitle }, beat, { position, verdicts, scouts = [] }, trace, { text }) => {
    if (beat.kind === 'rest') return;
    for (const { cells } of caches) {
      for (const cell of cells ?? []) {
        const guess = cell.kind !== 'committed' && [...verdicts, ...scouts][cell.at - position];
        assert.ok(cellTitle(cell).startsWith(`${cell.at}: ${guess ? show(guess.text) : text[cell.at].text}, `));
      }
    }
  });
});

test('a drafter without a cache shows the tokens before its guess, those that its evidence counts in brackets', () => {
  const counts = new Set();
  everywhere(({ caches: [, draft], focus }, { kind, slot }, { position, verdicts }, _, { text }) => {
    const at = Math.min(focus, kind === 'draft' ? slot : verdicts.length - 1);
    if (draft.cells || at < 0 || kind === 'rest') return;
    const pieces = draft.lookup.map((piece) => (piece.state ? piece.text : { sign: piece.text }));
    const [signs, tokens] = [pieces.filter(({ sign }) => sign), pieces.filter(({ sign }) => !sign)];
    const branch = [];
    for (let node = at; node >= 0; node = verdicts[node].parent) branch.unshift(show(verdicts[node].text));
    const read = [...text.slice(0, position).map((token) => token.text), ...branch];
    assert.deepEqual(tokens, read.slice(-tokens.length));
    const used = verdicts[at].source.counts?.context ?? 0;
    assert.equal(signs.map(({ sign }) => sign).join(''), used ? '[]→' : '→');
    if (used) assert.equal(pieces.findIndex(({ sign }) => sign === ']') - pieces.findIndex(({ sign }) => sign === '[') - 1, used);
    assert.ok(draft.note.includes(verdicts[at].source.words));
    counts.add(used);
  });
  assert.ok(counts.size > 2);
});

test('a text that ends inside the guesses says so wherever something is missing', () => {
  const trace = structuredClone(traces().find(({ name }) => name === 'player-sampled.json'));
  const at = trace.rounds.findIndex(({ path, verdicts }) => path.length > 1 && verdicts.length > 2);
  trace.rounds.splice(at + 1);
  const round = trace.rounds[at];
  Object.assign(round, { path: [0], extra: null });
  round.verdicts.slice(1).forEach((verdict) => Object.assign(verdict, { verdict: 'untested', u: null, accept_prob: null }));
  trace.stop = 'eos';
  const story = storyOf(trace);
  const { beats } = story;
  const verdict = beats.findIndex(({ round: index, kind }) => index === at && kind === 'verdict');
  assert.match(scene(story, verdict).said, /The text ends here; later guesses are not used/);
  const last = scene(story, beats.length - 1);
  assert.match(last.ribbon.end, /end of text/);
  assert.match(last.tree.nodes.at(-1).note, /ended/);
  assert.match(why(trace, beats, beats.length - 1, { round: at, slot: 1 }).sentence, /ended before it/);
});

test('where nothing was guessed, the check shows the distribution the token is drawn from, and no number yet', () => {
  let plain = 0;
  everywhere(({ figure, ruler }, { kind }, { verdicts, extra }, { info }) => {
    if (kind !== 'verify' || verdicts.length || !extra) return;
    plain += 1;
    assert.equal(figure.mode, 'p');
    assert.ok(figure.rows.every(({ p, q, emitted }) => p !== null && q === null && !emitted));
    assert.equal(ruler.dart ?? null, null);
    if (info.config.temperature > 0 && info.traits.rolls === 'dice') assert.equal(ruler.kind, 'p');
    assert.ok(ruler.segments.every(({ hit }) => !hit));
  });
  assert.ok(plain > 0);
});

test('the cache lengths are the recorded ones at the first beat, the verify and the trim', () => {
  everywhere(({ caches: [target, draft] }, { kind }, { target_cache: t, draft_caches: [d = null] }) => {
    if (kind === 'draft') assert.equal(target.length, t.before);
    if (kind === 'verify') assert.deepEqual([target.length, draft.length], [t.written, d && d.written]);
    if (kind === 'trim') assert.deepEqual([target.length, draft.length], [t.kept, d && d.kept]);
  });
});

test('after a round in which everything was kept the drafter owes the slot of its last guess', () => {
  let seen = 0;
  everywhere(({ caches: [, draft] }, { kind }, { verdicts, path, extra, draft_caches: [span] }) => {
    if (kind !== 'trim' || !span || !verdicts.length) return;
    const full = extra && path.length && !verdicts.some(({ parent }) => parent === path.at(-1)); // its last guess was not fed back
    assert.equal(draft.cells.filter((cell) => cell.kind === 'owed').length, full ? 1 : 0);
    seen += full ? 1 : 0;
  });
  assert.ok(seen > 0);
});

test('runs that draw no random number show none, and frame the tokens they compare', () => {
  for (const trace of traces().filter(({ info }) => info.config.temperature === 0 || info.traits.rolls !== 'dice')) {
    const story = storyOf(trace);
    story.beats.forEach(({ kind, slot }, at) => {
      const { ruler, tree, figure, algorithm, headline: pieces } = scene(story, at);
      assert.deepEqual([ruler.kind, ruler.dart], ['none', null]);
      assert.ok(tree.nodes.every(({ strip, u }) => u === null && (!strip || strip.dart === null)));
      assert.ok(!figure || figure.rows.every(({ dart }) => dart === null));
      assert.equal(algorithm.lines.length, 3);
      assert.ok(!/random number(?!s at temperature)/.test(spoken(pieces)));
      if (kind !== 'verdict') return;
      const same = trace.rounds[story.beats[at].round].verdicts[slot].verdict === 'accepted';
      assert.deepEqual([figure.same, figure.framed.length], [same, same ? 1 : 2]);
    });
  }
});

test('any node can be looked at at any beat, and every blank says why', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    story.beats.forEach((beat, at) => {
      const { nodes } = scene(story, at).tree;
      nodes.forEach((_, node) => {
        const looked = scene(story, at, node);
        assert.equal(looked.tree.nodes[node].focused, true);
        if (beat.kind !== 'rest') assert.ok(looked.sum.length && looked.sum.every(({ label }) => label.length > 3));
      });
    });
  }
});

test('the algorithm lights a line at every beat and never tells what is not yet known', () => {
  everywhere(({ algorithm, noDice, tree }, { kind }, { extra }) => {
    const { lines } = algorithm;
    assert.ok(kind === 'rest' || lines.some(({ lit }) => lit), kind);
    if (noDice || tree.shape === 'tree') return;
    assert.equal(lines.length, 16);
    const result = lines.at(-1);
    assert.equal(result.live === result.plain, !['replace', 'bonus', 'trim', 'rest'].includes(kind));
    if (kind === 'trim' && extra) assert.ok(result.live.includes(show(extra.text)));
  });
});

test('the bytes of one character are one token of the text, and stay apart while it is not whole', () => {
  const trace = structuredClone(traces().find(({ name }) => name === 'player-plain.json'));
  Object.assign(trace, { prompt: [1, 2, 3, 4, 5], prompt_texts: ['a', '<F0><9F>', '<91>', '<A9>', ' b'] });
  const story = storyOf(trace);
  assert.deepEqual(story.shown.slice(0, 3).map(({ text, many }) => [text, many]), [['a', undefined], ['👩', 3], ['·b', undefined]]);
  assert.match(story.shown[1].label, /👩, 3 tokens/);
  assert.deepEqual(story.places.slice(0, 6).map(({ shown }) => shown), [0, 1, 1, 1, 2, 3]);
  assert.equal(storyOf({ ...trace, prompt_texts: ['<80>', '<80>', '<80>', '<80>', 'x'] }).shown.length, storyOf({ ...trace, prompt_texts: ['a', 'b', 'c', 'd', 'e'] }).shown.length);
});

test('a guess that is bytes says which character it is part of, once all of it is there', () => {
  const trace = structuredClone(traces().find(({ name }) => name === 'player-sampled.json'));
  ['<F0><9F>', '<91>', '<A9>', ' b'].forEach((text, node) => Object.assign(trace.rounds[0].verdicts[node], { text }));
  const story = storyOf(trace);
  const labels = (at) => scene(story, at).tree.nodes.map(({ label }) => label);
  assert.match(labels(1)[0], /<F0><9F> q 0\.\d+, part of a character,/, 'what is seen stands together');
  labels(3).slice(0, 3).forEach((label) => assert.match(label, /, part of 👩,/));
  assert.ok(!labels(4)[3].includes('part of'));
});

test('a why-card quotes the recorded numbers and agrees with the verdict', () => {
  everywhere((_, { kind, round: index }, round, trace, { beats }, at) => {
    if (kind !== 'trim') return;
    round.verdicts.forEach(({ p, q, u, verdict }, slot) => {
      const card = why(trace, beats, at, { round: index, slot });
      assert.equal(card.state, verdict);
      if (trace.info.config.temperature === 0 || verdict === 'untested') return;
      if (round.verdicts[slot].weight !== null) return assert.match(card.line, u === null ? /^ρ = / : /^h = /);
      if (trace.info.rule === 'coupled') return assert.ok(card.line.includes(verdict === 'accepted' ? ') = argmax' : ') ≠ argmax'));
      assert.ok(card.line.includes(`= min(1, ${number(p)}/${number(q)})`));
      assert.ok(card.line.includes(u < Math.min(1, p / q) ? '<' : '≥'));
    });
    if (!round.extra) return;
    assert.equal(why(trace, beats, at, { round: index, slot: round.verdicts.length }).state, round.extra.emission);
  });
});

test('a why-card of the round on screen knows no more than the screen', () => {
  everywhere((_, { kind, round: index, slot }, round, trace, { beats }, at) => {
    if (kind !== 'draft') return;
    const card = why(trace, beats, at, { round: index, slot });
    assert.equal(card.state, 'draft');
    assert.ok(!card.line.includes('min('));
    assert.equal(why(trace, beats, at, { round: index, slot: round.verdicts.length }).token, null);
  });
});

test('the lanes are as wide as the run, and a click on them finds the round under the playhead', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    const list = lanes(story);
    assert.deepEqual(list.map(({ width }) => width), [trace.rounds.length, trace.rounds.length, story.rounds.at(-1).clock]);
    story.beats.forEach(({ round, kind }, at) => {
      playhead(story, at).forEach(({ x }, lane) => {
        assert.ok(x >= 0 && x <= list[lane].width * (1 + 1e-9));
        if (kind !== 'trim' && kind !== 'rest') assert.equal(roundAt(story, lane, x), round);
      });
    });
  }
});

test('a moment knows whether dice are thrown', () => {
  const noDice = (file) => momentOf(traces().find(({ name }) => name === file), { round: 0, kind: 'draft', slot: 0 }).noDice;
  assert.deepEqual(['player-sampled.json', 'player-greedy.json', 'player-coupled.json'].map(noDice), [null, 'greedy', 'coupled']);
});

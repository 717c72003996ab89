import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { show } from '../base/format.js';
import { spoken } from './round/say.js';
import { rootOf } from './round/nodes.js';
import { scene } from './scene.js';
import { storyOf } from '../trace/story.js';
import { words } from '../words/words.js';
import { close, everywhere, value } from '../../../tests/golden/scenes.js';
import { column, golden, traces } from '../../../tests/golden/traces.js';

const shownIn = ({ text, upto, fresh }) => [...text.slice(0, upto), ...fresh];

test("the states are the palette's, with its words", () => {
  const palette = JSON.parse(readFileSync(new URL('../../palette.json', import.meta.url), 'utf-8'));
  assert.deepEqual(
    words.states,
    Object.fromEntries(Object.entries(palette.states).map(([state, { word }]) => [state, word])),
  );
});

test('scenes do not depend on what was shown before, nor change the trace', () => {
  const unread = new Map(traces().map((trace) => [trace.name, trace]));
  const stories = new Map(traces().map((trace) => [trace.name, storyOf(trace)]));
  const some = [];
  everywhere((shown, _, __, trace, { beats }, at) => {
    if (at % 5 === 0) some.push([shown, trace.name, at]);
    if (at === beats.length - 2) assert.deepEqual(trace, unread.get(trace.name));
  });
  const jumps = some.sort(([, , one], [, , two]) => ((one * 7919) % 1009) - ((two * 7919) % 1009));
  for (const [shown, name, at] of jumps)
    assert.equal(JSON.stringify(scene(stories.get(name), at)), JSON.stringify(shown));
});

test('after the last beat the ribbon holds the prompt and exactly the text that was made, and says why it ends', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    const { ribbon } = scene(story, story.beats.length - 1);
    const made = trace.rounds.flatMap(({ verdicts, path, extra }) => [
      ...path.map((node) => verdicts[node].text),
      ...(extra ? [extra.text] : []),
    ]);
    assert.equal(
      shownIn(ribbon)
        .map(({ text }) => text)
        .join(''),
      [...trace.prompt_texts, ...made].map(show).join(''),
    );
    assert.ok(
      shownIn(ribbon).every(({ state }) =>
        ['prompt', 'accepted', 'resampled', 'bonus', 'plain'].includes(state),
      ),
    );
    assert.ok(ribbon.end.includes(`${made.length} token`));
    assert.equal(scene(story, 1).ribbon.end, null);
  }
});

test('the template of the prompt and what ends the text are told from words, and only they are', () => {
  const trace = golden('player-sampled');
  const last = trace.rounds.at(-1).extra.token;
  const info = { ...trace.info, template: [[0, 1]], eos: [last] };
  const { text } = storyOf({ ...trace, info });
  text.forEach(({ template, id, state }, at) =>
    assert.equal(Boolean(template), at === 0 || (state !== 'prompt' && id === last), `${at}`),
  );
  assert.ok(storyOf(trace).text.every(({ template }) => !template));
});

/** Whether noise that both models share decides; a run may have been recorded without it. */
const noisy = ({ config, traits }) => config.temperature > 0 && traits.rolls === 'shared noise';

test('no p is shown before the target has answered, and no verdict before its number', () => {
  everywhere(({ tree, figure, ribbon, sum: entries }, { kind }, _, { info }) => {
    if (kind !== 'draft') return;
    assert.ok(
      tree.nodes.every(
        ({ p, u, state }) => p === null && u === null && (state === null || state === 'draft'),
      ),
    );
    assert.ok(
      figure.rows.every(({ p, overlap, residual }) => p === null && overlap === null && residual === null),
    );
    assert.deepEqual(
      [figure.mode, ribbon.fresh.every(({ state }) => state === 'prompt' || state === 'accepted')],
      [noisy(info) && figure.mode === 'noise' ? 'noise' : 'q', true],
    );
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
    const [, printed, sign, mark] = /(\S+) ([<≥]) (\S+)$/u.exec(thrown.terms.at(-1));
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
  assert.ok(seen > 0);
});

test('a node of the lane hangs on another: columns are depths, what fell stands below, the token in its place', () => {
  everywhere(({ tree, settled }, { kind }, round) => {
    const { nodes, columns } = tree;
    nodes.forEach(({ parent, column, tier, state, kind: what, token: shown, note }) => {
      assert.ok(parent >= -1 && parent < nodes.length && column >= 1 && column <= columns);
      if (what === 'guess') assert.equal(column, parent < 0 ? 1 : nodes[parent].column + 1);
      if (tree.shape === 'chain' && (state === 'untested' || (state === 'rejected' && settled)))
        assert.ok(tier > 1);
      assert.ok(shown || note || state === null);
    });
    if (tree.shape === 'chain')
      for (let column = 1; column <= columns; column += 1)
        assert.equal(
          nodes.filter((node) => node.column === column && node.tier === 1 && node.token).length <= 1,
          true,
        );
    const own = nodes.filter(({ kind: what }) => what === 'own');
    assert.equal(own.length, settled && round.extra ? 1 : 0);
    if (own.length) assert.equal(own[0].column, round.path.length + 1);
    if (kind === 'verify')
      assert.ok(nodes.every(({ strip, p, kind: what }) => what !== 'guess' || strip || p !== undefined));
  });
});

test('a token behind no guess is a plain step wherever it stands, and no bonus', () => {
  everywhere(({ tree, bar, sum, ribbon, scrub, headline }, { kind }, { verdicts, extra }) => {
    if (verdicts.length || !extra || kind === 'rest') return;
    const seen = JSON.stringify([tree, bar, sum, headline, scrub]);
    assert.doesNotMatch(seen, /bonus|★/i);
    if (kind === 'join') assert.equal(ribbon.text[ribbon.upto - 1].state, 'plain');
    if (kind === 'bonus') assert.ok(bar.find(({ state }) => state === 'now').name === 'step');
  });
});

test('where nothing was guessed, the check shows the distribution the token is drawn from, and no number yet', () => {
  let plain = 0;
  everywhere(({ figure, ruler }, { kind }, { verdicts, extra }, { info }) => {
    if (kind !== 'verify' || verdicts.length || !extra) return;
    plain += 1;
    assert.equal(figure.mode, noisy(info) && figure.mode === 'noise' ? 'noise' : 'p');
    assert.ok(figure.rows.every(({ p, q, emitted }) => p !== null && q === null && !emitted));
    assert.equal(ruler.dart ?? null, null);
    if (info.config.temperature > 0 && info.traits.rolls === 'dice') assert.equal(ruler.kind, 'p');
    assert.ok(ruler.segments.every(({ hit }) => !hit));
  });
  assert.ok(plain > 0);
});

test('runs that draw no random number show none, and frame the tokens they compare', () => {
  let seen = 0;
  everywhere(
    ({ ruler, tree, figure, algorithm, headline: pieces }, { kind, slot }, { verdicts }, { info }) => {
      if (info.config.temperature > 0 && info.traits.rolls !== 'shared noise') return;
      seen += 1;
      assert.deepEqual([ruler.kind, ruler.dart], ['none', null]);
      assert.ok(tree.nodes.every(({ strip, u }) => u === null && (!strip || strip.dart === null)));
      assert.ok(!figure || figure.rows.every(({ dart }) => dart === null));
      assert.equal(algorithm.lines.length, 3);
      assert.ok(!/random number(?!s at temperature)/.test(spoken(pieces)));
      if (kind !== 'verdict') return;
      const same = verdicts[slot].verdict === 'accepted';
      assert.deepEqual([figure.same, figure.framed.length], [same, same ? 1 : 2]);
    },
  );
  assert.ok(seen > 0);
});

test('any node can be looked at at any beat, and every blank says why', () => {
  everywhere(({ tree }, beat, _, __, story, at) => {
    tree.nodes.forEach((___, node) => {
      if ((at + node) % 11) return; // each node at some beats of each kind
      const looked = scene(story, at, node);
      assert.equal(looked.tree.nodes[node].focused, true);
      if (beat.kind !== 'rest')
        assert.ok(
          looked.sum.length && looked.sum.every(({ label, terms }) => label?.length > 3 || terms.length),
        );
    });
  });
});

test('the algorithm lights a line at every beat and never tells what is not yet known', () => {
  everywhere(({ algorithm, noDice, tree }, { kind }, { extra, verdicts }) => {
    const { lines } = algorithm;
    assert.ok(kind === 'rest' || lines.some(({ lit }) => lit), kind);
    if (noDice || tree.shape === 'tree') return;
    const short = verdicts.some(({ weight }) => weight !== null) || algorithm.title.includes('lossy');
    assert.equal(lines.length, short ? 7 : 16);
    const result = lines.at(-1);
    assert.ok(!result.lit || ['replace', 'bonus', 'join', 'gather', 'trim', 'rest'].includes(kind), kind);
    if (extra) assert.equal(result.live !== null, result.lit, kind);
    if (kind === 'trim' && extra) assert.ok(result.live.includes(show(extra.text)));
  });
});

test('the bytes of one character are one token of the text, and stay apart while it is not whole', () => {
  const trace = golden('player-plain');
  Object.assign(trace, { prompt: [1, 2, 3, 4, 5], prompt_texts: ['a', '<F0><9F>', '<91>', '<A9>', ' b'] });
  const story = storyOf(trace);
  assert.deepEqual(
    story.shown.slice(0, 3).map(({ text, many }) => [text, many]),
    [
      ['a', undefined],
      ['👩', 3],
      ['·b', undefined],
    ],
  );
  assert.match(story.shown[1].label, /👩, 3 tokens/);
  assert.deepEqual(column(story.places.slice(0, 6), 'shown'), [0, 1, 1, 1, 2, 3]);
  const ends = [2, 4, 5].map((position) => rootOf(story, { position }).text);
  assert.deepEqual(ends, ['…<F0><9F>', '…👩', '… b'], 'the guesses hang on a whole character');
  assert.equal(
    storyOf({ ...trace, prompt_texts: ['<80>', '<80>', '<80>', '<80>', 'x'] }).shown.length,
    storyOf({ ...trace, prompt_texts: ['a', 'b', 'c', 'd', 'e'] }).shown.length,
  );
});

test('a guess that is bytes says which character it is part of, once all of it is there', () => {
  const trace = golden('player-sampled');
  ['<F0><9F>', '<91>', '<A9>', ' b'].forEach((text, node) =>
    Object.assign(trace.rounds[0].verdicts[node], { text }),
  );
  const story = storyOf(trace);
  const labels = (at) => scene(story, at).tree.nodes.map(({ label }) => label);
  assert.match(labels(1)[0], /<F0><9F> q 0\.\d+, part of a character,/, 'what is seen stands together');
  labels(3)
    .slice(0, 3)
    .forEach((label) => assert.match(label, /, part of 👩,/));
  assert.ok(!labels(4)[3].includes('part of'));
});

test('under a threshold no number tests a guess: its p, the threshold and its verdict are shown', () => {
  let passedBy = 0;
  for (const trace of traces().filter(({ info }) => info.traits.rolls === 'threshold')) {
    const story = storyOf(trace);
    assert.ok(!story.beats.some(({ kind }) => kind === 'residual' || kind === 'adjust'));
    story.beats.forEach(({ kind, slot, round }, at) => {
      const { ruler, tree, sum, headline: pieces } = scene(story, at);
      if (kind === 'replace')
        return assert.deepEqual([ruler.kind, ruler.dart], ['p', trace.rounds[round].extra.u]);
      if (kind !== 'dart' && kind !== 'verdict') return;
      const { p, entropy, verdict, accept_prob: passes } = trace.rounds[round].verdicts[slot];
      const needed = Math.min(0.09, 0.3 * Math.exp(-entropy));
      assert.deepEqual([ruler.kind, ruler.dart, ruler.segments[1].hit], ['accept', null, p > needed]);
      assert.ok(
        Math.abs(ruler.segments[1].start * ruler.scale - needed) < 1e-12 &&
          Math.abs(ruler.pin.at * ruler.scale - p) < 1e-12 &&
          ruler.pin.at <= 1,
      );
      assert.equal(ruler.pin.at > ruler.segments[1].start, p > needed);
      assert.equal(passes, Number(p > needed));
      assert.ok(tree.nodes.every(({ u, strip }) => u === null && (!strip || strip.dart === null)));
      if (kind === 'dart')
        return assert.match(spoken(pieces), /p must be above .*No random number|are accepted/);
      const won = passes === 1 && verdict === 'rejected';
      passedBy += won;
      assert.equal(
        sum[2].verdict.text,
        won ? '✕ passes, another branch wins' : passes ? '✓ accept' : '✕ reject',
      );
    });
  }
  assert.ok(passedBy > 0);
});

test('what the code says of a number, or of the token it falls on, waits for it to land', () => {
  let [waits, tells] = [0, 0];
  everywhere(({ algorithm, ruler }, { kind }, _, { name }, __, at) => {
    if (ruler.dart === null || !['draft', 'dart', 'replace', 'bonus'].includes(kind)) return;
    for (const { live, late } of algorithm.lines) {
      if (!live) continue;
      waits += late;
      const said = live.map((piece) => (typeof piece === 'string' ? piece : piece.sub)).join('');
      const drawn = kind === 'dart' ? / r|^r/.test(said) : /^(x\d+|t) = /.test(said);
      tells += drawn;
      assert.equal(late, drawn, `${name} ${at}: ${said}`);
    }
  });
  assert.ok(waits > 100 && tells === waits);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spoken } from './say.js';
import { asText, why } from './why.js';
import { golden } from '../../../../tests/golden/traces.js';
import { everywhere, beatOf } from '../../../../tests/golden/scenes.js';
import { storyOf } from '../../trace/story.js';
import { changedSaid } from './changed.js';
import { scene } from '../scene.js';

const last = (entries) => entries.at(-1)?.verdict?.state;

test('a why-card says what the beat of the token says, with its sum and source', () => {
  everywhere((shown, { kind, round, slot }, { verdicts }, _, story, at) => {
    const own = ['replace', 'bonus'].includes(kind);
    if (!own && kind !== 'verdict') return;
    const card = why(story, at, { round, slot: own ? verdicts.length : slot });
    assert.equal(spoken(card.says.at(-1)), shown.said);
    assert.deepEqual(card.sum, shown.sum);
    assert.equal(card.source, `${shown.algorithm.title} · ${shown.algorithm.source}`);
  });
});

test('a why-card agrees with every verdict, and one of the round on screen knows no more than the screen', () => {
  everywhere((_, { kind, round: index }, round, __, story, at) => {
    round.verdicts.forEach(({ verdict, u, weight }, slot) => {
      const { state, sum } = why(story, at, { round: index, slot });
      if (kind === 'draft') return assert.ok(state === 'draft' && last(sum) === undefined);
      if (kind !== 'trim') return;
      assert.equal(state, verdict);
      const decides = verdict !== 'untested' && !(weight !== null && u === null);
      assert.equal(last(sum), decides ? verdict : undefined);
    });
    if (kind !== 'trim' && kind !== 'draft') return;
    const { token, state } = why(story, at, { round: index, slot: round.verdicts.length });
    assert.equal(token === null, kind === 'draft' || !round.extra);
    if (token !== null) assert.equal(state, round.verdicts.length ? round.extra.emission : 'plain');
  });
});

test('a why-card as text has its fractions in one line', () => {
  const story = storyOf(golden('tale-small-model'));
  assert.equal(
    asText(why(story, story.beats.length - 1, { round: 0, slot: 2 })),
    [
      'Keep “of”? The random number is 0.392; it must be below 0.193.',
      '“of” is rejected, so the guess after it is dropped too.',
      'Chance to accept “of” · p/q = 0.00409/0.0212 = 0.193',
      'Random number · u = 0.392 ≥ 0.193 · ✕ reject',
      'Algorithm 1 · Leviathan et al. 2023',
    ].join('\n'),
  );
});

const TRACE = { prompt: [7, 7, 7] };
const chain = { position: 5, verdicts: [{ parent: -1 }, { parent: 0 }] };
const tree = { position: 5, verdicts: [{ parent: -1 }, { parent: -1 }] };

function said(changed, round = chain) {
  const view = { bars: [{ token: 1, text: ' fox', p: 0.125 }], before: [0.5], changed };
  return changedSaid(TRACE, round, { token: 1, view });
}

const by = (name, ...places) => ({ token: 1, by: name, places });

test('the card says what p was, what changed it, and where that stands', () => {
  for (const [place, where] of [
    [1, ', in the prompt.'],
    [4, ', written before.'],
    [5, ', as guess 1 of this draft, so p here depends on that guess.'],
  ])
    assert.equal(
      said([by('repetition', place)]),
      `p was 0.500 before the repetition penalty: “fox” is already there${where}`,
    );
  assert.match(said([by('presence', 1, 5, 6)]), /as guesses 1 and 2 of this draft, .* those guesses\.$/);
  assert.match(said([by('presence', 6)], tree), /as guess 2 of its branch/);
  assert.equal(
    said([by('no_repeat', 3, 4, 6)]),
    'p was 0.500 before the ban on repeats: it would repeat what is already there, with guess 2 of this draft, ' +
      'so p here depends on that guess.',
  );
  assert.equal(said([by('length')]), 'p was 0.500 before the least length.');
  assert.equal(said([by('banned')]), 'p was 0.500 before the ban on words.');
});

test('of several, a ban is named, and else all that count the token', () => {
  assert.match(said([by('repetition', 5), by('suppressed')]), /before the ban on tokens\.$/);
  assert.match(
    said([by('bias'), by('repetition', 1), by('presence', 4)]),
    /the repetition penalty and the presence/,
  );
});

test('of a token whose score was left alone, the card names one that lost to a guess of this draft, if any did', () => {
  assert.equal(said([]), '');
  const bars = [
    { token: 1, text: ' fox', p: 0.25 },
    { token: 2, text: ' at', p: 0.125 },
    { token: 3, text: ' on', p: 0 },
  ];
  const of = (round, places) =>
    changedSaid(TRACE, round, {
      token: 1,
      view: { bars, before: [0.125, 0.5, 0.25], changed: [{ token: 2, by: 'repetition', places }] },
    });
  assert.equal(of(chain, [1]), '');
  assert.equal(
    of(chain, [5]),
    'p of “at” was 0.500 before the repetition penalty: it is already there, as guess 1 of this draft, ' +
      'so p here depends on that guess.',
  );
});

/** A recorded run with what it would have at the first guess that was tested, and a bar of no p that lost most. */
function changed(name) {
  const trace = golden(name);
  const index = trace.rounds.findIndex(({ verdicts }) => verdicts.length > 1);
  const round = trace.rounds[index];
  const { view, token } = round.verdicts[1];
  view.before = view.bars.map(({ p }) => p / 2);
  view.before[view.bars.findIndex((bar) => bar.token === token)] = 0.5;
  view.changed = [{ token, by: 'repetition', places: [round.position] }];
  return { trace, index, token, view };
}

for (const name of ['player-sampled', 'player-greedy', 'player-coupled'])
  test(`the bars of ${name} have what p was, once p is there, and so has the rest; other places have nothing`, () => {
    const { trace, index, token, view } = changed(name);
    const story = storyOf(trace);
    story.beats.forEach(({ kind, round }, at) => {
      if (round !== index || !['draft', 'verify'].includes(kind)) return;
      const { figure } = scene(story, at, 1);
      if (!figure) return;
      const known = kind === 'verify';
      assert.deepEqual(figure.changed, known ? ['the repetition penalty'] : null);
      const rows = figure.rows.filter(({ before }) => before !== undefined);
      assert.equal(rows.length, known ? view.bars.length + (view.rest.count ? 1 : 0) : 0);
      if (!known) return;
      assert.equal(rows.find((row) => row.token === token).before, 0.5);
      assert.ok(rows.reduce((sum, { before }) => sum + before, 0) > 0.999);
      assert.equal(scene(story, at, 0).figure.changed, null);
    });
    const beat = beatOf(story, 'trim', { round: index });
    assert.match(why(story, beat, { round: index, slot: 1 }).note, /p was 0\.500 .* guess 1 of this/);
    assert.doesNotMatch(why(story, beat, { round: index, slot: 0 }).note, /p was/);
  });

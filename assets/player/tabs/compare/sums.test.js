import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf, costFigure, rowOf } from './figures.js';
import { across, changesOf, decoded, firstLanes, judgements, measured } from './sums.js';
import { traces } from '../../../../tests/golden/traces.js';
import { described } from '../words.js';

const GREEDY = { drafter: 'ngram', gamma: 4, gamma_rule: 'fixed', rule: 'rejection', temperature: 0 };
const SAMPLED = { ...GREEDY, temperature: 0.8 };
const COUPLED = { ...SAMPLED, rule: 'coupled' };
const CELL = {
  tokens: [7, 8, 9],
  gammas: [4, 2],
  tested: 4,
  accepted: 1,
  rolled_back: 5,
  draft: 1,
  verify: 6,
  rest: 3,
  plain: 12,
};
const tokens = (ids) => [...ids].map((id) => ({ id, text: `“${id}”`, label: `${id}, accepted` }));
const lanes = (...given) =>
  given.map(([lane, ids], index) => ({
    letter: 'ABCD'[index],
    lane,
    tokens: tokens(ids),
    fixed: fixedBy(lane),
  }));
const fixedBy = ({ temperature, rule }) =>
  temperature === 0 ? 'greedy' : rule === 'coupled' ? 'coupled' : null;
const said = (...given) =>
  judgements(lanes(...given)).map(({ kind, at, sentence }) => [
    kind,
    at,
    sentence.match(/^[A-D, and]+(?= |:)/)?.[0].trim() ?? '',
  ]);

test('lanes begin as the run on stage with each drafter; what was tuned goes along only where it fits', () => {
  const base = { ...SAMPLED, params: { k: 1 }, gamma_params: { most: 3 }, top_k: 5 };
  const [bigram, ngram, ...others] = firstLanes(
    base,
    ['bigram', 'ngram'].map((name) => ({ name })),
  );
  assert.deepEqual([bigram, ngram, others], [{ ...SAMPLED, drafter: 'bigram' }, SAMPLED, []]);
  const shared = { prompt: 'x', seed: 2, max_new_tokens: 9 };
  assert.deepEqual(changesOf(ngram, base, shared), {
    ...SAMPLED,
    ...shared,
    params: { k: 1 },
    gamma_params: { most: 3 },
  });
  assert.deepEqual(changesOf({ ...bigram, gamma_rule: 'ema' }, base, shared), {
    ...SAMPLED,
    ...shared,
    drafter: 'bigram',
    gamma_rule: 'ema',
    params: {},
    gamma_params: {},
  });
});

test('greedy texts must be equal, whoever guesses, and the earliest difference is said loudly', () => {
  const other = { ...GREEDY, drafter: 'bigram', gamma: 9, rule: 'coupled' };
  assert.deepEqual(said([GREEDY, 'abcd'], [other, 'abcd'], [GREEDY, 'abcd']), [
    ['equal', null, 'A, B and C'],
  ]);
  const [judged, ...more] = judgements(lanes([GREEDY, 'abcd'], [other, 'abcx'], [GREEDY, 'axcd']));
  assert.deepEqual([judged.kind, judged.at, more], ['different', 1, []]);
  assert.match(judged.sentence, /^A and C differ from token 2 on: ““b”” vs\. ““x””\. /);
  assert.match(judged.sentence, / At T = 0 they must be equal, so this is a bug or a numerical tie/);
  const [shorter] = judgements(lanes([GREEDY, 'abc'], [other, 'ab']));
  assert.deepEqual([shorter.kind, shorter.at], ['different', 2]);
  assert.match(shorter.sentence, /vs\. “the end of the text”/);
});

test('coupled texts must be equal too; under rejection only the law is the same', () => {
  assert.deepEqual(said([COUPLED, 'ab'], [{ ...COUPLED, drafter: 'bigram' }, 'ab']), [
    ['equal', null, 'A and B'],
  ]);
  assert.deepEqual(said([COUPLED, 'ab'], [{ ...COUPLED, gamma: 1 }, 'ac']), [['different', 1, 'A and B']]);
  assert.deepEqual(said([SAMPLED, 'ab'], [{ ...SAMPLED, gamma: 1 }, 'cd']), [['same', null, 'A and B']]);
  assert.match(
    judgements(lanes([SAMPLED, 'ab'], [SAMPLED, 'cd']))[0].sentence,
    /same distribution, different random numbers, so another text/,
  );
  assert.match(
    judgements(lanes([SAMPLED, 'ab'], [SAMPLED, 'ab']))[0].sentence,
    /same distribution, and here, by chance, the same text/,
  );
  assert.deepEqual(said([COUPLED, 'ab'], [COUPLED, 'ab'], [SAMPLED, 'cd']), [
    ['equal', null, 'A and B'],
    ['same', null, 'A, B and C'],
  ]);
});

test('lanes of other temperatures follow other laws, and one lane alone has nothing to be held against', () => {
  assert.deepEqual(
    said([GREEDY, 'ab'], [SAMPLED, 'ab']).map(([kind]) => kind),
    ['same'],
  );
  assert.match(judgements(lanes([GREEDY, 'ab'], [SAMPLED, 'ab']))[0].sentence, /their distributions differ/);
  assert.match(
    judgements(lanes([GREEDY, 'ab'], [SAMPLED, 'ab'], [GREEDY, 'ab']))[0].sentence,
    /^A and C wrote the same 2 tokens/,
  );
  assert.match(judgements(lanes([GREEDY, 'ab']))[0].sentence, /Only lane A/);
  assert.equal(judgements([])[0].kind, 'none');
});

test('what a lane cost is added up from its cell, and a lane that tested nothing has no α', () => {
  const cost = measured([{ ...CELL, verify: 1, plain: 15 }, CELL, { ...CELL, verify: 16 }]);
  assert.deepEqual(cost, {
    alpha: 0.25,
    kept: 1,
    tested: 4,
    made: 3,
    passes: 2,
    wasted: 5,
    perPass: 1.5,
    time: 10,
    low: 5,
    high: 20,
    each: 10 / 3,
    rate: 300,
    speedup: 1.2,
    range: [0.6, 3],
  });
  assert.deepEqual(Object.values(rowOf('A', cost)), [
    'A',
    '0.250 (1/4)',
    '1.5 (3/2)',
    '10 ms',
    '300',
    '1.2× (0.600 to 3)',
    '5',
  ]);
  assert.equal(rowOf('A', measured([{ ...CELL, tested: 0, accepted: 0 }])).alpha, '–');
});

test('the chart says who is fastest, who keeps most and who pays for it, from its own numbers', () => {
  const slow = { ...CELL, verify: 30, accepted: 3, rolled_back: 0 };
  const given = [
    [SAMPLED, CELL],
    [{ ...SAMPLED, drafter: 'small-model' }, slow],
  ].map(([lane, cell], index) => ({ letter: 'AB'[index], lane, cells: [cell], cost: measured([cell]) }));
  const figure = costFigure(given, true);
  assert.equal(
    figure.says,
    'A (n-gram, γ = 4, T = 0.8) is fastest: 3 tokens in 10 ms, 1.2× as fast as plain decoding. Slower ' +
      'than plain decoding: B. B has the highest α, 0.750. A discards the most (5 cache entries).',
  );
  assert.deepEqual(
    figure.series.map(({ panel, y, labels }) => [panel, y, labels]),
    [
      [0, [0.25, 0.75], ['0.250', '0.750']],
      [1, [1.5, 1.5], ['1.5', '1.5']],
      [2, [1.2, 12 / 34], ['1.2', '0.353']],
      [3, [5, 0], ['5', '0']],
    ],
  );
  const idle = costFigure(
    [{ ...given[0], cost: measured([{ ...CELL, tested: 0, accepted: 0, rolled_back: 0 }]) }],
    true,
  );
  assert.match(
    costFigure([given[0], { ...given[0], letter: 'B' }], true).says,
    / A and B have the highest α, 0\.250\. A and B discard the most \(5 cache entries\)\.$/,
  );
  assert.equal(costFigure(given, false).says, 'The verdict comes once every lane is measured.');
  assert.match(costFigure([given[1]], true).says, /No lane beats plain decoding\./);
  const near = {
    ...given[0],
    letter: 'C',
    cost: measured([{ ...CELL, verify: 7 }, CELL, { ...CELL, verify: 8 }]),
  };
  assert.match(
    costFigure([...given, near], true).says,
    /^A .+ Its runs overlap with those of C: too close to call\./,
  );
  assert.deepEqual(answerOf([...given, near]), [
    '1.2×',
    'as fast as plain decoding: lane A, n-gram, γ = 4, T = 0.8. C overlaps with it: too close to call.',
  ]);
  assert.match(answerOf([given[1]])[1], /plain decoding is faster than every lane/);
  assert.match(idle.says, /plain decoding\. No lane discards a cache entry\.$/);
});

test('what fixes a lane’s text is what its run says of itself', () => {
  const fixed = (wanted) => {
    const { config, traits } = traces().find(({ name }) => name === wanted).info;
    return decoded({ written: [], traits, cells: [{ ...CELL, config }] }).fixed;
  };
  assert.deepEqual(
    ['player-greedy.json', 'player-coupled.json', 'player-sampled.json', 'tree.json'].map(fixed),
    ['greedy', 'coupled', null, null],
  );
});

test('a lane is called by its rule', () => {
  const called = (rule) => described({ ...SAMPLED, rule });
  assert.deepEqual(
    ['rejection', 'block', 'coupled', 'new-rule'].map(called),
    ['', ', block verification', ', shared noise', ', new rule'].map(
      (rule) => `n-gram, γ = 4, T = 0.8${rule}`,
    ),
  );
});

test('a lane’s new tokens know where a target pass began, and a position is read across all lanes', () => {
  const kept = (id, round) => ({ token: id, text: ' a', state: 'accepted', round });
  const report = { written: [kept(2, 0), kept(3, 0), kept(4, 1)], traits: {}, cells: [CELL] };
  assert.deepEqual(
    decoded(report).tokens.map(({ id, label, starts }) => [id, label, starts]),
    [
      [2, 'a, accepted', true],
      [3, 'a, accepted', false],
      [4, 'a, accepted', true],
    ],
  );
  const all = [...lanes([GREEDY, 'ab'], [GREEDY, 'c']), { letter: 'C', lane: GREEDY, tokens: null }];
  assert.deepEqual(
    across(all, 1).map(([name, token]) => [name, token?.id ?? null]),
    [
      ['A', 'b'],
      ['B', null],
    ],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, answerOf, chart, equality, numbers, placeOf, sizes, verdict } from './figures.js';
import { lawsAt, positionOf } from './sums-here.js';
import { momentOf } from '../../trace/moment.js';
import { storyOf } from '../../trace/story.js';
import { beatOf } from '../../../../tests/golden/scenes.js';
import { column, golden, traces } from '../../../../tests/golden/traces.js';

const CELLS = [
  [7, ' hen', 0.5, 0.48, 0.478, 0.522],
  [3, '\u202eox', 0.3, 0.4, 0.28, 0.32],
  [null, '', 0.2, 0.12, 0.182, 0.218],
];
const found = (more = {}) => ({
  position: 0,
  law: 'first',
  n: 2000,
  seed: 0,
  bug: '',
  given: '',
  cells: CELLS,
  rounds: 2034,
  accepted: 0.631,
  overlap: 0.64,
  tvd: 0.021,
  tvd_median: 0.02,
  tvd_high: 0.03,
  chi2: 9.8,
  bins: 11,
  p_value: 0.41,
  impossible: 0,
  different: false,
  ...more,
});
const bent = (more = {}) => found({ p_value: 1e-30, different: true, chi2: 412.3, ...more });

test('sizes run from the fewest to the most, evenly in their logarithm, and hold the usual ones', () => {
  const list = sizes(200, 200_000);
  assert.deepEqual([list[0], list.at(-1), list.length], [200, 200_000, 31]);
  for (const n of [2000, 20_000]) assert.equal(list[placeOf(list, n)], n);
  assert.equal(list[placeOf(list, 2001)], 2500, 'never fewer than it takes');
  assert.equal(placeOf(list, 10 ** 9), 30);
  list.slice(1).forEach((n, index) => assert.ok(n / list[index] > 1.2 && n / list[index] < 1.35));
});

test('everything drawn lies within the chart, and the shares that chance does not explain are marked', () => {
  const rows = chart(found());
  assert.deepEqual(column(rows, 'outside'), [false, true, true]);
  for (const { at } of rows) for (const place of Object.values(at)) assert.ok(place >= 0 && place <= 1);
  assert.equal(rows[0].at.high, 1);
  assert.equal(rows[0].at.p, 0.5 / 0.522);
  assert.deepEqual(column(rows, 'label'), ['·hen', '<U+202E>ox', 'other tokens']);
});

test('a verdict says at which N, and never that anything is proved', () => {
  assert.equal(verdict(found()), 'No evidence of a difference at N = 2,000 (p-value = 0.41).');
  assert.equal(
    verdict(bent()),
    'Different (p-value < 0.001): “<U+202E>ox” came up in 0.400 of the samples, the target gives it ' +
      '0.300; χ² = 412 on 11 bins.',
  );
  assert.equal(
    verdict(bent({ impossible: 12, p_value: 0 })),
    'Different (p-value < 0.001): 12 of 2,000 samples are tokens that the target never writes.',
  );
  const certain = [
    [0, 'a', 1, 0.5, 1, 1],
    [1, 'b', 0, 0, 0, 0],
  ];
  assert.match(verdict(bent({ chi2: 70357.7 })), /χ² = 70,358 on/);
  assert.match(verdict(bent({ cells: certain })), /“a” came up in 0\.500/);
});

test('where a text must end, what goes on behind is said so, and the end is an outcome of its own', () => {
  const ended = bent({
    law: 'end',
    given: '⏎',
    impossible: 1900,
    p_value: 0,
    cells: [
      [-1, '', 1, 0.05, 1, 1],
      [null, '', 0, 0.95, 0, 0],
    ],
  });
  assert.deepEqual(column(chart(ended), 'label'), ['■ text ends', 'other tokens']);
  assert.equal(about(ended), 'After the stop string “⏎”, after the prompt');
  assert.equal(answerOf(ended)[1], '1,900 of 2,000 texts continue after the stop string.');
  assert.match(verdict(ended), /: 1,900 of 2,000 texts continue after the stop string\.$/);
});

test('the small print has every number', () => {
  const print = Object.fromEntries(
    numbers(found(), { drafter: 'bigram', rule: 'rejection', temperature: 0 }, 'Accept always'),
  );
  assert.deepEqual(print, {
    distance: '0.0210: half of all exact draws stay below 0.0200, 19 of 20 below 0.0300',
    'chi-square, the verdict': '9.8 on 11 bins, p-value 0.41',
    rounds: '2,034: 63.1 % of first guesses accepted, expected 64 %',
    seed: '0',
    'draft model': 'bigram, greedy',
    rule: 'rejection sampling, sabotaged: Accept always',
  });
  const [[, rare], [, wrong]] = [found, bent].map(
    (made) => numbers(made({ tvd: 0.04 }), { drafter: 'bigram', rule: 'rejection', temperature: 0 }, '')[0],
  );
  assert.match(rare, /; this is one in 20 above it$/);
  assert.doesNotMatch(wrong, /one in 20/);
});

test('two equal runs have no mark; different ones have both logits, the gap and what it means', () => {
  const same = {
    start: 0,
    tokens: 64,
    speculative: [' a'],
    plain: [' a'],
    differs: null,
    logits: [],
    error: 1e-5,
    rounding: 1e-3,
    gap: 0,
    tie: false,
  };
  const told = equality(same);
  assert.deepEqual(
    [told.mark, told.logits, told.sentence],
    [-1, null, 'Equal: all 64 tokens are those that plain decoding writes with the same target.'],
  );
  const other = {
    ...same,
    start: 11,
    speculative: [' a', ' b'],
    plain: [' a', ' c'],
    differs: 12,
    logits: [
      [4, 3.75],
      [3.75, 4],
    ],
    gap: 0.25,
  };
  const apart = equality(other);
  assert.equal(apart.mark, 1);
  assert.equal(apart.shown, 'Tokens 12 to 13 of 64');
  assert.match(
    apart.sentence,
    /: a bug\. The gap of 0\.250 is more than rounding explains: 4 times .* 1\.00×10⁻⁵, and at most 0\.00100/,
  );
  assert.match(
    equality({ ...other, gap: 2e-5, tie: true }).sentence,
    /a numerical tie\. The gap of 2\.00×10⁻⁵ is under 4 times the measured rounding error of 1\.00×10⁻⁵/,
  );
  assert.deepEqual(apart.logits, [
    ['pass', 'speculative: “·b”', 'plain: “·c”', 'gap'],
    [
      ['many tokens at once', '4.0000', '3.7500', '0.250'],
      ['one token', '3.7500', '4.0000', '0.250'],
    ],
  ]);
});

test('a place is the number of tokens before it; what a refusal took along has the place of the refusal', () => {
  for (const trace of traces()) {
    const story = storyOf(trace);
    let before = 0;
    trace.rounds.forEach((round, index) => {
      const kept = round.path.length;
      assert.equal(positionOf(story, index, 0), before);
      for (let slot = 0; slot <= round.verdicts.length; slot += 1)
        assert.equal(
          positionOf(story, index, slot),
          before + Math.min(round.verdicts[slot]?.depth ?? kept, kept),
        );
      before += kept + (round.extra ? 1 : 0);
    });
  }
});

test('laws appear with their moment: no guess, q alone, both, then the verdict and what came instead', () => {
  const trace = golden('player-sampled');
  const story = storyOf(trace);
  const index = trace.rounds.findIndex(
    ({ extra, path }) => extra?.emission === 'resampled' && path.length === 0,
  );
  const round = trace.rounds[index];
  const momentAt = (kind) => momentOf(trace, story.beats[beatOf(story, kind, { round: index })]);
  const at = (kind) => lawsAt(round, momentAt(kind), 0);
  assert.equal(lawsAt(round, momentOf(trace, { round: index, kind: 'draft', slot: 0 }), 1), null);
  assert.deepEqual(
    column(at('draft').rows, 'p'),
    round.verdicts[0].view.bars.map(() => null),
  );
  assert.equal(at('draft').rest.p, null);
  assert.deepEqual(
    at('verify').rows.map(({ p, q }) => [p, q]),
    round.verdicts[0].view.bars.map(({ p, q }) => [p, q]),
  );
  assert.deepEqual([at('verify').verdict, at('verify').emitted], [null, null]);
  const { verdict, emitted, drafted } = at('trim');
  assert.deepEqual([verdict, emitted, drafted], ['rejected', round.extra.token, round.verdicts[0].token]);
  assert.equal(
    lawsAt(round, momentOf(trace, { round: index, kind: 'trim', slot: null }), round.verdicts.length),
    null,
  );
});

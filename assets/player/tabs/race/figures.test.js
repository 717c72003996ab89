import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traces } from '../../../../tests/golden/traces.js';
import { answerLine, costLines, gapLine, headline, siblingsLine } from './figures.js';
import { costsOf, estimate, raceOf, resultOf, unraceable } from '../../trace/race.js';
import { reasonLine } from '../../trace/reason.js';
import { factor } from '../../base/format.js';
import { expectedTokens } from '../../base/theory.js';
import { printed, waterfall } from './sums-waterfall.js';
import { words } from '../words.js';

const near = (got, wanted, slack = 1e-9) =>
  assert.ok(Math.abs(got - wanted) <= slack, `${got} for ${wanted}`);
const timing = (draft, verify, rest = 1) => ({
  draft: draft.map((ms) => ({ nodes: 1, ms })),
  verify,
  accept: rest / 2,
  trim: rest / 4,
  overhead: rest / 4,
});

/** A trace of rounds given as [guesses kept, guesses tested, guesses, own token], with the race given. */
function traceOf(rounds, race) {
  return {
    stop: 'length',
    rounds: rounds.map(([kept, tested, guesses, own]) => ({
      verdicts: Array.from({ length: guesses }, (_, slot) => ({
        node: slot,
        parent: slot - 1,
        depth: slot,
        verdict: slot < kept ? 'accepted' : slot < tested ? 'rejected' : 'untested',
      })),
      path: Array.from({ length: kept }, (_, slot) => slot),
      extra: own
        ? { emission: kept < guesses ? 'resampled' : 'bonus', node: kept < tested ? kept : null }
        : null,
      calls: { target: 1, draft: guesses },
      timing: timing(Array(guesses).fill(1), 5),
    })),
    race: { passes: [], tokens: [], texts: [], laps: [], plain_laps: [], ...race },
  };
}

/** Two rounds of two guesses: both kept, then the first refused. Four tokens; a plain pass takes 4 ms. */
const small = (more = {}) =>
  traceOf(
    [
      [2, 2, 2, true],
      [0, 1, 2, true],
    ],
    {
      rounds: [timing([1, 1], 5), timing([1, 1], 7)],
      passes: [4, 4, 3, 5],
      tokens: [1, 2, 3, 4],
      texts: ['a', 'b', 'c', 'd'],
      laps: [20, 16, 18],
      plain_laps: [16, 14, 18],
      ...more,
    },
  );

test('the costs of a small race, computed by hand', () => {
  const costs = costsOf(small());
  assert.deepEqual([costs.t1, costs.gamma, costs.c, costs.v, costs.overhead], [4, 2, 0.25, 1.5, 0.25]);
  assert.deepEqual([costs.kept, costs.tested, costs.alpha], [2, 3, 2 / 3]);
  near(costs.expected, 1 + 2 / 3 + 4 / 9);
  assert.deepEqual([costs.cost, costs.roundCost], [2, 2.25]);
  near(costs.predicted, 19 / 9 / 2);
  near(costs.measured, 16 / 4 / (18 / 4));
  near(costs.breakEven.alpha, (Math.sqrt(6) - 1) / 2); // 1 + a + a² = 2.25
  near(costs.gap.ratio, 16 / 18 / (19 / 18));
  near(costs.gap.overhead, 2 / 2.25);
  near(costs.gap.tokens, 2 / (19 / 9));
  near(costs.gap.overhead * costs.gap.tokens * costs.gap.rest, costs.gap.ratio);
});

test('the result of a small race: medians, and what the laps range over', () => {
  const result = resultOf(small());
  near(result.speedup, 16 / 18);
  assert.deepEqual([result.low, result.high, result.laps], [0.8, 1, 3]);
  assert.deepEqual(result.lanes.speculative, {
    tokens: 4,
    passes: 2,
    time: 18,
    rate: 4000 / 18,
    low: 200,
    high: 250,
  });
  assert.deepEqual(result.lanes.plain, {
    tokens: 4,
    passes: 4,
    time: 16,
    rate: 250,
    low: 4000 / 18,
    high: 4000 / 14,
  });
});

test('slower is said plainly, with its reason in numbers; around 1 there is no clear gain, without a reason', () => {
  const slow = headline(resultOf(small({ plain_laps: [16, 14, 17] })));
  assert.deepEqual(
    [slow.verdict, slow.says, slow.range],
    ['slower', '0.89×: slower', '0.80 to 0.94 over 3 runs'],
  );
  assert.equal(
    reasonLine(costsOf(small()), 'slower'),
    'Checking 3 tokens costs 1.5 normal steps. 67 % of the tested guesses were accepted. ' +
      'It would take 72 % to pay off.',
  );
  for (const last of [18, 19]) {
    const close = headline(resultOf(small({ plain_laps: [16, 14, last] })));
    assert.deepEqual([close.verdict, close.says], ['same', `${close.says.split(':')[0]}: no clear gain`]);
  }
  assert.equal(reasonLine(costsOf(small()), 'same'), '');
  const fast = small({ plain_laps: [40, 44, 48] });
  assert.equal(
    reasonLine(costsOf(fast), 'faster'),
    'A round takes as long as 0.82 normal steps and brings 2 tokens.',
  );
  assert.equal(
    answerLine(costsOf(fast), resultOf(fast)),
    'Yes, 2.44×: a round yields 2 tokens for 0.818 steps of the target alone.',
    '2 / 0.818 is 2.44: both are of the same laps',
  );
  const unlucky = small({ laps: [90, 90, 90], passes: [9, 9, 9, 9] });
  assert.equal(
    reasonLine(costsOf(unlucky), 'slower'),
    'Checking 3 tokens costs 0.67 normal steps. 67 % of the tested guesses were accepted.',
    'where the formula says that it pays, no acceptance is called for',
  );
  const hopeless = small({ rounds: [timing([1, 1], 5, 9), timing([1, 1], 7, 9)] });
  assert.match(
    reasonLine(costsOf(hopeless), 'slower'),
    /67 % of the tested guesses were accepted\. Even if all were accepted, it would not pay off\.$/,
  );
});

test('the panel prints formulas that give the values beside them', () => {
  const lines = Object.fromEntries(costLines(costsOf(small())).map((line) => [line.name, line]));
  assert.equal(Object.keys(lines).join(' '), 'c v overhead alpha expected predicted measured break-even');
  assert.deepEqual([lines.v.symbol, lines.v.formula, lines.v.text], ['v(3)', '6 / 4 ms', '1.5']);
  assert.equal(lines.expected.formula, '(1 − 0.667³) / (1 − 0.667)');
  assert.equal(lines.predicted.formula, '2.11 / (2 · 0.250 + 1.5)');
  assert.match(gapLine(costsOf(small())), /^Measured is 84 % of predicted: ×\u00A00\.89 for the bookkeeping/);
  assert.deepEqual([factor(0.955), factor(12.34)], ['0.95', '12.3']);
});

test('a tree says what the guesses beside the first of each place bring, and what they cost', () => {
  const [parents, depths] = [
    [-1, -1, 0, 1],
    [0, 0, 1, 1],
  ];
  const round = (path, own) => ({
    verdicts: parents.map((parent, node) => ({
      node,
      parent,
      depth: depths[node],
      verdict: path.includes(node) ? 'accepted' : node === own.node ? 'rejected' : 'untested',
    })),
    path,
    extra: own,
    calls: { target: 1, draft: 2 },
  });
  const rounds = [
    round([1, 3], { emission: 'bonus', node: null }),
    round([0], { emission: 'resampled', node: 2 }),
  ];
  const times = (verify) => ({
    ...timing([], verify),
    draft: [
      { nodes: 2, ms: 1 },
      { nodes: 2, ms: 1 },
    ],
  });
  const race = (verify) => ({
    rounds: [times(verify), times(verify)],
    passes: [4, 4, 4, 4, 4],
    tokens: [1, 2, 3, 4, 5],
    texts: [],
    laps: [20],
    plain_laps: [20],
  });
  const costs = costsOf({ rounds, race: race(6) });
  assert.deepEqual([costs.gamma, costs.rows, costs.c, costs.v, costs.alpha], [2, 5, 0.25, 1.5, 0.75]);
  assert.deepEqual(costs.siblings, { many: 2, all: 4, alpha: 0.5, expected: 1.75, cost: 0.25 });
  assert.equal(costs.roundCost, 2.25);
  assert.equal(
    siblingsLine(costs),
    '2 of the 4 guesses share a position with another. They raise α from 0.500 to 0.750, so E from 1.75 to 2.31 ' +
      'tokens: ×\u00A01.32.' +
      ' They cost 0.250 of the round’s 2.25 normal steps: ×\u00A01.13; the draft’s 2 levels cost 0.500. ' +
      'Here they bring more than they cost.',
  );
  assert.match(
    siblingsLine(costsOf({ rounds, race: race(16) })),
    /×\u00A01\.46; .* Here they cost more than they bring\.$/,
  );
  const lines = Object.fromEntries(costLines(costs).map((line) => [line.name, line]));
  assert.deepEqual(
    [lines.c.about, lines.v.symbol, lines.alpha.about],
    ['one level of guesses', 'v(5)', 'places where a guess was accepted'],
  );
  assert.equal(siblingsLine(costsOf(small())), '', 'a chain has none');
  const scouting = {
    ...small(),
    rounds: small().rounds.map((each) => ({ ...each, scouts: Array(3).fill({ depth: 0 }) })),
  };
  assert.deepEqual(
    [costsOf(scouting).rows, costsOf(scouting).siblings],
    [6, null],
    'scouts are read in the pass, and are nobody’s siblings',
  );
});

test('a race is of the run it stands in; only a run that ended can be raced', () => {
  assert.ok(raceOf(small()));
  const { race: own } = small();
  for (const race of [null, { ...own, rounds: own.rounds.slice(1) }, { ...own, laps: [] }])
    assert.equal(raceOf({ ...small(), race }), null);
  assert.deepEqual(
    [null, 'stopped', 'deadline', 'failed', 'length', 'eos', 'context'].map((stop) => unraceable({ stop })),
    ['making', 'stopped', 'deadline', 'failed', null, null, null],
  );
  assert.equal(estimate(small()), 1);
});

test('in every recorded trace the parts come to the laps, and the factors to the gap', () => {
  const raced = traces().filter(raceOf);
  assert.ok(raced.length >= 3);
  for (const trace of raced) {
    const [costs, result] = [costsOf(trace), resultOf(trace)];
    near(costs.gap.overhead * costs.gap.tokens * costs.gap.rest * costs.predicted, costs.measured, 1e-9);
    assert.ok(result.low <= result.speedup + 1e-9 && result.speedup <= result.high + 1e-9, trace.name);
    assert.ok(costs.alpha === null || (costs.alpha >= 0 && costs.alpha <= 1));
    if (costs.breakEven.alpha !== null)
      near(expectedTokens(costs.breakEven.alpha, costs.gamma), costs.roundCost, 1e-6);
  }
});

test('the waterfall falls from γ + 1 to the measured speed-up, and nothing is left over', () => {
  let seen = 0;
  for (const trace of traces().filter(raceOf)) {
    const steps = waterfall(trace);
    if (trace.info.controller !== 'none') assert.equal(steps[0].from, trace.info.config.gamma + 1);
    steps.slice(1).forEach(({ from }, index) => assert.equal(from, steps[index].to));
    const { speedup } = resultOf(trace);
    assert.ok(
      Math.abs(steps.at(-1).to / speedup - 1) < 1e-9,
      `${trace.name}: ${steps.at(-1).to} and ${speedup}`,
    );
    const lost = steps.reduce((sum, { from, to }) => sum + from - to, 0);
    assert.ok(Math.abs(steps[0].from - lost - speedup) < 1e-9);
    const told = steps.reduce(
      (sum, { from, to }) => sum - Number((printed(from) - printed(to)).toFixed(2)),
      printed(steps[0].from),
    );
    assert.equal(told.toFixed(2), speedup.toFixed(2), `${trace.name}: what is printed adds up`);
    assert.ok(
      steps.every(({ name, from, to }) => name === 'wider' || from >= to),
      trace.name,
    );
    assert.equal(
      words.race.fall.start[steps[0].name].includes('γ'),
      trace.info.controller !== 'none',
      'no γ is spoken of where there is none',
    );
    seen += 1;
  }
  assert.ok(seen > 4);
});

test('where a rule moves γ the ceiling is its mean', () => {
  const [trace] = traces().filter((each) => raceOf(each) && each.info.config.gamma);
  const lengths = trace.race.rounds.map(({ draft }) => draft.length);
  const moving = { ...trace, info: { ...trace.info, config: { ...trace.info.config, gamma_rule: 'aimd' } } };
  assert.equal(
    waterfall(moving)[0].from,
    lengths.reduce((sum, length) => sum + length, 0) / lengths.length + 1,
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { golden } from '../../../../tests/golden/traces.js';
import { cachedOf, clocks, exchange } from './clocks.js';
import { costsOf, tokensOf } from '../../trace/race.js';
import { number } from '../../base/format.js';
import { median } from '../../base/statistics.js';

const recorded = () => golden('tale-small-model');
/** A recorded run with plain decoding drawn out or sped up, so that it takes twice as long. */
function twice() {
  const trace = recorded();
  const [made, steps] = exchange(trace);
  const longer = (times) => times.map((ms) => ((2 * steps) / made) * ms);
  return {
    ...trace,
    race: { ...trace.race, passes: longer(trace.race.passes), plain_laps: longer(trace.race.plain_laps) },
  };
}
const ends = ({ d }) => [...d.matchAll(/H([\d.]+)V/g)].map(([, to]) => Number(to));

test('both lanes stand on one scale, and each bar is as long as what was measured', () => {
  const trace = twice();
  const {
    lanes: [plain, spec],
    total,
  } = clocks({ trace });
  const all = trace.race.passes.reduce((sum, ms) => sum + ms, 0);
  assert.ok(Math.abs(ends(plain.paths[0]).at(-1) - all) < 0.01);
  assert.equal(ends(plain.paths[0]).length, trace.race.passes.length);
  assert.equal(
    ends(spec.paths[0]).length,
    trace.race.rounds.reduce((sum, { draft }) => sum + draft.length, 0),
    'a bar for each guess',
  );
  assert.ok(Math.abs(total - all) < 0.01, 'the longer one fills the scale');
});

test('who is done first says by how much, the factor being that of the laps', () => {
  const trace = twice();
  const {
    lanes: [plain, spec],
    verdict,
  } = clocks({ trace });
  const [tokens, steps] = exchange(trace);
  assert.equal(tokens, tokensOf(trace) / trace.rounds.length);
  assert.equal((tokens / steps).toFixed(2), '2.00', 'tokens a round by the steps it takes are the speed-up');
  assert.equal(verdict, 'faster');
  assert.deepEqual([plain.done, spec.done], ['', '2.00× faster']);
});

test('a run that took longer is not called faster, and plain decoding has the finish', () => {
  const trace = twice();
  trace.race.laps = trace.race.laps.map((lap) => 3 * lap);
  trace.race.rounds = trace.race.rounds.map((round) => ({ ...round, verify: 4 * round.verify }));
  const {
    lanes: [plain, spec],
    verdict,
  } = clocks({ trace });
  assert.equal(verdict, 'slower');
  assert.deepEqual([plain.done, spec.done], ['1.50× faster', '']);
});

test('on another machine each round costs its guesses and its check there, and the words stay', () => {
  const trace = recorded();
  const here = clocks({ trace });
  assert.deepEqual(clocks({ trace }, 0), here);
  const [plain, spec] = clocks({ trace }, 1).lanes;
  assert.equal(ends(plain.paths[0]).at(-1), trace.race.passes.length, 'a plain step is a step');
  const guesses = trace.rounds.flatMap(({ verdicts }) => verdicts).length;
  const t1 = median(trace.race.passes);
  const dear = trace.race.rounds.flatMap(({ draft }) => draft).every(({ ms }) => ms / t1 >= 0.1);
  const most = trace.rounds.length + 0.1 * guesses;
  const end = ends(spec.paths.find(({ kind }) => kind === 'verify')).at(-1);
  assert.ok(
    dear ? Math.abs(end - most) < 0.01 : end <= most + 0.01,
    'a check is a step, a guess at most a tenth',
  );
  const half = clocks({ trace }, 0.5);
  assert.match(half.title, /, computed$/);
  assert.match(half.lanes[1].sum, / steps$/);
});

test('without times the passes are counted, each as long as any other', () => {
  const trace = { ...recorded(), race: null };
  const untold = { draft: [], verify: 0, accept: 0, trim: 0, overhead: 0 };
  const { lanes, total, title } = clocks({
    trace: { ...trace, rounds: trace.rounds.map((each) => ({ ...each, timing: untold })) },
  });
  const passes = [tokensOf(trace), trace.rounds.length];
  assert.deepEqual(
    lanes.map(({ paths }) => ends(paths[0]).at(-1)),
    passes,
  );
  assert.equal(total, passes[0]);
  assert.match(title, /not recorded/);
  lanes.forEach(({ sum }, at) =>
    assert.match(sum, new RegExp(`^${passes[at]} slow passes( \\+ \\d+ quick guesses)?$`)),
  );
});

test('without a race the run has its own clock and plain decoding stays open', () => {
  const trace = { ...recorded(), race: null };
  const {
    lanes: [plain, spec],
    verdict,
    total,
  } = clocks({ trace });
  assert.equal(verdict, null);
  assert.deepEqual([plain.paths, plain.done, spec.done], [[], '', '']);
  const spent = trace.rounds.reduce(
    (sum, { timing: { draft, verify, accept, trim, overhead } }) =>
      sum + draft.reduce((a, { ms }) => a + ms, 0) + verify + accept + trim + overhead,
    0,
  );
  assert.ok(Math.abs(total - spent) < 1e-6);
});

test('beside the lanes stands why guesses could gain no more, by the numbers of the race', () => {
  const trace = recorded();
  const timed = (forward, scale = 1) => ({
    ...trace,
    race: {
      ...trace.race,
      where: { forward },
      rounds: trace.race.rounds.map((round) => ({ ...round, verify: scale * round.verify })),
    },
  });
  const dear = timed('compiled', 2);
  assert.ok(cachedOf(dear).includes(`costs ${number(costsOf(dear).v)} plain steps`));
  assert.deepEqual(
    [timed('eager', 2), timed('graphs', 2), timed('compiled', 0.5), { ...trace, race: null }].map(cachedOf),
    ['', '', '', ''],
  );
  assert.equal(
    cachedOf({ ...dear, info: { ...trace.info, config: { ...trace.info.config, pair: 'gpt2' } } }),
    '',
  );
});

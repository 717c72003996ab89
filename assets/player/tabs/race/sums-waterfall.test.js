import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traces } from '../../../../tests/golden/traces.js';
import { raceOf, resultOf } from '../../trace/race.js';
import { printed, waterfall } from './sums-waterfall.js';
import { words } from '../words.js';

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

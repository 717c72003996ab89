import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traces } from '../../../../tests/golden/traces.js';
import { costsOf, raceOf, resultOf } from './race.js';
import { waterfall } from './waterfall.js';

test('the waterfall falls from γ + 1 to the measured speed-up, and nothing is left over', () => {
  let seen = 0;
  for (const trace of traces().filter(raceOf)) {
    const steps = waterfall(trace);
    assert.equal(steps[0].from, costsOf(trace).gamma + 1);
    steps.slice(1).forEach(({ from }, index) => assert.equal(from, steps[index].to));
    const { speedup } = resultOf(trace);
    assert.ok(Math.abs(steps.at(-1).to / speedup - 1) < 1e-9, `${trace.name}: ${steps.at(-1).to} and ${speedup}`);
    const lost = steps.reduce((sum, { from, to }) => sum + from - to, 0);
    assert.ok(Math.abs(steps[0].from - lost - speedup) < 1e-9);
    assert.ok(steps.every(({ name, from, to }) => name === 'wider' || from >= to), trace.name);
    seen += 1;
  }
  assert.ok(seen > 4);
});

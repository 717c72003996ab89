import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbersOf } from '../../base/statistics.js';
import { some } from '../../../../tests/golden/scenes.js';
import { traces } from '../../../../tests/golden/traces.js';
import { PRESETS, account, massLine, parseRow, proofLines, slotRow, typedRow } from './sums-proof.js';

const near = (left, right, by = 1e-12) => assert.ok(Math.abs(left - right) <= by, `${left} and ${right}`);
const typed = (p, q) => typedRow({ p, q }).row;

/** Laws of 3 to 8 tokens, some flat, some steep, some with zeros, some the same, some nearly. */
function* pairs() {
  const next = numbersOf(7);
  for (let round = 0; round < 2000; round += 1) {
    const size = 3 + Math.floor(6 * next());
    const steep = [1, 6, 30][round % 3];
    const law = () => {
      const weights = Array.from({ length: size }, () => (next() < 0.1 ? 0 : next() ** steep));
      weights[0] += 1e-6;
      const total = weights.reduce((sum, each) => sum + each);
      return weights.map((each) => each / total);
    };
    const [p, other] = [law(), law()];
    const mix = [0, 1e-9, 1e-4, 1][round % 4];
    yield { p, q: p.map((share, index) => (1 - mix) * share + mix * other[index]), rest: null };
  }
}

/** The rows of every slot that has both laws. */
function* slots() {
  for (const { name, rounds } of traces()) {
    for (const round of rounds) {
      for (const { token, verdict, view, weight } of round.verdicts) {
        if (weight !== null) continue; // decided by the guesses around it too
        const row = slotRow({ rows: view.bars, rest: view.rest, drafted: token, emitted: null, verdict });
        yield { name: `${name}, round ${round.index}`, row, view };
      }
    }
  }
}

/** Every part of a printed equation that is numbers only comes out as the others. */
function recomputes(equation) {
  const parts = equation
    .replace(/P\([^)]*\)/g, 'P')
    .split(' = ')
    .filter((part) => /^[\d.e\s·/()+−-]+$/.test(part));
  const values = parts.map((part) => Function(`return ${part.replaceAll('·', '*').replaceAll('−', '-')}`)());
  for (const each of values) near(each, values.at(-1), 0.011 * Math.abs(values.at(-1)));
  return values.length;
}

test('the first preset comes out as by hand', () => {
  const { lines, total, z } = account(typed(PRESETS[0].p, PRESETS[0].q));
  near(z, 0.2);
  [
    [1, 0.3, 0.2, 0.2, 0.5],
    [0.6, 0.3, 0, 0, 0.3],
    [1, 0.2, 0, 0, 0.2],
  ].forEach((wanted, index) => {
    const { accept, accepted, excess, resampled, out } = lines[index];
    [accept, accepted, excess, resampled, out].forEach((value, place) => near(value, wanted[place]));
  });
  near(total.accepted, 0.8);
  near(total.resampled, 0.2);
});

test('every token of any row comes out with p, and every printed equation is right', () => {
  let checked = 0;
  for (const row of some([...pairs()], 4)) {
    const { lines, total, z } = account(row);
    near(z, 1 - total.accepted);
    for (const name of ['p', 'q', 'out']) near(total[name], 1);
    recomputes(massLine(z)[1]);
    for (const line of lines) {
      near(line.out, line.p);
      near(line.accept === null ? 0 : line.q * line.accept, line.accepted);
      for (const [, equation] of proofLines(line, z)) checked += recomputes(equation) > 1;
    }
  }
  assert.ok(checked > 2_500);
});

test('so does every token of every slot recorded, the others as one', () => {
  for (const { name, row, view } of some([...slots()], 4)) {
    const { lines, total, z } = account(row);
    assert.equal(lines.length, view.bars.length + (view.rest.count ? 1 : 0), name);
    near(z, 1 - view.overlap, 1e-5);
    near(total.out, 1, 1e-5);
    recomputes(massLine(z)[1]);
    lines.forEach((line, index) => {
      near(line.out, line.p);
      const known = index < view.bars.length;
      near(line.excess, (known ? view.bars[index] : view.rest).residual, 2e-6);
      if (known) proofLines(line, z).forEach(([, equation]) => recomputes(equation));
      else assert.equal(line.accept, null);
    });
  }
});

test('typed numbers may be decimals, percents or fractions, apart by spaces or commas', () => {
  for (const text of [
    '0.5 0.3 0.2',
    '0.5,0.3,0.2',
    ' 50 %, 30% 20 % ',
    '1/2 3/10 1 / 5',
    '(5e-1; 0.3; 0.2)',
    '5.00e−1 0.3 0.2',
  ]) {
    parseRow(text, 'p').values.forEach((value, index) => near(value, [0.5, 0.3, 0.2][index]));
    assert.equal(parseRow(text, 'p').scaled, '');
  }
});

test('numbers that all but sum to 1 are divided by their sum, and that is said', () => {
  const { values, scaled } = parseRow('0.333 0.333 0.333', 'q');
  near(
    values.reduce((sum, each) => sum + each),
    1,
  );
  assert.equal(scaled, 'q summed to 0.999 and was divided by that.');
});

test('what is not a law is refused with what came and what was wanted', () => {
  const wrong = {
    '0.5 five 0.2': /“five” must be a number/,
    '0.7 -0.2 0.5': /“-0.2”/,
    '1/0 0 0': /“1\/0”/,
    '0/0 1 0': /“0\/0”/,
    '1e999 0 0': /“1e999”/,
    '0x1 0 0': /“0x1”/,
    '% 1 0': /“%”/,
    '0.5 0.5': /has 2 numbers; it needs 3 to 8/,
    '': /has 0 numbers/,
    1: /has 1 number;/,
    '0 0 0 0 0 0 0 0 1': /has 9 numbers/,
    '0.5 0.3 0.1': /sums to 0\.900; it must be 1/,
    '0.5 0.3 0.2011': /sums to 1\.001; it must be 1/,
    'a\u202Eb 1 0': /“a<U\+202E>b”/,
  };
  for (const [text, said] of Object.entries(wrong))
    assert.match(parseRow(text, 'p').error ?? 'taken', said, text);
  assert.equal(typedRow({ p: '0.5 0.3 0.2', q: '0.5 0.5' }).law, 'q');
  assert.match(typedRow({ p: '0.5 0.3 0.2', q: '0.25 0.25 0.25 0.25' }).error, /p has 3 numbers and q has 4/);
  for (const preset of PRESETS) assert.ok(typedRow(preset).row);
});

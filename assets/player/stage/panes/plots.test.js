import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SIZE, rankPlot, scatterPlot } from './plots.js';

const FALLING = [
  [1, 0.9],
  [2, 0.05],
  [10, 1e-3],
  [100, 1e-6],
  [4096, 0],
];
const FLATTER = [
  [1, 0.3],
  [2, 0.2],
  [10, 1e-2],
  [100, 1e-5],
  [4096, 1e-12],
];

const inside = ([x, y]) => x >= 0 && x <= SIZE.width && y >= 0 && y <= SIZE.height;

test('a rank plot falls from left to right and ends on the floor, zero or not', () => {
  const { lines, ticks } = rankPlot({ p: FALLING, q: FLATTER });
  const floor = ticks.y.find(([, text]) => text === '≤ 1e−8')[0];
  for (const { points } of lines) {
    points.slice(1).forEach(([x, y], index) => {
      assert.ok(x > points[index][0]);
      assert.ok(y >= points[index][1]);
    });
    assert.equal(points.at(-1)[1], floor);
    assert.ok(points.every(inside));
  }
});

test('both axes are logarithmic: a tenth is as far everywhere', () => {
  const { ticks, lines } = rankPlot({ p: FALLING, q: null });
  assert.deepEqual(
    ticks.x.map(([, text]) => text),
    ['1', '10', '100', '1,000'],
  );
  const steps = ticks.x.slice(1).map(([x], index) => x - ticks.x[index][0]);
  assert.ok(Math.max(...steps) - Math.min(...steps) < 0.3);
  assert.equal(lines[0].points[2][0], ticks.x[1][0]);
  const heights = ticks.y.slice(1).map(([y], index) => y - ticks.y[index][0]);
  assert.ok(Math.max(...heights) - Math.min(...heights) < 0.3);
});

test('the two lines are named apart from each other, inside the box', () => {
  for (const q of [FLATTER, FALLING, FALLING.map(([rank]) => [rank, 0])]) {
    const {
      lines: [one, other],
    } = rankPlot({ p: FALLING, q });
    assert.ok(inside(one.at) && inside(other.at));
    assert.notDeepEqual(one.at, other.at);
  }
});

test('a row without q has one line, and its label says so', () => {
  const { lines, label } = rankPlot({ p: FALLING, q: null });
  assert.deepEqual(
    lines.map(({ kind }) => kind),
    ['p'],
  );
  assert.match(label, /p falls from 0\.900 at rank 1 to 0 at rank 4,096/);
  assert.doesNotMatch(label, /q/);
});

test('a vocabulary of one token, and one of a quarter of a million', () => {
  assert.ok(rankPlot({ p: [[1, 1]], q: [[1, 1]] }).lines.every(({ points }) => points.every(inside)));
  const { ticks } = rankPlot({
    p: [
      [1, 0.5],
      [250000, 0],
    ],
    q: null,
  });
  assert.deepEqual(
    ticks.x.map(([, text]) => text),
    ['1', '100', '10,000'],
  );
});

test('a point stands above the diagonal exactly when p is larger than q', () => {
  const {
    points,
    diagonal: [[left, bottom], [right, top]],
  } = scatterPlot([
    [0, ' a', 0.5, 0.01],
    [1, ' b', 0.01, 0.5],
    [2, ' c', 0.1, 0.1],
    [3, ' d', 0, 0],
  ]);
  const over = points.map(({ x, y }) => bottom - y - ((x - left) * (bottom - top)) / (right - left));
  assert.ok(over[0] > 1);
  assert.ok(over[1] < -1);
  assert.ok(Math.abs(over[2]) < 0.2);
  assert.deepEqual([points[3].x, points[3].y], [left, bottom]);
});

test('a hostile token is named with everything invisible made visible', () => {
  const {
    points: [{ title }],
  } = scatterPlot([[7, '\u202e<b> \n', 0.25, 0]]);
  assert.equal(title, '<U+202E><b>·⏎: p 0.250, q 0');
});

test('no rows are no points', () => {
  const { points, label } = scatterPlot([]);
  assert.deepEqual(points, []);
  assert.equal(typeof label, 'string');
});

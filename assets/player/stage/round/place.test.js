import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbersOf } from '../../base/statistics.js';
import { place } from './place.js';

function grown(many, next, deep) {
  const nodes = [];
  for (let index = 0; index < many; index += 1) {
    const shallow = nodes.flatMap(({ column }, at) => (column < deep ? [at] : []));
    const parent = shallow[Math.floor(next() * (shallow.length + 1))] ?? -1;
    nodes.push({
      parent,
      column: parent < 0 ? 1 : nodes[parent].column + 1,
      wide: 30 + 90 * next(),
      rank: next(),
    });
  }
  return nodes;
}

const FIELDS = [
  { width: 1232, height: 154, row: 44, air: 36 },
  { width: 780, height: 132, row: 44, air: 36 },
  { width: 560, height: 154, row: 44, air: 36 },
  { width: 1870, height: 231, row: 66, air: 54 },
];

/** Trees of 2 to 64 nodes, flat and deep, in all fields: [nodes, field, answer]. */
const PLACED = [];
const next = numbersOf(7);
for (let many = 2; many <= 64; many += 1)
  for (const deep of [1, 3, 6, 12])
    for (const field of FIELDS) {
      const nodes = grown(many, next, deep);
      PLACED.push([nodes, field, place(nodes, field, 90)]);
    }
const everywhere = (check) => PLACED.forEach((placed) => check(...placed));

test('no node leaves the field, and none lies on another', () => {
  everywhere((nodes, { height }, { boxes, width }) => {
    for (const { left, top, width: wide, height: high } of boxes) {
      assert.ok(
        left >= -0.01 && top >= -0.01 && left + wide <= width + 0.01 && top + high <= height + 0.01,
        JSON.stringify({ left, top, wide, high }),
      );
    }
    boxes.forEach((one, index) =>
      boxes.slice(index + 1).forEach((other) => {
        const apart = ([side, length]) =>
          one[side] + one[length] <= other[side] + 0.01 || other[side] + other[length] <= one[side] + 0.01;
        assert.ok(
          [
            ['left', 'width'],
            ['top', 'height'],
          ].some(apart),
          JSON.stringify([one, other]),
        );
      }),
    );
  });
});

test('the columns share the whole width, or need more', () => {
  everywhere((nodes, field, { columns, width }) => {
    assert.ok(
      width > field.width - 0.01 && Math.abs(columns.at(-1).left + columns.at(-1).width - width) < 0.01,
    );
    if (width > field.width + 0.01)
      columns.slice(1).forEach(({ left, from }) => assert.ok(from - left < field.air));
  });
});

test('four siblings under each other are chips as wide as a finger needs, and as high as a word', () => {
  const siblings = Array.from({ length: 4 }, () => ({ parent: -1, column: 1, wide: 12, rank: 0 }));
  const { boxes } = place(siblings, FIELDS[1], 90);
  for (const { width, height, dot } of boxes) assert.ok(!dot && width >= 40 && height >= 27);
});

test('a chain keeps to its row, and what fell is below it', () => {
  const chain = [1, 2, 3].map((column) => ({ parent: column - 2, column, tier: 1, wide: 60, rank: 0 }));
  chain.push({ parent: -1, column: 1, tier: 2, wide: 60, rank: 0 });
  const { boxes } = place(chain, { width: 900, height: 88, row: 44, air: 20, least: 100, tiers: true }, 90);
  const middles = boxes.map(({ top, height }) => top + height / 2);
  assert.deepEqual(middles, [22, 22, 22, 66, 22]);
  assert.equal(boxes[0].left + boxes[0].width / 2, boxes[3].left + boxes[3].width / 2);
});

test('columns stand in their order, and edges from one to the next never cross', () => {
  everywhere((nodes, field, { boxes, columns }) => {
    columns.slice(1).forEach(({ from }, at) => assert.ok(from > columns[at].to));
    const middle = ({ top, height }) => top + height / 2;
    const home = (index) => middle(index < 0 ? boxes.at(-1) : boxes[index]);
    nodes.forEach((one, index) =>
      nodes.forEach((other, at) => {
        if (at <= index || one.column !== other.column || one.parent === other.parent) return;
        assert.equal(home(one.parent) < home(other.parent), middle(boxes[index]) < middle(boxes[at]));
      }),
    );
  });
});

test('what matters most is a chip, and the more chips the more room there is', () => {
  everywhere((nodes, field, { boxes }) => {
    for (let column = 1; column <= Math.max(...nodes.map((node) => node.column)); column += 1) {
      const level = nodes.flatMap((node, index) => (node.column === column ? [index] : []));
      const chips = level.filter((index) => !boxes[index].dot);
      assert.ok(chips.length >= Math.min(3, level.length));
      const least = Math.min(...chips.map((index) => nodes[index].rank));
      assert.ok(level.every((index) => !boxes[index].dot || nodes[index].rank <= least));
      if (level.length * 0.6 * field.row <= field.height) assert.equal(chips.length, level.length);
    }
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv, themed } from './figure.js';

test('a table is kept as CSV that neither breaks its columns nor runs in a spreadsheet', () => {
  const rows = [
    ['a "quoted", cell', 1.5],
    ['=cmd()', null],
    ['two\nlines', -2],
  ];
  assert.equal(
    csv({ columns: ['text', 'number'], rows }),
    'text,number\r\n"a ""quoted"", cell",1.5\r\n\'=cmd(),\r\n"two\nlines",-2\r\n',
  );
});

test('whiskers end where they are said to, and colours are the page’s', () => {
  const series = [
    { name: 'measured', x: [1, 2], y: [3, 5], low: [2, 4.5], high: [4, 7], kind: 'dots', colour: 'p' },
  ];
  const {
    data: [dots],
    layout,
  } = themed(
    { title: 't', says: 's', x: 'γ', y: 'tokens', series, marks: [{ x: 2, text: 'best' }] },
    (name) => `the ${name}`,
  );
  assert.deepEqual(
    [dots.error_y.array, dots.error_y.arrayminus, dots.marker.color],
    [[1, 2], [1, 0.5], 'the p'],
  );
  assert.deepEqual(
    [layout.shapes[0].x0, layout.annotations[0].text, layout.xaxis.title.text],
    [2, 'best', 'γ'],
  );
  assert.equal(
    layout.annotations[0].xanchor,
    'right',
    'beside a mark at the right edge the words stand to its left',
  );
});

test('panels stand side by side where there is room, each series in its own, and a level lies across', () => {
  const panels = [{ title: 'left' }, { y: 'right', level: 1 }];
  const series = [
    { panel: 0, kind: 'bars', x: ['A'], y: [0.5], labels: ['0.500'], colour: 'p' },
    { panel: 1, kind: 'bars', name: 'b', x: ['A'], y: [2], about: ['two'], colour: 'q' },
  ];
  const figure = { title: 't', says: 's', panels, least: 150, height: 100, series };
  const { data, layout } = themed(figure, (name) => name, 320);
  assert.deepEqual(
    data.map(({ xaxis, yaxis, text, customdata }) => [xaxis, yaxis, text, customdata]),
    [
      [undefined, undefined, ['0.500'], undefined],
      ['x2', 'y2', undefined, ['two']],
    ],
  );
  assert.deepEqual(
    [layout.grid.columns, layout.grid.rows, layout.height, layout.shapes.length, layout.shapes[0].yref],
    [2, 1, 100, 1, 'y2'],
  );
  assert.deepEqual(
    [layout.annotations[0].text, layout.yaxis2.title.text, layout.yaxis.showticklabels],
    ['left', 'right', false],
  );
  assert.deepEqual(
    [themed(figure, (name) => name, 200).layout.grid.rows, themed(figure, (name) => name, 90).layout.height],
    [2, 200],
  );
});

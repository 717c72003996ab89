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

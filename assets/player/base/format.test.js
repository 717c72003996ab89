import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  apart,
  bytes,
  count,
  duration,
  local,
  speakNumbers,
  factor,
  multiple,
  number,
  percent,
  raised,
  show,
  times,
} from './format.js';
import { csv, themed } from './figure.js';
import { linesOf, textsIn } from './typed.js';

test('numbers have three significant figures, however small', () => {
  assert.deepEqual(
    [0.8629, 0.00713, 0.000341, 0, 1, 12.345, null].map((value) => number(value)),
    ['0.863', '0.00713', '3.41×10⁻⁴', '0', '1', '12.3', '–'],
  );
});

test('a language writes numbers with its own marks', () => {
  const said = () => [
    count(20_000),
    number(0.8629),
    number(3.41e-4),
    times(1337),
    multiple(1.714),
    local('.,'),
  ];
  const english = said();
  try {
    assert.deepEqual(speakNumbers('de'), [',', '.']);
    assert.deepEqual(said(), ['20.000', '0,863', '3,41×10⁻⁴', '1.340', '1,71×', ',.']);
    speakNumbers('zh-Hans');
    assert.deepEqual(said(), english);
  } finally {
    speakNumbers('en-GB');
  }
});

test('a factor keeps its zeros', () => {
  assert.deepEqual([2.2988, 12.49, 1, 1337.2].map(times), ['2.30', '12.5', '1.00', '1,340']);
});

test('a speed-up has two decimals until they say nothing, a share up to three figures', () => {
  assert.deepEqual([0.957, 1.714, 12.345].map(factor), ['0.96', '1.71', '12.3']);
  assert.deepEqual([multiple(1.714), percent(0.5), percent(0.5128)], ['1.71×', '50 %', '51.3 %']);
  assert.deepEqual([raised(12), raised(-3)], ['¹²', '⁻³']);
});

test('a dart just below its line never prints as the line', () => {
  assert.deepEqual(apart(0.43101, 0.43104), ['0.43101', '0.43104']);
  assert.deepEqual(apart(0.5, 0.5), ['0.500', '0.500']);
});

test('bytes come in the unit that suits them', () => {
  assert.deepEqual([0, 512, 11e6, 3.07e8, 1.2e9, 2e15].map(bytes), [
    '0 B',
    '512 B',
    '11 MB',
    '307 MB',
    '1.2 GB',
    '2000 TB',
  ]);
});

test('nothing invisible and nothing that turns text round survives', () => {
  assert.equal(show(' a\n\tb'), '·a⏎⇥b');
  assert.equal(
    show('\u202Egnp\u200B\x1b[31m\u2066\uFEFF\u00A0'),
    '<U+202E>gnp<U+200B><U+001B>[31m<U+2066><U+FEFF><U+00A0>',
  );
  assert.equal(show('\u{E0041}\u2028'), '<U+E0041><U+2028>');
});

test('plain text of any script is left as it is', () => {
  for (const text of ['naïve', '日本', 'שלום', '😀', '<b>&amp;']) assert.equal(show(text), text);
});

test('a time is in milliseconds, a long one in seconds', () => {
  assert.deepEqual([0.8564, 24.2, 999.6, 7924.4, 11_151, 153_000].map(duration), [
    '0.856 ms',
    '24.2 ms',
    '1000 ms',
    '7,924 ms',
    '11.2 s',
    '153 s',
  ]);
});

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

test('texts come back from their lines, newlines, backslashes and spaces and all', () => {
  for (const texts of [[], ['END'], ['\n\n', ' ', '\\n', 'C:\\new', '\\'], ['a\u2028b', '```\n']])
    assert.deepEqual(textsIn(linesOf(texts)), texts);
});

test('a newline is typed as backslash n, and an empty line is no text', () => {
  assert.deepEqual(textsIn('one\\ntwo\n\n \nC:\\temp'), ['one\ntwo', ' ', 'C:\\temp']);
});

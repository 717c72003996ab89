import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { csv } from '../base/figure.js';
import { importTrace } from './file.js';
import { tableOf } from './table.js';

test('the table holds every guess and every token of the text, each at its place', () => {
  for (const name of ['tale-small-tree', 'code-ngram']) {
    const { trace } = importTrace(readFileSync(new URL(`../../traces/${name}.json`, import.meta.url)));
    const { columns, rows } = tableOf(trace);
    const at = (row, column) => row[columns.indexOf(column)];
    const kept = rows.filter((row) => ['accepted', 'resampled', 'bonus'].includes(at(row, 'became')));
    const length = trace.rounds.reduce((sum, { path, extra }) => sum + path.length + (extra ? 1 : 0), 0);
    assert.deepEqual(
      kept.map((row) => at(row, 'position')).sort((one, other) => one - other),
      Array.from({ length }, (_, index) => trace.prompt.length + index),
    );
    assert.equal(
      rows.length,
      trace.rounds.reduce((sum, { verdicts, extra }) => sum + verdicts.length + (extra ? 1 : 0), 0),
    );
    assert.equal(
      csv({ columns, rows }).split('\r\n').length,
      rows.length + 2,
      'a line for each row, none broken',
    );
  }
});

/**
 * worked.js: a worked example: change its numbers, read each line's formula and result.
 */

import { el, fill, write } from '../base/dom.js';
import { createTable } from '../tabs/parts.js';
import { words } from '../words/words.js';
import { EXAMPLES } from './sums-worked.js';

/** The example of that name, as a card. */
export function createWorked(name) {
  const texts = words.article.worked;
  const { fields: numbers, solve } = EXAMPLES[name];
  const fields = el('div', { 'data-sv': 'worked-fields' }, ...numbers.map(createField));
  const says = el('p', { 'data-sv': 'worked-says', 'aria-live': 'polite' });
  const wrong = el('p', { 'data-sv': 'worked-wrong', role: 'status' });
  const table = createTable('worked-table', texts.names[name], texts.columns);
  table.tHead.classList.add('s-unseen');
  fields.addEventListener('input', draw);
  draw();

  function draw() {
    const inputs = [...fields.querySelectorAll('input')];
    const valid = inputs.every((input) => input.checkValidity());
    write(wrong, valid ? '' : texts.invalid);
    if (!valid) return;
    const { lines, says: text } = solve(
      Object.fromEntries(inputs.map((input) => [input.name, input.valueAsNumber])),
    );
    fill(table.tBodies[0], lines, createLine, paintLine);
    write(says, text);
  }

  const look = { 'data-sv': 'card', 'data-card': 'worked', 'data-example': name };
  return el('div', look, el('h3', {}, texts.names[name]), fields, wrong, table, says);
}

function createField({ name, value, min, max, step }) {
  const [kind, index] = [name.replace(/\d$/, ''), name.match(/\d$/)?.[0]];
  const label = words.article.worked.fields[kind];
  return el(
    'label',
    {},
    el('span', {}, ...(index ? [label, el('sub', {}, index)] : [label])),
    el('input', { type: 'number', name, value, min, max, step: step === 1 ? 1 : 'any', required: true }),
  );
}

function createLine() {
  return el('tr', { 'data-sv': 'worked-line' }, el('th', { scope: 'row' }), el('td'), el('td', {}, el('b')));
}

function paintLine(row, { name, formula, value }) {
  const [title, how, result] = row.children;
  write(title, name);
  write(how, formula);
  write(result.firstElementChild, value);
}

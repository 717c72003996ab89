/**
 * draw.js: the worked examples: pick one, change its numbers, read each line's formula and result. A
 * published figure that does not recompute is struck through.
 */

import { button, el, fill, set, write } from '../../base/dom.js';
import { createTable } from '../parts.js';
import { words } from '../words.js';
import { EXAMPLES } from './sums-worked.js';

/** { node }. */
export function createWorked() {
  const texts = words.reason.worked;
  const picks = Object.keys(EXAMPLES).map((name) =>
    button({ 'data-sv': 'worked-pick', 'data-example': name }, () => show(name), texts.names[name]),
  );
  const fields = el('div', { 'data-sv': 'worked-fields' });
  const says = el('p', { 'data-sv': 'worked-says', 'aria-live': 'polite' });
  const wrong = el('p', { 'data-sv': 'worked-wrong', role: 'status' });
  const table = createTable('worked-table', '', texts.columns);
  table.tHead.classList.add('s-unseen');
  const node = el(
    'div',
    { 'data-sv': 'card', 'data-card': 'worked' },
    el('div', { 'data-sv': 'worked-picks', role: 'group', 'aria-label': texts.pick }, ...picks),
    fields,
    wrong,
    table,
    says,
  );
  fields.addEventListener('input', solve);
  let shown = null;
  show(Object.keys(EXAMPLES)[0]);

  /** An example with the numbers it comes with. */
  function show(name) {
    shown = EXAMPLES[name];
    picks.forEach((pick) => set(pick, { 'aria-pressed': String(pick.dataset.example === name) }));
    write(table.caption, texts.names[name]);
    set(node, { 'data-example': name });
    fields.replaceChildren(...shown.fields.map(createField));
    solve();
  }

  function solve() {
    const inputs = [...fields.querySelectorAll('input')];
    const valid = inputs.every((input) => input.checkValidity());
    write(wrong, valid ? '' : texts.invalid);
    if (!valid) return;
    const { lines, says: text } = shown.solve(
      Object.fromEntries(inputs.map((input) => [input.name, input.valueAsNumber])),
    );
    fill(table.tBodies[0], lines, createLine, paintLine);
    write(says, text);
  }

  return { node };
}

function createField({ name, value, min, max, step }) {
  const [kind, index] = [name.replace(/\d$/, ''), name.match(/\d$/)?.[0]];
  const label = words.reason.worked.fields[kind];
  return el(
    'label',
    {},
    el('span', {}, ...(index ? [label, el('sub', {}, index)] : [label])),
    el('input', { type: 'number', name, value, min, max, step: step === 1 ? 1 : 'any', required: true }),
  );
}

function createLine() {
  const printed = el('del', {}, el('span', { 'data-sv': 'unseen' }, words.reason.worked.printed), el('span'));
  return el(
    'tr',
    { 'data-sv': 'worked-line' },
    el('th', { scope: 'row' }),
    el('td'),
    el('td', {}, el('b'), printed),
  );
}

function paintLine(row, { name, formula, value, printed }) {
  const [title, how, result] = row.children;
  const [ours, theirs] = result.children;
  write(title, name);
  write(how, formula);
  write(ours, value);
  set(theirs, { hidden: printed === null });
  write(theirs.lastElementChild, printed ?? '');
}

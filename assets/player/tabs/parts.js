/**
 * parts.js: what the tabs are built of: cards, tables, choices, and buttons that can be locked.
 */

import { button, el, set, write } from '../base/dom.js';
import { createChart } from '../page/chart.js';

/** A card by its name; its label is read out. */
export function createCard(name, label, ...children) {
  return el('section', { 'data-sv': 'card', 'data-card': name, 'aria-label': label }, ...children);
}

/** Empty paragraphs by their names in data-sv. */
export function paragraphs(...names) {
  return names.map((name) => el('p', { 'data-sv': name }));
}

/** A table with an empty body. heads: texts, or cells where one needs more. */
export function createTitledTable(name, caption, heads) {
  return el(
    'table',
    { 'data-sv': name },
    el('caption', {}, caption),
    el('thead', {}, el('tr', {}, ...heads.map((head) => (head instanceof Node ? head : columnHead(head))))),
    el('tbody'),
  );
}

/** One whose caption is not seen. */
export function createTable(name, caption, heads) {
  const table = createTitledTable(name, caption, heads);
  table.caption.classList.add('s-unseen');
  return table;
}

export function columnHead(text, attributes = {}) {
  return el('th', { scope: 'col', ...attributes }, text);
}

/** Heads that are known by their columns' names. */
export function namedHeads(texts) {
  return Object.entries(texts).map(([name, text]) => columnHead(text, { 'data-column': name }));
}

/** A row of such a table, its cells empty; names: of the columns after the first. */
export function namedRow(attributes, names, ...head) {
  return el(
    'tr',
    attributes,
    el('th', { scope: 'row' }, ...head),
    ...names.map((name) => el('td', { 'data-column': name })),
  );
}

/** Writes the cells of a row after its head. */
export function writeCells(row, texts) {
  texts.forEach((text, index) => write(row.children[index + 1], text));
}

/** Charts by their names. */
export function createCharts(...names) {
  return Object.fromEntries(names.map((name) => [name, createChart(name)]));
}

/** A control under its name. */
export function labelled(text, ...controls) {
  return el('label', {}, el('span', {}, text), ...controls);
}

/** A button that does nothing while it is locked. */
export function lockable(attributes, act, ...children) {
  const node = button(attributes, () => node.hasAttribute('aria-disabled') || act(), ...children);
  return node;
}

export function lock(node, yes) {
  set(node, { 'aria-disabled': yes ? 'true' : null });
}

/** Keys pressed in a node's fields are theirs, not the stage's. */
export function keepKeys(node, fields) {
  node.addEventListener('keydown', (event) => {
    if (event.target.matches(fields)) event.stopPropagation();
  });
}

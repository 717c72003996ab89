/**
 * draw-cost.js: the cost panel: a table of formulas with a race's own numbers, and where it was timed.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { costLines, gapLine, siblingsLine } from './figures.js';
import { count, number } from '../../base/format.js';
import { createCard, createTable, paragraphs, writeCells } from '../parts.js';
import { words } from '../words.js';
import { sentences, tell } from '../../words/words.js';

/** { node, draw(race, costs) }. */
export function createCost() {
  const texts = words.race.cost;
  const unit = el('span', { 'data-sv': 'cost-unit' });
  const [siblings, gap, where] = paragraphs('cost-siblings', 'cost-gap', 'race-where');
  const table = createTable('cost-table', texts.caption, Object.values(texts.columns));
  table.tHead.classList.add('s-unseen');
  const heading = el('div', { 'data-sv': 'heading' }, el('h2', {}, texts.title), unit);
  const node = createCard('cost', texts.title, heading, table, siblings, gap, where);
  return {
    node,
    draw(race, costs) {
      write(unit, texts.unit({ time: number(costs.t1) }));
      fill(table.tBodies[0], costLines(costs), createLine, paintLine);
      write(siblings, siblingsLine(costs));
      set(siblings, { hidden: !costs.siblings });
      write(gap, gapLine(costs));
      write(where, whereLine(race));
    },
  };
}

function whereLine({ laps, where: { device, dtype, threads, forward, reason, recorded } }) {
  const texts = words.race;
  const pass = texts.forward({ name: forward, reason: tell(reason) });
  const place = texts.where({ device, dtype, threads: count(threads), forward: pass });
  return sentences([place, texts.laps({ laps: count(laps.length), when: recorded.slice(0, 10) })]);
}

function createLine() {
  return el('tr', { 'data-sv': 'cost' }, el('th', { scope: 'row' }, el('b'), el('span')), el('td'), el('td'));
}

function paintLine(node, { name, symbol, about, formula, value, text }) {
  const [title, explained] = node.firstElementChild.children;
  set(node, { 'data-name': name, 'data-value': value });
  write(title, symbol);
  write(explained, about);
  writeCells(node, [formula, text]);
}

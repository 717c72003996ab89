/**
 * draw-cost.js: the cost panel: a table of formulas with a race's own numbers, and where it was timed.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { costLines, gapLine, siblingsLine } from './figures.js';
import { count, number } from '../../base/format.js';
import { words } from '../words.js';
import { sentences, tell } from '../../words/words.js';

/** { node, draw(race, costs) }. */
export function createCost() {
  const texts = words.race.cost;
  const rows = el('tbody');
  const [unit, siblings, gap, where] = [
    el('span', { 'data-sv': 'cost-unit' }),
    el('p', { 'data-sv': 'cost-siblings' }),
    el('p', { 'data-sv': 'cost-gap' }),
    el('p', { 'data-sv': 'race-where' }),
  ];
  const table = el(
    'table',
    { 'data-sv': 'cost-table' },
    el('caption', {}, texts.caption),
    el(
      'thead',
      {},
      el('tr', {}, ...Object.values(texts.columns).map((text) => el('th', { scope: 'col' }, text))),
    ),
    rows,
  );
  const node = el(
    'section',
    { 'data-sv': 'card', 'data-card': 'cost', 'aria-label': texts.title },
    el('div', { 'data-sv': 'heading' }, el('h2', {}, texts.title), unit),
    table,
    siblings,
    gap,
    where,
  );
  return {
    node,
    draw({ laps: all, where: { device, dtype, threads, forward, reason, recorded } }, costs) {
      write(unit, texts.unit({ time: number(costs.t1) }));
      fill(rows, costLines(costs), createLine, paintLine);
      write(siblings, siblingsLine(costs));
      set(siblings, { hidden: !costs.siblings });
      write(gap, gapLine(costs));
      const place = words.race.where({
        device,
        dtype,
        threads: count(threads),
        forward: words.race.forward({ name: forward, reason: tell(reason) }),
      });
      write(
        where,
        sentences([place, words.race.laps({ laps: count(all.length), when: recorded.slice(0, 10) })]),
      );
    },
  };
}

function createLine() {
  return el('tr', { 'data-sv': 'cost' }, el('th', { scope: 'row' }, el('b'), el('span')), el('td'), el('td'));
}

function paintLine(node, { name, symbol, about, formula, value, text }) {
  const [title, how, result] = node.children;
  set(node, { 'data-name': name, 'data-value': value });
  write(title.firstElementChild, symbol);
  write(title.lastElementChild, about);
  write(how, formula);
  write(result, text);
}

/**
 * draw-rates.js: the acceptance rates of a run as a table, and the rules of thumb with its numbers.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { count, multiple, number, numbers } from '../../base/format.js';
import {
  createCard,
  createHeading,
  createTable,
  namedHeads,
  namedRow,
  paragraphs,
  writeCells,
} from '../parts.js';
import { mixture } from './sums-rates.js';
import { thumbsOf } from './sums-speedup.js';
import { words } from '../words.js';
import { sentences } from '../../words/words.js';

const NAMES = ['tested', 'drafted', 'emitted', 'overlap'];
/** The example of how far one alpha can mislead. */
const [EASY, HARD] = [0.95, 0.45];

/**
 * The rates.
 * @returns {{node: HTMLElement, draw: (counted: object, rolls: string, forks: boolean) => void}} rolls is what the rule
 * decides with, forks whether there were trees
 */
export function createRates() {
  const texts = words.alpha.rates;
  const table = createTable('rates', texts.caption, namedHeads(texts.columns));
  const [none, gamma, passes, note] = paragraphs('rates-none', 'rates-gamma', 'rates-passes', 'rates-note');
  write(note, texts.note);
  return {
    node: createCard('rates', texts.title, createHeading(texts.title), table, none, gamma, passes, note),
    draw(counted, rolls, forks) {
      const { tested, drafted, perPass } = counted;
      fill(
        table.tBodies[0],
        tested ? NAMES : [],
        (index) => createRow(NAMES[index]),
        (row, name) => paintRow(row, name, counted, rolls, forks),
      );
      [table, note].forEach((part) => set(part, { hidden: !tested }));
      set(none, { hidden: Boolean(tested) });
      write(none, drafted ? texts.untested : texts.none);
      write(gamma, gammaLine(counted));
      write(passes, texts.passes({ tokens: number(perPass.mean), reach: number(perPass.reach, 2) }));
    },
  };
}

function gammaLine({ gamma: { mean, low, high }, rounds }) {
  const range = low === high ? '' : words.alpha.range(numbers({ low, high }));
  return words.alpha.rates.gamma({ mean: number(mean), range, rounds: count(rounds) });
}

function createRow(name) {
  const [symbol, title, about] = words.alpha.rates.names[name];
  return namedRow(
    { 'data-rate': name },
    ['counts', 'value', 'interval'],
    el('b', {}, symbol ? `${symbol} = ${title}` : title),
    el('span', {}, about),
  );
}

function paintRow(row, name, { rates, overlap, tested }, rolls, forks) {
  const texts = words.alpha.rates;
  if (name === 'overlap') {
    const coupled = texts[rolls === 'threshold' ? 'typical' : 'coupled'];
    write(row.querySelector('span'), rolls === 'dice' ? texts.names.overlap[2] : coupled);
    set(row, { 'data-value': overlap });
    return writeCells(row, [texts.slots({ many: count(tested) }), number(overlap), '']);
  }
  const { part, whole, value, low, high } = rates[name];
  if (name === 'tested') write(row.querySelector('span'), forks ? texts.positions : texts.names.tested[2]);
  set(row, { 'data-value': value });
  const counts = texts.counts({ part: count(part), whole: count(whole) });
  return writeCells(row, [counts, number(value), texts.interval(numbers({ low, high }))]);
}

/**
 * The rules of thumb.
 * @returns {{node: HTMLElement, draw: (counted: object, sizes: {raced: ?number, best: ?object}) => void}} raced is the
 * race's speed-up, best the sweep's best point
 */
export function createThumbs() {
  const texts = words.alpha.thumbs;
  const table = createTable('thumbs', texts.title, Object.values(texts.columns));
  const [measured, mixed] = paragraphs('thumbs-measured', 'thumbs-mixed');
  const node = createCard('thumbs', texts.title, createHeading(texts.title), table, measured, mixed);
  return {
    node,
    draw(counted, sizes) {
      set(node, { hidden: !counted.tested });
      if (!counted.tested) return;
      fill(table.tBodies[0], Object.entries(thumbsOf(counted)), createThumb, paintThumb);
      write(measured, measuredLine(sizes));
      const example = mixture(EASY, HARD, counted.gamma.usual);
      write(mixed, words.alpha.tokens.mixture({ ...numbers(example), gamma: counted.gamma.usual }));
    },
  };
}

function createThumb() {
  return el('tr', {}, el('th', { scope: 'row' }, el('b'), el('span')), el('td'), el('td'));
}

function paintThumb(row, [name, { gamma, value, ...rates }]) {
  const [formula, says, leavesOut] = words.alpha.thumbs.rows[name];
  set(row, { 'data-thumb': name, 'data-value': value });
  const [rule, explained] = row.firstElementChild.children;
  write(rule, formula);
  write(explained, says({ gamma, ...numbers(rates) }));
  writeCells(row, [multiple(value), leavesOut]);
}

function measuredLine({ raced, best }) {
  const texts = words.alpha.thumbs.measured;
  const said = [
    ...(raced ? [texts.raced({ times: multiple(raced) })] : []),
    ...(best ? [texts.swept({ times: multiple(best.speedup.mean), gamma: best.gamma })] : []),
  ];
  return sentences(said) || texts.none;
}

/**
 * draw-rates.js: the acceptance rates of a run as a table, and the rules of thumb with its numbers.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { count, multiple, number } from '../../base/format.js';
import { mixture } from './sums-rates.js';
import { thumbsOf } from './sums-speedup.js';
import { words } from '../words.js';
import { sentences } from '../../words/words.js';

const NAMES = ['tested', 'drafted', 'emitted', 'overlap'];
/** The example of how far one alpha can mislead. */
const [EASY, HARD] = [0.95, 0.45];

/**
 * The rates: { node, draw(rates, rolls, forks): what the rule decides with, and whether there were trees }.
 */
export function createRates() {
  const texts = words.alpha.rates;
  const rows = el('tbody');
  const table = el(
    'table',
    { 'data-sv': 'rates' },
    el('caption', {}, texts.caption),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        ...Object.entries(texts.columns).map(([name, text]) =>
          el('th', { scope: 'col', 'data-column': name }, text),
        ),
      ),
    ),
    rows,
  );
  const [gamma, passes, note, none] = [
    el('p', { 'data-sv': 'rates-gamma' }),
    el('p', { 'data-sv': 'rates-passes' }),
    el('p', { 'data-sv': 'rates-note' }, texts.note),
    el('p', { 'data-sv': 'rates-none' }),
  ];
  const node = el(
    'section',
    { 'data-sv': 'card', 'data-card': 'rates', 'aria-label': texts.title },
    el('div', { 'data-sv': 'heading' }, el('h3', {}, texts.title)),
    table,
    none,
    gamma,
    passes,
    note,
  );
  return {
    node,
    draw(counted, rolls, forks) {
      const {
        rates,
        overlap,
        gamma: { mean, low, high },
        perPass,
        rounds,
        tested,
        drafted,
      } = counted;
      fill(
        rows,
        tested ? NAMES : [],
        (index) => createRow(NAMES[index]),
        (row, name) =>
          name === 'overlap' ? paintOverlap(row, overlap, tested, rolls) : paintRow(row, rates[name]),
      );
      if (tested)
        write(rows.firstElementChild.querySelector('span'), forks ? texts.positions : texts.names.tested[2]);
      [table, note].forEach((part) => set(part, { hidden: !tested }));
      set(none, { hidden: Boolean(tested) });
      write(none, drafted ? texts.untested : texts.none);
      write(
        gamma,
        texts.gamma({
          mean: number(mean),
          range: low === high ? '' : words.alpha.range({ low: number(low), high: number(high) }),
          rounds: count(rounds),
        }),
      );
      write(passes, texts.passes({ tokens: number(perPass.mean), reach: number(perPass.reach, 2) }));
    },
  };
}

function createRow(name) {
  const [symbol, title, about] = words.alpha.rates.names[name];
  return el(
    'tr',
    { 'data-rate': name },
    el('th', { scope: 'row' }, el('b', {}, symbol ? `${symbol} = ${title}` : title), el('span', {}, about)),
    ...['counts', 'value', 'interval'].map((column) => el('td', { 'data-column': column })),
  );
}

function paintRow(row, { part, whole, value, low, high }) {
  const texts = words.alpha.rates;
  paint(row, value, [
    texts.counts({ part: count(part), whole: count(whole) }),
    number(value),
    texts.interval({ low: number(low), high: number(high) }),
  ]);
}

function paintOverlap(row, overlap, tested, rolls) {
  const texts = words.alpha.rates;
  write(
    row.querySelector('span'),
    rolls === 'dice' ? texts.names.overlap[2] : texts[rolls === 'threshold' ? 'typical' : 'coupled'],
  );
  paint(row, overlap, [texts.slots({ many: count(tested) }), number(overlap), '']);
}

function paint(row, value, cells) {
  set(row, { 'data-value': value });
  cells.forEach((text, index) => write(row.children[index + 1], text));
}

/**
 * The rules of thumb: { node, draw(rates, { raced, best }) }, raced being the race's speed-up and best the
 * sweep's best point, or null.
 */
export function createThumbs() {
  const texts = words.alpha.thumbs;
  const rows = el('tbody');
  const [measured, mixed] = [
    el('p', { 'data-sv': 'thumbs-measured' }),
    el('p', { 'data-sv': 'thumbs-mixed' }),
  ];
  const table = el(
    'table',
    { 'data-sv': 'thumbs' },
    el('caption', {}, texts.title),
    el(
      'thead',
      {},
      el('tr', {}, ...Object.values(texts.columns).map((text) => el('th', { scope: 'col' }, text))),
    ),
    rows,
  );
  const node = el(
    'section',
    { 'data-sv': 'card', 'data-card': 'thumbs', 'aria-label': texts.title },
    el('div', { 'data-sv': 'heading' }, el('h3', {}, texts.title)),
    table,
    measured,
    mixed,
  );
  return {
    node,
    draw(counted, { raced, best }) {
      set(node, { hidden: !counted.tested });
      if (!counted.tested) return;
      const thumbs = thumbsOf(counted);
      const numbers = {
        most: { gamma: thumbs.most.gamma },
        refused: { gamma: thumbs.refused.gamma, refusal: number(thumbs.refused.refusal) },
        price: { kept: number(thumbs.price.kept), drafted: number(thumbs.price.drafted) },
      };
      fill(
        rows,
        Object.keys(numbers),
        () => el('tr', {}, el('th', { scope: 'row' }, el('b'), el('span')), el('td'), el('td')),
        (row, name) => {
          const [formula, here, leaves] = texts.rows[name];
          set(row, { 'data-thumb': name, 'data-value': thumbs[name].value });
          const [rule, says, out] = row.children;
          write(rule.firstElementChild, formula);
          write(rule.lastElementChild, here(numbers[name]));
          write(says, multiple(thumbs[name].value));
          write(out, leaves);
        },
      );
      const said = [
        ...(raced ? [texts.measured.raced({ times: multiple(raced) })] : []),
        ...(best ? [texts.measured.swept({ times: multiple(best.speedup.mean), gamma: best.gamma })] : []),
      ];
      write(measured, sentences(said) || texts.measured.none);
      const gamma = counted.gamma.usual;
      const { mean, tokens, predicted, counted: seen, atCounted } = mixture(EASY, HARD, gamma);
      write(
        mixed,
        words.alpha.tokens.mixture({
          gamma,
          mean: number(mean),
          tokens: number(tokens),
          predicted: number(predicted),
          counted: number(seen),
          atCounted: number(atCounted),
        }),
      );
    },
  };
}

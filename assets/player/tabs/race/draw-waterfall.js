/**
 * draw-waterfall.js: from the most a round could yield down to the measured speed-up, a bar a step.
 */

import { el, fill, portion, save, set, write } from '../../base/dom.js';
import { csv } from '../../base/figure.js';
import { number } from '../../base/format.js';
import { createSaveMenu } from '../../page/chart.js';
import { printed } from './sums-waterfall.js';
import { words } from '../words.js';

/**
 * The waterfall: { node, draw(steps, race, forks) }. A bar a step, from where it begins to where it ends;
 * kept as a table, or with the race it is of.
 */
export function createWaterfall() {
  const { fall } = words.race;
  const [about, list] = [el('p'), el('ol', { 'data-sv': 'fall-steps' })];
  let shown = null;
  const keeps = createSaveMenu(words.chart.keeps, {
    csv: () => save('specviz-race.csv', csv(tableOf(shown.steps))),
    json: () => save('specviz-race.json', JSON.stringify(shown, null, 1)),
  });
  const node = el(
    'section',
    { 'data-sv': 'race-fall', 'aria-label': fall.title },
    el('header', {}, about, keeps),
    list,
  );
  return {
    node,
    draw(steps, race, forks) {
      shown = { steps, race };
      const top = Math.max(...steps.flatMap(({ from, to }) => [from, to]));
      const start = steps[0].from;
      write(about, fall.about({ gamma: number(start - 1), ceiling: number(start), forks }));
      fill(list, rowsOf(steps), createRow, (row, step) => paintRow(row, step, top));
    },
  };
}

function tableOf(steps) {
  return { columns: ['step', 'from', 'to'], rows: steps.map(({ name, from, to }) => [name, from, to]) };
}

/** The steps between what they begin and end with: [{ name, title, low, high, gain, text, mend }]. */
function rowsOf(steps) {
  const { fall, times } = words.race;
  const end = (name, title, level) => ({
    ...{ name, title, low: 0, high: level, gain: false, mend: '' },
    text: times({ factor: printed(level).toFixed(2) }),
  });
  return [
    end('start', fall.start[steps[0].name], steps[0].from),
    ...steps.map(rowOf),
    end('end', fall.end, steps.at(-1).to),
  ];
}

function rowOf({ name, from, to }) {
  const { steps, lost, gained, free } = words.race.fall;
  const [title, mend] = steps[name];
  const change = printed(to) - printed(from);
  const value = Math.abs(change).toFixed(2);
  return {
    name,
    title,
    low: Math.min(from, to),
    high: Math.max(from, to),
    gain: to > from,
    text: change ? (to < from ? lost : gained)({ value }) : value,
    mend: change < 0 ? mend : (free[name] ?? free.other),
  };
}

function createRow() {
  const bar = el('span', { 'data-sv': 'fall-track' }, el('i'));
  return el('li', {}, el('b'), bar, el('span', { 'data-sv': 'fall-value' }), el('small'));
}

function paintRow(row, { name, title, low, high, gain, text, mend }, top) {
  const [label, track, value, note] = row.children;
  set(row, { 'data-step': name, 'data-low': low, 'data-high': high, 'data-gain': gain });
  write(label, title);
  const style = `left: ${portion(low / top)}; width: ${portion((high - low) / top)}`;
  set(track.firstElementChild, { style });
  write(value, text);
  write(note, mend);
}

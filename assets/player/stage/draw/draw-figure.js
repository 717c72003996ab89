/**
 * draw-figure.js: p against q at one position, a row a token: bars laid over each other.
 * Bars are at the ruler's own scale, or a stated multiple of it, so that a part keeps its width on its
 * way down.
 */

import { button, el, fill, portion, set, write } from '../../base/dom.js';
import { count, number } from '../../base/format.js';
import { hold, maths, writeToken } from './draw-words.js';
import { placeMark } from './draw-chip.js';
import { fold, markOf, room, zoom } from '../round/fold.js';
import { reachOf } from '../round/rolls.js';
import { words } from '../words.js';
import { said } from '../../words/words.js';

const { look } = words;

const LEGENDS = {
  q: [['q', 'onlyQ']],
  p: [['p', 'onlyP']],
  both: [
    ['overlap', 'overlap'],
    ['p', 'p'],
    ['q', 'q'],
  ],
  residual: [
    ['left', 'left'],
    ['overlap', 'overlap'],
    ['q', 'q'],
  ],
  argmax: [
    ['overlap', 'overlap'],
    ['p', 'p'],
    ['q', 'q'],
  ],
};
LEGENDS.noise = [
  ['p', 'scoreP'],
  ['q', 'scoreQ'],
];
LEGENDS.apart = [
  ['p', 'onlyP'],
  ['q', 'onlyQ'],
];
LEGENDS.rolled = [
  ['overlap', 'stayed'],
  ['p', 'replaced'],
  ['before', 'aim'],
  ['noise', 'chance'],
];
LEGENDS.cold = [...LEGENDS.apart, ['raw', 'raw']];

/** The figure's elements; roll() hears the button that rolls with its p and q. */
export function figureParts(roll) {
  const title = el('h2', { 'data-sv': 'title' });
  const legend = el('ul', { 'data-sv': 'legend' });
  const heads = el(
    'div',
    { 'data-sv': 'heads', role: 'row' },
    el('span', { role: 'columnheader' }),
    el(
      'span',
      { 'data-sv': 'bar', role: 'presentation', 'aria-hidden': 'true' },
      el('span', { 'data-sv': 'scale' }),
    ),
    ...['p', 'q'].map((kind) =>
      el(
        'span',
        { 'data-sv': 'value', 'data-kind': kind, role: 'columnheader' },
        ...maths(look.columns[kind]),
      ),
    ),
  );
  const bars = el('div', { 'data-sv': 'bars', role: 'rowgroup' });
  const rows = el('div', { 'data-sv': 'rows', role: 'table', 'aria-label': look.figure }, heads, bars);
  const sum = el('div', { 'data-sv': 'sum' });
  const rolls = button({ 'data-sv': 'roll' }, roll, words.hand.roll);
  const figure = el(
    'div',
    { 'data-sv': 'figure', 'data-part': 'figure' },
    el('div', { 'data-sv': 'fighead' }, title, legend, rolls),
    el('div', { 'data-sv': 'figbody' }, rows, sum),
  );
  return { figure, title, legend, rolls, rows, heads, bars, sum };
}

/** Writes the parts that need no measuring: title, legend, heads; moves: whether the guess is tested by a number. */
export function drawFigureHead(parts, figure, moves) {
  set(parts.rolls, { hidden: !moves || figure.mixed });
  set(parts.figure, {
    'data-mode': figure?.mode ?? 'none',
    'data-overlap': figure?.overlap ?? null,
    'data-left': figure?.left ?? null,
  });
  const weighed = Boolean(figure?.weight) && figure.mode !== 'q';
  const [noisy, rolled] = ['noise', 'rolled'].map((mode) => figure?.mode === mode);
  const mixed = figure?.mixed ? 'mixed' : null;
  const named = rolled ? 'rolled' : noisy ? 'noise' : weighed ? 'weighed' : figure?.primed ? 'primed' : mixed;
  const texts = look.title[{ q: 'q', p: 'p' }[figure?.mode] ?? named ?? 'both'];
  hold(parts.heads.children[2], named, () => maths(look.columns[named ?? 'p']));
  const second = rolled ? 'p' : noisy ? 'noiseQ' : 'q';
  hold(parts.heads.children[3], second, () => maths(look.columns[second]));
  hold(parts.title, figure ? [figure.mode, named, figure.title] : null, () =>
    figure
      ? [
          ...maths(texts),
          el(
            'span',
            { 'data-after': '' },
            figure.title?.after ? look.after({ text: figure.title.after, now: figure.title.now ?? '' }) : '',
          ),
        ]
      : [],
  );
  const keys = figure ? (LEGENDS[figure.cold ? 'cold' : figure.mode] ?? LEGENDS.both) : [];
  const changed = figure?.changed;
  hold(parts.legend, [keys, changed, mixed], () => [
    ...keys.map(([kind, words]) =>
      el('li', { 'data-kind': kind }, ...maths(said(look.legend[words], { name: mixed ? 'v' : 'p' }))),
    ),
    ...(changed ? [el('li', { 'data-kind': 'before' }, ...maths(look.legend.before({ by: changed })))] : []),
    ...(mixed ? [el('li', { 'data-kind': 'before' }, ...maths(look.legend.own))] : []),
  ]);
}

/** Measures the room for the rows, in pixels, once all else is written. */
export function measureFigure({ heads, bars }, ruler) {
  return {
    height: bars.clientHeight,
    type: parseFloat(getComputedStyle(bars).fontSize),
    area: heads.children[1].clientWidth,
    ruler: ruler.clientWidth,
  };
}

/** Writes the rows for which there is room. */
export function placeFigure(parts, figure, { height, type, area, ruler }) {
  const rows = figure ? fold(figure.rows, room(height, type, figure.mode, figure.forks)) : [];
  // where no number is drawn there is no ruler, and the bars have all the room
  const ruled = ruler > 0;
  const times = ruled
    ? zoom(figure?.outright ? rows.map((row) => ({ ...row, q: 0 })) : rows, area, ruler)
    : 1;
  const widest = Math.max(
    ...rows.filter(({ rest }) => !rest).map(({ p, q, before }) => Math.max(p ?? 0, q ?? 0, before ?? 0)),
    1e-9,
  );
  const unit = ruled ? (times * ruler) / Math.max(1, area) : 1 / widest;
  placeScale(
    parts.heads.children[1].firstElementChild,
    figure?.mode === 'noise' || !rows.length ? null : unit,
  );
  const first = rows.findIndex(({ token }) => figure.framed?.includes(token));
  set(parts.rows, {
    'data-shows-p': rows.some(({ p }) => p !== null),
    'data-shows-q': rows.some(({ q }) => q !== null),
    'data-times': times,
  });
  fill(parts.bars, rows, createRow, (node, row, index) => paintRow(node, row, figure, unit, index === first));
}

/** A line through the rows where a share would end, with its number; unit: of the room, what 1 takes. */
function placeScale(node, unit) {
  const mark = unit === null ? null : markOf(1 / unit);
  write(node, mark === null ? '' : number(mark, 1));
  set(node, { hidden: mark === null, style: mark === null ? null : `left: ${portion(mark * unit)}` });
}

function createRow() {
  const value = (kind) => el('span', { 'data-sv': 'value', 'data-kind': kind, role: 'cell' });
  return el(
    'div',
    { 'data-sv': 'row', role: 'row' },
    el('span', { 'data-sv': 'label', role: 'rowheader', dir: 'ltr' }),
    el(
      'span',
      { 'data-sv': 'bar', role: 'presentation', 'aria-hidden': 'true' },
      ...['raw-p', 'raw-q', 'guess', 'overlap', 'p', 'q', 'cut', 'was', 'before', 'noise'].map((kind) =>
        el('i', { 'data-kind': kind }),
      ),
      el('b'),
      el('em'),
    ),
    value('p'),
    value('q'),
  );
}

/** A token's text, or how many tokens are summed in the last row. */
function paintLabel(label, { rest, label: text, count: many }) {
  if (!rest) {
    writeToken(label, text);
    set(label, { title: text.length > 14 ? text : null });
    return;
  }
  const words = many === undefined ? [text] : look.others({ many: count(many) });
  hold(label, ['rest', words], () => maths(words));
  set(label, { title: null });
}

function paintRow(node, row, { framed, same, mode }, unit, first) {
  const [label, bar, ...values] = node.children;
  const [rawP, rawQ, guess, overlap, excess, surplus, cut, was, before, noise, mark, equal] = bar.children;
  const frame = (framed ?? []).includes(row.token) && row.token !== null;
  paintLabel(label, row);
  set(node, {
    'data-token-id': row.token,
    'data-p': row.p,
    'data-q': row.q,
    'data-overlap': row.overlap,
    'data-residual': row.residual,
    'data-rest': row.rest ? 'true' : null,
    'data-drafted': Boolean(row.drafted),
    'data-emitted': Boolean(row.emitted),
    'data-focus': Boolean(row.focus),
    'data-framed': frame,
    'data-gone': row.gone,
    'data-score': row.score,
    'data-before': row.before ?? null,
  });
  set(label, { 'data-order': row.order ?? null });
  const both = row.overlap !== null && row.overlap !== undefined;
  const shared = both ? row.overlap : 0;
  const [more, less] = row.wide
    ? [row.wide.p, row.wide.q]
    : [both ? row.residual : (row.p ?? 0), both ? Math.max(0, row.q - row.overlap) : (row.q ?? 0)];
  const at = (share) => Math.min(1, share * (row.wide ? 1 : unit));
  const part = (element, from, to) =>
    set(element, {
      style: `left: ${portion(at(from))}; width: ${portion(at(to) - at(from))}`,
      hidden: to - from < 1e-12,
    });
  part(rawP, 0, row.raw?.p ?? 0);
  part(rawQ, 0, row.raw?.q ?? 0);
  part(guess, 0, both ? row.q : 0);
  part(overlap, 0, shared);
  part(excess, shared, shared + more);
  part(surplus, shared, shared + less);
  part(was, 0, row.was > (row.p ?? 0) ? row.was : 0);
  part(before, 0, row.wide?.before ?? row.before ?? 0);
  const reach = mode === 'rolled' ? reachOf(row.before) : 0;
  part(noise, reach && Math.max(0, row.before - reach), reach && row.before + reach);
  set(cut, { hidden: row.wide || (shared + Math.max(more, less)) * unit <= 1.0001 });
  placeMark(mark, row.dart === null || row.dart === undefined ? null : at(row.dart));
  const says = first && same !== null;
  write(equal, says ? look.same[same ? 0 : 1] : '');
  set(equal, { hidden: !says, 'data-same': Boolean(same) });
  [row.p, row.q].forEach((value, index) =>
    write(values[index], row.says?.[index] ?? (value === null || value === undefined ? '' : number(value))),
  );
  const told = { p: values[0].textContent, was: number(row.before ?? 0) };
  set(values[0], { 'aria-label': row.before === undefined || reach ? null : look.before(told) });
}

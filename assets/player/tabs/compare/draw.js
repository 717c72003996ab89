/**
 * draw.js: lanes side by side: what their texts say of each other, the texts position under position, what
 * each cost.
 */

import { createChart } from '../../page/chart.js';
import { costFigure, rowOf } from './figures.js';
import { across, judgements } from './sums.js';
import { along, el, fill, set, write } from '../../base/dom.js';
import { explainRefusal } from '../../page/refusal.js';
import { described, words } from '../words.js';

const painted = new WeakMap();
const GLYPHS = { equal: '=', different: '≠', same: '≈', none: '·' };

/**
 * { node, draw(lanes, ended) }: lanes: [{ letter, lane, tokens, cells, cost, refused }], tokens null until
 * it is decoded, refused the reason why it will not be, or null; ended says that no more will come.
 */
export function createComparison() {
  const texts = words.compare;
  const nothing = el('p', { 'data-sv': 'compare-nothing' }, texts.nothing);
  const said = el('div', { 'data-sv': 'compare-said', role: 'status' });
  const [ribbons, table, chart] = [createRibbons(), createTable(), createChart('compare')];
  const costs = el('div', { 'data-sv': 'compare-costs' }, table.node, chart.node);
  const found = el('div', { 'data-sv': 'compare-found', hidden: true }, ribbons.node, said, costs);
  const node = el(
    'section',
    { 'data-sv': 'card', 'data-card': 'comparison', 'aria-label': texts.ribbons },
    nothing,
    found,
  );
  return {
    node,
    draw(lanes, ended) {
      set(nothing, { hidden: lanes.length > 0 });
      set(found, { hidden: !lanes.length, 'data-ended': ended });
      if (!lanes.length) return;
      const decoded = lanes.filter(({ tokens }) => tokens);
      const judged = ended ? judgements(decoded) : [];
      const marked = judged.map(({ at }) => at).filter((at) => at !== null);
      fill(said, judged, createJudgement, paintJudgement);
      ribbons.draw(lanes, marked, ended);
      set(costs, { hidden: !decoded.length });
      table.draw(decoded);
      chart.draw(decoded.length ? costFigure(decoded, ended) : null);
      if (marked.length) ribbons.reach(marked[0]);
    },
  };
}

function createJudgement() {
  return el('div', { 'data-sv': 'judgement' }, el('b', { 'aria-hidden': 'true' }), el('p', {}, el('strong')));
}

function paintJudgement(node, { kind, sentence, at }) {
  set(node, { 'data-verdict': kind, 'data-differs': at });
  write(node.firstElementChild, GLYPHS[kind]);
  write(node.querySelector('strong'), sentence);
}

/**
 * The texts as a grid, a row a lane, a column a position; the position under the pointer or the focus is
 * lit in every lane.
 */
function createRibbons() {
  const texts = words.compare;
  const [heads, rows] = [el('tr', {}, el('th', { scope: 'col' }, texts.laneHead)), el('tbody')];
  const grid = el('table', { role: 'grid', 'aria-label': texts.ribbons }, el('thead', {}, heads), rows);
  const room = el('div', { 'data-sv': 'compare-ribbons' }, grid);
  const reading = el('p', { 'data-sv': 'compare-reading' });
  let shown = [];
  const column = (position) =>
    [heads.children[position + 1], ...[...rows.children].map((row) => row.children[position + 1])].filter(
      (cell) => cell && !cell.matches('[colspan]'),
    );
  room.addEventListener('mouseover', ({ target }) => place(target) !== null && light(place(target)));
  room.addEventListener('mouseleave', () => light(place(document.activeElement)));
  grid.addEventListener('focusin', ({ target }) => stop(target));
  grid.addEventListener('keydown', (event) => walk(event, rows));

  /** One tab stop: the token that has the focus, or had it last. */
  function stop(cell) {
    if (place(cell) === null) return;
    grid.querySelectorAll('td[tabindex="0"]').forEach((each) => set(each, { tabindex: -1 }));
    set(cell, { tabindex: 0 });
    light(place(cell));
  }

  function light(position) {
    grid.querySelectorAll('[data-lit]').forEach((cell) => cell.removeAttribute('data-lit'));
    const at = across(shown, position);
    if (position === null || !at.length) {
      write(reading, texts.point);
      return;
    }
    column(position).forEach((cell) => cell.setAttribute('data-lit', ''));
    reading.replaceChildren(
      texts.reading({ position: position + 1 }),
      ...at.flatMap(([letter, token]) => [
        ' ',
        el('b', {}, letter),
        ` ${token ? token.label : words.compare.ended}`,
      ]),
    );
  }

  return {
    node: el('div', { 'data-sv': 'compare-texts' }, room, reading),
    draw(lanes, marked, ended) {
      shown = lanes;
      const longest = Math.max(0, ...lanes.map(({ tokens }) => tokens?.length ?? 0));
      fill(
        heads,
        [null, ...Array(longest).keys()],
        () => el('th', { scope: 'col' }),
        (cell, position) => {
          if (position === null) return;
          write(cell, String(position + 1));
        },
      );
      fill(
        rows,
        lanes,
        () => el('tr', {}, el('th', { scope: 'row' }, el('b'), el('span'))),
        (row, lane) => paintLane(row, lane, longest, ended),
      );
      grid.querySelectorAll('[data-differs]').forEach((cell) => cell.removeAttribute('data-differs'));
      marked.flatMap(column).forEach((cell) => cell.setAttribute('data-differs', ''));
      const cells = [...grid.querySelectorAll('td[data-position]')];
      if (cells.length && !cells.some(({ tabIndex }) => tabIndex === 0)) set(cells[0], { tabindex: 0 });
      light(place(document.activeElement));
    },
    reach(position) {
      const [head] = column(position);
      room.scrollLeft = head.offsetLeft - room.clientWidth / 2;
    },
  };
}

/** The position of the token that an element belongs to, or null. */
function place(target) {
  const cell = target.closest('td[data-position]');
  return cell && Number(cell.dataset.position);
}

/** Arrow keys move the focus from token to token. */
function walk(event, rows) {
  const step = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    Home: [0, -Infinity],
    End: [0, Infinity],
  }[event.key];
  const cell = event.target.closest('td[data-position]');
  if (!step || !cell || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation(); // or the run on stage would step
  const lines = [...rows.children].filter((row) => row.querySelector('td[data-position]'));
  const row = along(lines, lines.indexOf(cell.parentElement), step[0]);
  const cells = [...row.querySelectorAll('td[data-position]')];
  along(cells, Number(cell.dataset.position), step[1]).focus();
}

function paintLane(row, { letter, lane, tokens, refused }, longest, ended) {
  const texts = words.compare;
  const [name, ...others] = row.children;
  set(row, { 'data-lane': letter, 'data-refused': refused !== null });
  write(name.firstElementChild, letter);
  write(name.lastElementChild, described(lane));
  if (!tokens) {
    painted.delete(row);
    others.forEach((cell) => cell.remove());
    row.append(
      el(
        'td',
        { colspan: Math.max(1, longest), 'data-sv': 'lane-note' },
        el(
          'span',
          {},
          refused === null ? texts.pending[ended ? 'left' : 'waits'] : explainRefusal(refused).text,
        ),
      ),
    );
    return;
  }
  if (painted.get(row) === tokens) return; // or a token that has the focus would lose it
  painted.set(row, tokens);
  others.forEach((cell) => cell.remove());
  row.append(
    ...tokens.map(({ text, label, state, id, starts }, position) =>
      el(
        'td',
        {
          'data-position': position,
          'data-starts': starts,
          tabindex: -1,
          'data-token-id': id,
          'aria-label': label,
          dir: 'ltr',
        },
        el('span', { 'data-look': state }, text),
      ),
    ),
  );
}

/** What each lane cost, as a table. */
function createTable() {
  const { table: caption, columns, timed } = words.compare;
  const rows = el('tbody');
  const table = el(
    'table',
    { 'data-sv': 'compare-table' },
    el('caption', {}, caption),
    el('thead', {}, el('tr', {}, ...Object.values(columns).map((text) => el('th', { scope: 'col' }, text)))),
    rows,
  );
  return {
    node: el('div', { 'data-sv': 'compare-numbers' }, table, el('p', {}, timed)),
    draw: (lanes) =>
      fill(rows, lanes, createRow, (row, { letter, cost }) => {
        set(row, {
          'data-lane': letter,
          'data-time': cost.time,
          'data-alpha': cost.alpha,
          'data-wasted': cost.wasted,
        });
        Object.values(rowOf(letter, cost)).forEach((text, index) => write(row.children[index], text));
      }),
  };
}

function createRow() {
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }),
    ...Object.keys(words.compare.columns)
      .slice(1)
      .map((column) => el('td', { 'data-column': column })),
  );
}

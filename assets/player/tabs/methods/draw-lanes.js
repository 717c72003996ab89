/**
 * draw-lanes.js: lanes beside each other: what their texts say of each other, the texts position under
 * position, what each cost.
 */

import { across, judgements } from './sums-lanes.js';
import { along, el, fill, set, write } from '../../base/dom.js';
import { explainRefusal } from '../../page/refusal.js';
import { count, number } from '../../base/format.js';
import { columnHead, createCard, createTable, namedRow, writeCells } from '../parts.js';
import { words } from '../words.js';

const painted = new WeakMap();
const GLYPHS = { equal: '=', different: '≠', same: '≈', none: '·' };

/**
 * { node, draw(lanes, ended) }: lanes: see sums-lanes.js, tokens null until it is decoded, refused the reason
 * why it will not be, or null; ended says that no more will come.
 */
export function createComparison() {
  const texts = words.compare;
  const said = el('div', { 'data-sv': 'compare-said', role: 'status' });
  const [ribbons, counts] = [createRibbons(), createCounts()];
  const node = createCard('comparison', texts.ribbons, ribbons.node, said, counts.node);
  return {
    node,
    draw(lanes, ended) {
      set(node, { hidden: !lanes.length, 'data-ended': ended });
      const decoded = lanes.filter(({ tokens }) => tokens);
      const judged = ended && lanes.length ? judgements(decoded) : [];
      const marked = judged.map(({ at }) => at).filter((at) => at !== null);
      fill(said, judged, createJudgement, paintJudgement);
      ribbons.draw(lanes, marked, ended);
      counts.draw(decoded);
      if (marked.length) ribbons.scrollTo(marked[0]);
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
  const { laneHead, ribbons } = words.compare;
  const [heads, rows] = [el('tr', {}, columnHead(laneHead)), el('tbody')];
  const grid = el('table', { role: 'grid', 'aria-label': ribbons }, el('thead', {}, heads), rows);
  const scroller = el('div', { 'data-sv': 'compare-ribbons' }, grid);
  const reading = el('p', { 'data-sv': 'compare-reading' });
  let lanes = [];
  scroller.addEventListener(
    'mouseover',
    ({ target }) => positionOf(target) !== null && light(positionOf(target)),
  );
  scroller.addEventListener('mouseleave', lightFocus);
  grid.addEventListener('focusin', ({ target }) => stopAt(target));
  grid.addEventListener('keydown', (event) => walk(event, rows));

  /** One tab stop: the token that has the focus, or had it last. */
  function stopAt(cell) {
    if (positionOf(cell) === null) return;
    grid.querySelectorAll('td[tabindex="0"]').forEach((each) => set(each, { tabindex: -1 }));
    set(cell, { tabindex: 0 });
    lightFocus();
  }

  function light(position) {
    const at = position === null ? [] : across(lanes, position);
    mark('data-lit', at.length ? [position] : []);
    paintReading(reading, position, at);
  }

  function lightFocus() {
    light(positionOf(document.activeElement));
  }

  /** Marks the cells of these positions, and no others. */
  function mark(attribute, positions) {
    grid.querySelectorAll(`[${attribute}]`).forEach((cell) => cell.removeAttribute(attribute));
    const cells = positions.flatMap((position) => cellsAt(heads, rows, position));
    cells.forEach((cell) => cell.setAttribute(attribute, ''));
  }

  return {
    node: el('div', { 'data-sv': 'compare-texts' }, scroller, reading),
    draw(shown, differing, ended) {
      lanes = shown;
      const longest = Math.max(0, ...lanes.map(({ tokens }) => tokens?.length ?? 0));
      const positions = Array.from({ length: longest }, (_, position) => String(position + 1));
      fill(heads, [laneHead, ...positions], () => columnHead(''), write);
      fill(rows, lanes, createRibbon, (row, lane) => paintLane(row, lane, longest, ended));
      mark('data-differs', differing);
      const first = grid.querySelector('td[data-position]');
      if (first && !grid.querySelector('td[tabindex="0"]')) set(first, { tabindex: 0 });
      lightFocus();
    },
    scrollTo(position) {
      const [head] = cellsAt(heads, rows, position);
      scroller.scrollLeft = head.offsetLeft - scroller.clientWidth / 2;
    },
  };
}

/** The cells of a position, its head first. */
function cellsAt(heads, rows, position) {
  return [heads, ...rows.children]
    .map((row) => row.children[position + 1])
    .filter((cell) => cell && !cell.matches('[colspan]'));
}

function createRibbon() {
  return el('tr', {}, el('th', { scope: 'row' }, el('b'), el('span')));
}

/** What every lane wrote at a position; without tokens, that one can be pointed at. */
function paintReading(node, position, tokens) {
  const { reading, ended, point } = words.compare;
  if (!tokens.length) return write(node, point);
  const said = tokens.flatMap(([letter, token]) => [
    ' ',
    el('b', {}, letter),
    ` ${token ? token.label : ended}`,
  ]);
  return node.replaceChildren(reading({ position: position + 1 }), ...said);
}

/** The position of the token that an element belongs to, or null. */
function positionOf(target) {
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

function paintLane(row, { letter, title, tokens, refused }, longest, ended) {
  const texts = words.compare;
  const [name, ...others] = row.children;
  set(row, { 'data-lane': letter, 'data-refused': refused !== null });
  write(name.firstElementChild, letter);
  write(name.lastElementChild, title);
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

/** What each lane cost, as a table; how fast a method is, the table of all says. */
function createCounts() {
  const { table: caption, columns } = words.compare;
  const table = createTable('compare-table', caption, Object.values(columns));
  const names = Object.keys(columns).slice(1);
  return {
    node: table,
    draw(lanes) {
      set(table, { hidden: !lanes.length });
      fill(table.tBodies[0], lanes, () => namedRow({}, names), paintCounts);
    },
  };
}

function paintCounts(
  row,
  { letter, title, tokens, counts: { tested, accepted, passes, rolled_back: wasted } },
) {
  const { alpha, perPass } = words.compare.cells;
  const [made, kept] = [tokens.length, tested ? accepted / tested : null];
  set(row, { 'data-lane': letter, 'data-alpha': kept, 'data-wasted': wasted });
  write(row.firstElementChild, `${letter} ${title}`);
  writeCells(row, [
    tested ? alpha({ alpha: number(kept), kept: count(accepted), tested: count(tested) }) : number(null),
    perPass({ perPass: number(made / passes), made: count(made), passes: count(passes) }),
    count(wasted),
  ]);
}

/**
 * draw-table.js: the methods as a table that can be sorted; each row runs its method.
 */

import { bytes, multiple, number } from '../../base/format.js';
import { button, el, fill, portion, set, write } from '../../base/dom.js';
import { columnHead, createTable, keepKeys } from '../parts.js';
import { COLUMNS, lossOf, sorted } from './sums.js';
import { needOf } from '../../page/methods.js';
import { words } from '../words.js';

/** What a method needs, in the column that says so. */
function needsOf(entry) {
  const need = needOf(entry);
  return need === 'nothing' ? words.methods.nothing : words.methods.needs[need];
}

const NAMES = ['name', 'tokens', 'speedup', 'why', 'alpha', 'cost', 'memory', 'needs', 'exact'];
/** The most rows that are compared. */
const MOST = 4;

/**
 * want: { sort(column), run(row), choose(rows): up to MOST, to be compared }. { node, draw(rows, { kind, column,
 * way }), choose(names) }: rows as tab.js makes them.
 */
export function createMethodTable(want) {
  const texts = words.overview;
  const heads = NAMES.map((name) => createHead(name, want.sort));
  const table = createTable('methods-table', '', heads);
  let chosen = []; // names of methods, in the order in which they were chosen
  keepKeys(table, 'input');
  const choose = ({ name }, yes) => {
    chosen = [...chosen.filter((each) => each !== name), ...(yes ? [name] : [])].slice(-MOST);
    const rows = [...table.tBodies[0].children];
    for (const row of rows) row.querySelector('input').checked = chosen.includes(row.shows.name);
    want.choose(chosen.map((each) => rows.find(({ shows }) => shows.name === each).shows));
  };
  const look = { 'data-sv': 'methods-scroll', tabindex: 0, role: 'region', 'aria-label': texts.question };
  return {
    node: el('div', look, table),
    choose(names) {
      chosen = [];
      names.forEach((name) => choose({ name }, true));
    },
    draw(rows, { kind, column, way }) {
      const speedups = rows.flatMap(({ kinds }) =>
        Object.values(kinds ?? {}).map((result) => result?.speedup ?? 0),
      );
      const most = 1.04 * Math.max(1, ...speedups);
      write(table.caption, texts.caption({ kind }));
      for (const head of heads) {
        const order = head.dataset.column === column ? (way > 0 ? 'ascending' : 'descending') : 'none';
        set(head, { 'aria-sort': head.dataset.column && order });
      }
      fill(
        table.tBodies[0],
        sorted(rows, column, way),
        () => createRow(want.run, choose),
        (row, item) => paintRow(row, item, { kind, most, chosen: chosen.includes(item.name) }),
      );
    },
  };
}

function createHead(name, sort) {
  const { columns, hints, sort: label } = words.overview;
  const title = hints[name] ?? null;
  if (!COLUMNS[name]) return columnHead(columns[name], { title });
  const column = columns[name];
  const pick = button(
    { 'data-sv': 'methods-sort', 'aria-label': label({ column }) },
    () => sort(name),
    column,
  );
  return columnHead(pick, { title, 'data-column': name });
}

function createRow(onRun, choose) {
  const run = button({ 'data-sv': 'methods-run' }, () => onRun(row.shows));
  const pick = el('input', { type: 'checkbox' });
  pick.addEventListener('change', () => choose(row.shows, pick.checked));
  const row = el(
    'tr',
    { 'data-sv': 'methods-row' },
    el('th', { scope: 'row' }, pick, run),
    el('td'),
    el('td', {}, el('b'), el('span', { 'data-sv': 'methods-strip', role: 'img' }), el('small')),
    ...NAMES.slice(3, -1).map((column) => el('td', { 'data-column': column })),
    el('td', {}, el('span'), el('small')),
  );
  return row;
}

/** most: the largest speed-up of the whole table, where every row's strip ends. */
function paintRow(row, item, { kind, most, chosen }) {
  const texts = words.overview;
  const { title, result, plain } = item;
  const [name, tokens, speedup, why, alpha, cost, memory, needs, exact] = row.children;
  row.shows = item;
  set(row, {
    'data-plain': plain,
    'data-slower': Boolean(result && result.high < 1),
    'data-missing': !result,
  });
  const [pick, button] = name.children;
  write(button, title);
  set(pick, { 'aria-label': texts.choose({ name: title }), disabled: plain || Boolean(item.lacks) });
  pick.checked = chosen;
  set(button, {
    disabled: plain || Boolean(item.lacks),
    title: plain ? null : item.lacks || texts.run({ name: title }),
  });
  write(tokens, result ? number(result.tokens) : item.lacks || item.refused || texts.missing);
  const [big, strip, small] = speedup.children;
  write(big, result ? multiple(result.speedup) : '');
  write(
    small,
    result && !plain ? texts.range({ low: multiple(result.low), high: multiple(result.high) }) : '',
  );
  paintStrip(strip, item, kind, most);
  write(why, plain || !result ? '' : whyLine(item, kind));
  write(alpha, result && result.alpha !== null ? number(result.alpha) : texts.nothing);
  write(cost, result ? texts.steps({ value: number(result.cost) }) : texts.nothing);
  write(memory, result ? bytes(result.memory) : texts.nothing);
  write(needs, plain ? texts.nothing : needsOf(item.entry));
  const [verdict, tried] = exact.children;
  write(
    verdict,
    plain || item.exact?.holds
      ? texts.exact
      : item.exact || !item.rule.lossless
        ? texts.lossy
        : texts.untried,
  );
  write(
    tried,
    item.exact
      ? texts.tried({ ...item.exact, p: item.exact.p_value === null ? null : number(item.exact.p_value) })
      : '',
  );
}

/** Why a method loses here, and where it would win; empty where it wins. */
function whyLine({ result, kinds, entry }, kind) {
  const { why } = words.overview;
  const loss = lossOf(result);
  if (!loss) return '';
  const wins = Object.keys(kinds).filter((each) => !['all', kind].includes(each) && kinds[each]?.low > 1);
  const steps = { drafting: result.drafting, wider: result.check, own: result.own }[loss];
  return (
    why[loss]({ tokens: number(result.tokens), steps: number(steps) }) +
    (wins.length
      ? why.here({ kinds: wins.map((each) => words.overview.kinds.names[each]) })
      : why.where[loss === 'few' && entry.family in why.where ? entry.family : loss])
  );
}

/** Where each kind of text is between no speed-up and the largest of all. */
function paintStrip(strip, { kinds, plain }, kind, most) {
  const there =
    plain || !kinds ? [] : Object.entries(kinds).filter(([name, result]) => name !== 'all' && result);
  set(strip, {
    hidden: !there.length,
    'aria-label': there
      .map(([name, { speedup }]) => `${words.overview.kinds.names[name]} ${multiple(speedup)}`)
      .join(', '),
  });
  fill(
    strip,
    there,
    () => el('i'),
    (mark, [name, { speedup }]) => {
      set(mark, { 'data-kind': name, 'data-chosen': name === kind || kind === 'all' });
      mark.style.left = portion(speedup / most);
    },
  );
  strip.style.setProperty('--plain', portion(1 / most));
}

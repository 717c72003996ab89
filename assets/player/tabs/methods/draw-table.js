/**
 * draw-table.js: the methods as a table that can be sorted; each row runs its method.
 */

import { bytes, multiple, number } from '../../base/format.js';
import { el, fill, portion, set, write } from '../../base/dom.js';
import { COLUMNS } from './sums.js';
import { needOf } from '../../page/methods.js';
import { words } from '../words.js';

/** What a method needs, in the column that says so. */
function needsOf(entry) {
  const need = needOf(entry);
  return need === 'nothing' ? words.methods.nothing : words.methods.needs[need];
}

const NAMES = ['name', 'tokens', 'speedup', 'alpha', 'cost', 'memory', 'needs', 'exact'];

/**
 * want: { sort(column), run(row) }. { node, draw(rows, kind, column, way) }: rows as tab.js makes them, in
 * order.
 */
export function createTable(want) {
  const texts = words.overview;
  const caption = el('caption', { 'data-sv': 'unseen' });
  const heads = NAMES.map((name) => createHead(name, want));
  const body = el('tbody');
  const node = el(
    'div',
    { 'data-sv': 'methods-scroll', tabindex: 0, role: 'region', 'aria-label': texts.question },
    el('table', { 'data-sv': 'methods-table' }, caption, el('thead', {}, el('tr', {}, ...heads)), body),
  );
  return {
    node,
    draw(rows, kind, column, way) {
      const most =
        1.04 *
        Math.max(
          1,
          ...rows.flatMap(({ kinds }) => Object.values(kinds ?? {}).map((found) => found?.speedup ?? 0)),
        );
      write(caption, texts.caption({ kind }));
      heads.forEach((head) =>
        set(head, {
          'aria-sort': head.dataset.column
            ? head.dataset.column === column
              ? way > 0
                ? 'ascending'
                : 'descending'
              : 'none'
            : null,
        }),
      );
      fill(
        body,
        rows,
        () => createRow(want),
        (row, item) => paintRow(row, item, kind, most),
      );
    },
  };
}

function createHead(name, want) {
  const texts = words.overview;
  if (!COLUMNS[name])
    return el('th', { scope: 'col', title: texts.hints[name] ?? null }, texts.columns[name]);
  const button = el(
    'button',
    { type: 'button', 'data-sv': 'methods-sort', 'aria-label': texts.sort({ column: texts.columns[name] }) },
    texts.columns[name],
  );
  button.addEventListener('click', () => want.sort(name));
  return el('th', { scope: 'col', title: texts.hints[name] ?? null, 'data-column': name }, button);
}

function createRow(want) {
  const run = el('button', { type: 'button', 'data-sv': 'methods-run' });
  const row = el(
    'tr',
    { 'data-sv': 'methods-row' },
    el('th', { scope: 'row' }, run),
    el('td'),
    el('td', {}, el('b'), el('small'), el('span', { 'data-sv': 'methods-strip', role: 'img' })),
    ...NAMES.slice(3, -1).map(() => el('td')),
    el('td', {}, el('span'), el('small')),
  );
  run.addEventListener('click', () => want.run(row.shows));
  return row;
}

/** most: the largest speed-up of the whole table, where every row's strip ends. */
function paintRow(row, item, kind, most) {
  const texts = words.overview;
  const { title, found, plain } = item;
  const [name, tokens, speedup, alpha, cost, memory, needs, exact] = row.children;
  row.shows = item;
  set(row, {
    'data-plain': plain,
    'data-slower': Boolean(found && found.speedup < 1),
    'data-missing': !found,
  });
  const button = name.firstElementChild;
  write(button, title);
  set(button, {
    disabled: plain || Boolean(item.lacks),
    title: plain ? null : item.lacks || texts.run({ name: title }),
  });
  write(tokens, found ? number(found.tokens) : item.lacks || item.refused || texts.missing);
  const [big, small, strip] = speedup.children;
  write(big, found ? multiple(found.speedup) : '');
  write(small, found && !plain ? texts.range({ low: multiple(found.low), high: multiple(found.high) }) : '');
  paintStrip(strip, item, kind, most);
  write(alpha, found && found.alpha !== null ? number(found.alpha) : texts.nothing);
  write(cost, found ? texts.steps({ value: number(found.cost) }) : texts.nothing);
  write(memory, found ? bytes(found.memory) : texts.nothing);
  write(needs, plain ? texts.nothing : needsOf(item.entry));
  const [verdict, why] = exact.children;
  write(
    verdict,
    plain || item.exact?.holds
      ? texts.exact
      : item.exact || !item.rule.lossless
        ? texts.lossy
        : texts.untried,
  );
  write(
    why,
    item.exact
      ? texts.tried({ ...item.exact, p: item.exact.p_value === null ? null : number(item.exact.p_value) })
      : '',
  );
}

/** Where each kind of text stands between no speed-up and the largest of all. */
function paintStrip(strip, { kinds, plain }, kind, most) {
  const there =
    plain || !kinds ? [] : Object.entries(kinds).filter(([name, found]) => name !== 'all' && found);
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

/**
 * chart.js: a chart of a tab: a title, a sentence that says what it shows, the picture and a menu that
 * saves it. Plotly, which comes with the first of them, draws it. It reads markup, so only our own text
 * enters it.
 */

import { isDark } from './gradio.js';
import { along, el, save, set, write } from '../base/dom.js';
import { csv, themed } from '../base/figure.js';
import { words } from '../words/words.js';

const SIZE = { width: 1200, height: 675 };

/** Plotly; its file is 5 MB, so it comes when it is needed. */
const plotly = () => import('./plotly.js').then(() => window.Plotly);

/**
 * name: of its files and its data-chart. { node, draw(figure) }; figure, see figure.js, or null for none.
 * It is drawn again when the page turns light or dark, and fits whatever room its place gives it.
 */
export function createChart(name) {
  const texts = words.chart;
  const [title, sentence] = [el('h3'), el('p', { 'data-sv': 'chart-says' })];
  const picture = el('div', { 'data-sv': 'chart-picture', role: 'img' });
  const image = (format) => async () =>
    (await plotly()).downloadImage(picture, { format, filename: `specviz-${name}`, ...SIZE });
  const keeps = createSaveMenu(texts.keeps, {
    png: image('png'),
    svg: image('svg'),
    csv: () => save(`specviz-${name}.csv`, 'text/csv', csv(shown.table)),
    json: () => save(`specviz-${name}.json`, 'application/json', JSON.stringify(shown.raw, null, 1)),
  });
  const node = el(
    'figure',
    { 'data-sv': 'chart', 'data-chart': name, hidden: true },
    el('figcaption', {}, title, keeps, sentence),
    picture,
  );
  let shown = null;
  let drawn = null; // the data of the picture on show, so that an unchanged one is not drawn again
  const look = () => shown && show();
  new ResizeObserver(look).observe(picture);
  new MutationObserver(look).observe(document.body, { attributeFilter: ['class'] });

  async function show() {
    const width = picture.clientWidth;
    const size = parseFloat(getComputedStyle(picture).fontSize);
    const least = parseFloat(getComputedStyle(picture).minHeight) || 0;
    const made = [isDark(), width, size, least].join();
    if (!width || (drawn?.shown === shown && drawn.made === made)) return;
    const anew = drawn?.width !== width || drawn.size !== size;
    drawn = { shown, made, width, size };
    const { data, layout } = themed(
      shown,
      (colour) => getComputedStyle(document.body).getPropertyValue(`--sv-${colour}`).trim(),
      width,
      size,
    );
    // Plotly measures its place only once, and keeps the margin that a legend had at another width
    await (
      await plotly()
    )[anew ? 'newPlot' : 'react'](
      picture,
      data,
      { ...layout, width, height: Math.max(layout.height, least) },
      { displayModeBar: false, responsive: false },
    );
  }

  return {
    node,
    draw(figure) {
      shown = figure;
      set(node, { hidden: !figure });
      if (!figure) return;
      write(title, figure.title);
      write(sentence, figure.says);
      set(picture, { 'aria-label': `${figure.title}. ${figure.says}` });
      show();
    },
  };
}

/** The formats a chart can be saved in, behind one button: an ARIA menu. acts: { format: what saves it }. */
export function createSaveMenu(label, acts) {
  const { keep } = words.chart;
  const items = Object.entries(acts).map(([kind, act]) => {
    const item = el(
      'button',
      { type: 'button', role: 'menuitem', tabindex: -1, 'data-sv': 'chart-keep', 'data-kind': kind },
      keep({ kind: kind.toUpperCase() }),
    );
    item.addEventListener('click', () => {
      show(false);
      act();
    });
    return item;
  });
  const button = el(
    'button',
    {
      type: 'button',
      'data-sv': 'chart-more',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      'aria-label': label,
      title: label,
    },
    '⋯',
  );
  const menu = el('div', { role: 'menu', 'aria-label': label, hidden: true }, ...items);
  const node = el('div', { 'data-sv': 'chart-keeps' }, button, menu);

  function show(open, at = 0) {
    set(menu, { hidden: !open });
    set(button, { 'aria-expanded': String(open) });
    (open ? items.at(at) : button).focus();
  }

  button.addEventListener('click', () => show(menu.hidden));
  node.addEventListener('focusout', ({ relatedTarget }) => {
    if (menu.hidden || node.contains(relatedTarget)) return;
    set(menu, { hidden: true });
    set(button, { 'aria-expanded': 'false' });
  });
  node.addEventListener('keydown', (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    const open = !menu.hidden;
    if (!way && !(open && event.key === 'Escape') && ![' ', 'Enter'].includes(event.key)) return;
    event.stopPropagation(); // the key is meant for the menu alone
    if (open && event.key === 'Escape') show(false);
    if (!way) return;
    event.preventDefault();
    if (open) along(items, items.indexOf(document.activeElement), way).focus();
    else show(true, way < 0 ? -1 : 0);
  });
  return node;
}

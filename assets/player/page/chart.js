/**
 * chart.js: a chart of a tab: a title, a sentence that says what it shows, the picture and a menu that
 * saves it. Plotly, which comes with the first of them, draws it. It reads markup, so only our own text
 * enters it.
 */

import { isDark } from './gradio.js';
import { button, el, save, set, write } from '../base/dom.js';
import { csv, themed } from '../base/figure.js';
import { createMenu } from './menu.js';
import { words } from '../words/words.js';

const SIZE = { width: 1200, height: 675 };

/** Plotly; its file is 5 MB, so it comes when it is needed. */
const plotly = () => import('./plotly.js').then(() => window.Plotly);

function colourOf(name) {
  return getComputedStyle(document.body).getPropertyValue(`--sv-${name}`).trim();
}

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
    csv: () => save(`specviz-${name}.csv`, csv(shown.table)),
    json: () => save(`specviz-${name}.json`, JSON.stringify(shown.raw, null, 1)),
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
  document.addEventListener('toggle', look, true); // of a bar that opens, inside which it was not drawn

  // One picture after the other: while Plotly comes, or draws, a newer figure waits, and is the one that stays.
  let turn = Promise.resolve();
  function show() {
    turn = turn.then(paint, paint);
  }

  async function paint() {
    const library = await plotly();
    const width = picture.clientWidth;
    const { fontSize, fontFamily, minHeight } = getComputedStyle(picture);
    const [size, least] = [parseFloat(fontSize), parseFloat(minHeight) || 0];
    const made = [isDark(), width, size, least].join();
    if (!shown || !picture.checkVisibility() || (drawn?.shown === shown && drawn.made === made)) return;
    // Plotly measures its place only once, and keeps the margin that a legend had at another width
    const draw = drawn?.width === width && drawn.size === size ? 'react' : 'newPlot';
    drawn = { shown, made, width, size };
    const { data, layout } = themed(shown, colourOf, width, size, fontFamily);
    const place = { ...layout, width, height: Math.max(layout.height, least) };
    await library[draw](picture, data, place, { displayModeBar: false, responsive: false });
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

/** The formats a chart can be saved in, behind one button. acts: { format: what saves it }. */
export function createSaveMenu(label, acts) {
  const items = Object.entries(acts).map(([kind, act]) => {
    const look = { role: 'menuitem', 'data-sv': 'chart-keep', 'data-kind': kind };
    const run = () => [menu.close(), act()];
    return button(look, run, words.chart.keep({ kind: kind.toUpperCase() }));
  });
  const look = { 'aria-haspopup': 'menu', 'aria-expanded': 'false', 'aria-label': label, title: label };
  const opener = button({ 'data-sv': 'chart-more', ...look }, () => menu.toggle(), '⋯');
  const node = el('div', { 'data-sv': 'chart-keeps' }, opener);
  const menu = createMenu(node, el('div', { 'aria-label': label }, ...items), () => opener);
  opener.addEventListener('keydown', (event) => {
    const way = { ArrowDown: 0, ArrowUp: -1 }[event.key];
    if (way === undefined && ![' ', 'Enter'].includes(event.key)) return;
    event.stopPropagation(); // the key is meant for the menu alone
    if (way === undefined) return;
    event.preventDefault();
    menu.toggle();
    items.at(way).focus();
  });
  return node;
}

/**
 * chart.js: a chart of the lab: a title, the sentence that says what it shows, the picture, and ways to keep it. The
 * picture is Plotly's, which the page's own charts bring. No text but ours and numbers enters it: Plotly reads markup.
 */

import { isDark } from './gradio.js';
import { el, set, write } from '../base/dom.js';
import { csv, themed } from '../base/figure.js';
import { words } from './words.js';

const SIZE = { width: 1200, height: 675 };

/** Plotly, as soon as the page has it. */
async function plotly() {
  while (!window.Plotly) await new Promise(requestAnimationFrame);
  return window.Plotly;
}

/**
 * name: of its files and its data-chart. { node, draw(figure) }; figure, see figure.js, or null for none. It is drawn
 * again when the page turns light or dark, and fits whatever room its place gives it.
 */
export function createChart(name) {
  const texts = words.chart;
  const [title, sentence] = [el('h3'), el('p', { 'data-sv': 'chart-says' })];
  const picture = el('div', { 'data-sv': 'chart-picture', role: 'img' });
  const keep = (kind, act) => {
    const button = el('button', { type: 'button', 'data-sv': 'chart-keep', 'data-kind': kind, 'aria-label': texts.keep(kind) }, kind.toUpperCase());
    button.addEventListener('click', act);
    return button;
  };
  const image = (format) => keep(format, async () => (await plotly()).downloadImage(picture, { format, filename: `specviz-${name}`, ...SIZE }));
  const keeps = el('div', { 'data-sv': 'chart-keeps', role: 'group', 'aria-label': texts.keeps },
    image('png'), image('svg'), keep('csv', () => save(`specviz-${name}.csv`, 'text/csv', csv(shown.table))),
    keep('json', () => save(`specviz-${name}.json`, 'application/json', JSON.stringify(shown.raw, null, 1))));
  const node = el('figure', { 'data-sv': 'chart', 'data-chart': name, hidden: true }, el('figcaption', {}, title, sentence, keeps), picture);
  let shown = null;
  let drawn = null; // what the picture was made of, to leave alone what has not changed
  const look = () => shown && show();
  new ResizeObserver(look).observe(picture);
  new MutationObserver(look).observe(document.body, { attributeFilter: ['class'] });

  async function show() {
    const width = picture.clientWidth;
    const made = [shown, isDark(), width].map(String).join();
    if (!width || (drawn?.shown === shown && drawn.made === made)) return;
    const anew = drawn?.width !== width;
    drawn = { shown, made, width };
    const { data, layout } = themed(shown, (colour) => getComputedStyle(document.body).getPropertyValue(`--sv-${colour}`).trim(), width);
    // Plotly itself measures its place only the first time, and keeps the margin a legend had at another width
    await (await plotly())[anew ? 'newPlot' : 'react'](picture, data, { ...layout, width }, { displayModeBar: false, responsive: false });
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

function save(name, type, text) {
  const link = el('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

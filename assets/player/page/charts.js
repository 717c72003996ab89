/**
 * charts.js: the two Plotly charts under the stage. The server draws them; the player says when, marks the
 * round, names them for those who cannot see them, and fits their type and their panels to the window.
 */

import { set } from '../base/dom.js';
import { isDark } from './gradio.js';
import { served } from '../base/words.js';

/** Milliseconds between redraws in a live run: each costs the browser more than many beats. */
const EVERY = 5000;
/** Milliseconds without a change before charts out of sight are drawn: the stage comes first. */
const OUT_OF_SIGHT = 4000;
/** Milliseconds the playhead rests before the charts' line follows it. */
const SETTLES = 150;
/** In windows narrower than this a chart's panels stand one under the other. */
const NARROW = 900;
/** Shares of a chart's height, or width, for its panels, and heights in lines of its type. */
const BESIDE = {
  'xaxis.domain': [0, 0.62],
  'yaxis.domain': [0, 1],
  'xaxis2.domain': [0.7, 1],
  'yaxis2.domain': [0, 1],
};
const UNDER = {
  'xaxis.domain': [0, 1],
  'yaxis.domain': [0.56, 1],
  'xaxis2.domain': [0, 1],
  'yaxis2.domain': [0, 0.36],
};
const LINES = { beside: 21, under: 36 };

/**
 * ask(request) asks the page for charts. Returns { show(trace, roundNow), mark(round), forget() }: show has
 * a run's charts drawn, at once when the run is complete and the charts are in sight, else now and then;
 * mark moves their line; forget drops what was still to be drawn.
 */
export function createCharts(ask) {
  let lastAsk = 0;
  let timer = 0;
  let wanted = null; // what is still to be drawn, and when if it is seen
  let marking = 0;
  let marked = null;
  let seen = false;
  const place = document.getElementById('sv-charts');
  new MutationObserver(() => plots().forEach(furnish)).observe(place, { childList: true, subtree: true });
  window.addEventListener('resize', () => plots().forEach(furnish));
  new IntersectionObserver(([{ isIntersecting }]) => {
    seen = isIntersecting;
    if (wanted) plan();
  }).observe(place);

  function plan() {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        const { run, roundNow } = wanted;
        wanted = null;
        lastAsk = Date.now();
        ask({ run, dark: isDark(), round: roundNow() });
      },
      Math.max(wanted.at - Date.now(), seen ? 0 : OUT_OF_SIGHT),
    );
  }

  return {
    show({ run, stop }, roundNow) {
      wanted = { run, roundNow, at: stop ? 0 : lastAsk + EVERY };
      plan();
    },
    mark(round) {
      if (round === marked) return;
      marked = round;
      clearTimeout(marking);
      marking = setTimeout(
        () =>
          plots().forEach((plot) => {
            const lines = (plot.layout?.shapes ?? []).flatMap((_, index) => [
              [`shapes[${index}].x0`, round + 1],
              [`shapes[${index}].x1`, round + 1],
            ]);
            if (lines.length) window.Plotly?.relayout(plot, Object.fromEntries(lines));
          }),
        SETTLES,
      );
    },
    forget() {
      clearTimeout(timer);
      wanted = null;
      lastAsk = 0;
      marked = null;
    },
  };
}

const plots = () => document.querySelectorAll('.sv-chart .js-plotly-plot');

/** Gives a chart that was just drawn its name, its one tab stop, and type that fits the window. */
function furnish(plot) {
  const { layout } = plot;
  if (!layout?.meta || !window.Plotly) return;
  set(plot, { role: 'img', tabindex: 0, 'aria-label': served(layout.meta.says) });
  const type = typeSize();
  const narrow = window.innerWidth < NARROW;
  const key = `${type} ${narrow}`;
  if (layout.meta.fits === key) return;
  if (!layout.meta.fits) translate(plot);
  layout.meta.fits = key;
  const split = layout.xaxis2 !== undefined;
  window.Plotly.relayout(plot, {
    'font.family': getComputedStyle(document.querySelector('[data-sv="stage"]')).fontFamily,
    'font.size': type,
    'title.font.size': type + 2,
    'legend.font.size': type,
    'hoverlabel.font.size': type,
    'xaxis.title.font.size': type,
    'margin.l': 3 * type,
    'margin.t': 3 * type,
    'margin.b': (narrow ? 7.5 : 5.5) * type,
    height: type * (narrow && split ? LINES.under : LINES.beside),
    ...(split
      ? { ...(narrow ? UNDER : BESIDE), 'xaxis2.title.font.size': type, 'annotations[0].font.size': type + 2 }
      : {}),
  });
}

/** Puts what the server wrote on a chart into the page's language. */
function translate(plot) {
  const names = plot.data.map(({ name }) => name && served(name));
  if (plot.data.every(({ name }, index) => name === names[index])) return;
  const { title, xaxis, xaxis2, annotations: [panel] = [] } = plot.layout;
  window.Plotly.update(
    plot,
    {
      name: names,
      hovertemplate: plot.data.map(({ hovertemplate: text }) => text?.replace(/^round\b/, served('round'))),
    },
    {
      'title.text': served(title.text),
      'xaxis.title.text': served(xaxis.title.text),
      ...(xaxis2 ? { 'xaxis2.title.text': served(xaxis2.title.text) } : {}),
      ...(panel ? { 'annotations[0].text': served(panel.text) } : {}),
    },
  );
}

/** Pixels: the root's own size scales with the window. */
function typeSize() {
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.round(window.innerWidth < NARROW ? 14 : Math.max(16, 0.85 * root));
}

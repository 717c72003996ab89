/**
 * figure.js: what a chart of the lab is made of, and how it becomes a picture. Pure.
 * A figure: { title, says: what it shows, in a sentence made from its numbers; x, y: names of the axes;
 * series: [{ name, x, y, kind: 'line' | 'dots' | 'bars' | 'steps' | 'points' | 'text' | 'area', colour: a
 * --sv-* name, dash, low, high: ends of whiskers, about: text under the pointer, point by point }]; marks:
 * [{ x, text, colour }]: upright lines; table: { columns, rows }; raw: what is kept as JSON; points and
 * text have labels and their places, points their symbols, and left and right, the ends of level whiskers;
 * panels: [{ title, y, level }]: several pictures, each at least `least` px wide, a series says which is
 * its, `panel`; level is where a line lies across; labels: written over bars, whose axis then needs no
 * numbers; ylog, height; xaxis, yaxis: what else Plotly is to know of them }.
 */

import { local } from './format.js';

/** The text size in px that heights are given for; larger text makes a picture taller in proportion. */
const SIZE = 14;

/** From this width on, points have their names beside them. */
const NAMED = 640;

/**
 * A figure as Plotly's data and layout, `width` px wide, text `size` px. colour(name) gives the page's
 * colour of that name.
 */
export function themed(figure, colour, width, size = SIZE, family = '') {
  const ink = colour('ink');
  const axis = { gridcolor: colour('line'), linecolor: colour('axis'), zeroline: false, automargin: true };
  const scale = size / SIZE;
  const spread = figure.panels && panelled(figure, axis, colour, width, size);
  return {
    data: figure.series.map((series) => trace(series, colour, width >= NAMED * scale)),
    layout: {
      template: 'none',
      separators: local('.,'),
      paper_bgcolor: colour('panel'),
      plot_bgcolor: colour('panel'),
      font: { family, size, color: ink },
      margin: { l: 56 * scale, r: 14, t: 8, b: 44 * scale },
      height: scale * (figure.height ?? 300),
      barmode: 'group',
      hovermode: 'closest',
      hoverlabel: { bgcolor: colour('background'), bordercolor: colour('axis'), font: { color: ink, size } },
      showlegend: figure.series.filter(({ name }) => name).length > 1,
      legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom' },
      xaxis: { ...axis, title: { text: figure.x, standoff: 6, font: { size } }, ...(figure.xaxis ?? {}) },
      yaxis: {
        ...axis,
        title: { text: figure.y, standoff: 6, font: { size } },
        ...(figure.ylog ? { type: 'log' } : { rangemode: 'tozero' }),
        ...(figure.yaxis ?? {}),
      },
      shapes: (figure.marks ?? []).map(({ x, colour: name = 'ink' }) => ({
        type: 'line',
        x0: x,
        x1: x,
        yref: 'paper',
        y0: 0,
        y1: 1,
        line: { color: colour(name), width: 2, dash: 'dot' },
      })),
      annotations: (figure.marks ?? []).map((mark, index) =>
        beside(mark, figure, {
          yshift: -1.4 * size * index,
          font: { color: ink, size },
          bgcolor: colour('panel'),
        }),
      ),
      ...spread,
    },
  };
}

/** What a mark says, on the side where there is more room. */
function beside({ x, text }, { series, xaxis }, look) {
  const place = xaxis?.type === 'log' ? Math.log10 : Number;
  const ends = series.flatMap(({ x: all }) => all.map(place));
  const late = place(x) - Math.min(...ends) > 0.7 * (Math.max(...ends) - Math.min(...ends));
  return {
    x: place(x),
    y: 1,
    yref: 'paper',
    text,
    showarrow: false,
    xanchor: late ? 'right' : 'left',
    yanchor: 'top',
    xshift: late ? -4 : 4,
    ...look,
  };
}

/** The layout of several panels, as many side by side as fit. */
function panelled({ panels, least, height, series }, axis, colour, width, size) {
  const scale = size / SIZE;
  const columns = Math.max(1, Math.min(panels.length, Math.floor(width / (scale * least))));
  const rows = Math.ceil(panels.length / columns);
  const number = (index) => (index ? index + 1 : '');
  const labelled = (index) => series.some(({ panel, labels }) => panel === index && labels);
  const axes = panels.flatMap(({ y }, index) => [
    [`xaxis${number(index)}`, { ...axis, showgrid: false, tickangle: 0 }],
    [
      `yaxis${number(index)}`,
      {
        ...axis,
        rangemode: 'tozero',
        title: { text: y ?? '', standoff: 6 },
        ...(labelled(index) ? { showgrid: false, showticklabels: false } : {}),
      },
    ],
  ]);
  const levels = panels.map(({ level }, index) => ({
    type: 'line',
    xref: `x${number(index)} domain`,
    x0: 0,
    x1: 1,
    yref: `y${number(index)}`,
    y0: level,
    y1: level,
    line: { color: colour('ink'), width: 2, dash: 'dash' },
  }));
  const titles = panels
    .map(({ title }, index) => ({ text: title, index }))
    .filter(({ text }) => text)
    .map(({ text, index }) => ({
      text,
      xref: `x${number(index)} domain`,
      yref: `y${number(index)} domain`,
      x: 0.5,
      y: 1,
      yshift: 1.15 * size,
      yanchor: 'bottom',
      showarrow: false,
      font: { color: colour('ink'), size },
    }));
  return {
    ...Object.fromEntries(axes),
    grid: { rows, columns, pattern: 'independent', xgap: 0.18, ygap: titles.length ? 0.45 : 0.25 },
    height: scale * rows * height,
    margin: { l: 24, r: 8, t: titles.length ? 3.1 * size : 8, b: 2.1 * size },
    showlegend: series.some(({ name }) => name),
    shapes: levels.filter(({ y0 }) => y0 !== undefined),
    annotations: titles,
  };
}

/** Whiskers from the middle to both ends. */
function whiskers(middle, low, high, look) {
  const array = high.map((end, at) => end - middle[at]);
  const arrayminus = low.map((end, at) => middle[at] - end);
  return { type: 'data', symmetric: false, array, arrayminus, thickness: 1.5, ...look };
}

/** Names beside points, or in their place. */
function namesOf({ labels, places }, ink, colour) {
  const glow = `0 0 3px ${colour('panel')}`;
  const textfont = { color: ink, shadow: [glow, glow, glow].join(', ') };
  return { text: labels, textposition: places, textfont };
}

/** How each kind of series is drawn, beside what all have in common. */
const DRAWN = {
  bars: ({ dash, labels }, shade, colour) => ({
    type: 'bar',
    ...(labels ? {} : { textposition: 'none' }),
    marker: {
      color: shade,
      line: { color: colour('ink'), width: 1 },
      pattern: { shape: dash ?? '', fgcolor: colour('background'), fillmode: 'overlay' },
    },
  }),
  points: (series, shade, colour, roomy) => ({
    ...(series.left && {
      error_x: whiskers(series.x, series.left, series.right, { color: shade, width: 0 }),
    }),
    ...namesOf(series, colour('ink'), colour),
    mode: roomy ? 'markers+text' : 'markers',
    marker: {
      color: shade,
      symbol: series.symbols,
      size: 11,
      line: { color: colour('background'), width: 1 },
    },
  }),
  text: (series, shade, colour) => ({ ...namesOf(series, shade, colour), mode: 'text', hoverinfo: 'skip' }),
  area: (series, shade) => ({
    mode: 'none',
    fill: 'toself',
    fillcolor: 'rgba(0,0,0,0)',
    fillpattern: { shape: '/', fgcolor: shade, fgopacity: 0.45, size: 9, solidity: 0.12 },
    hoverinfo: 'skip',
  }),
  dots: (series, shade, colour) => ({
    mode: 'markers',
    marker: { color: shade, size: 9, line: { color: colour('background'), width: 1 } },
  }),
  line: ({ dash, kind }, shade) => ({
    mode: 'lines',
    line: { color: shade, width: 2.5, dash: dash ?? 'solid', shape: kind === 'steps' ? 'hvh' : 'linear' },
  }),
};

function trace(series, colour, roomy) {
  const { name, x, y, low, high, about, labels, places, panel = 0 } = series;
  const draw = DRAWN[series.kind] ?? DRAWN.line;
  return {
    type: 'scatter',
    name: name ?? '',
    showlegend: Boolean(name),
    x,
    y,
    ...(low && { error_y: whiskers(y, low, high, { color: colour('ink'), width: 4 }) }),
    ...(about && { customdata: about, hovertemplate: '%{customdata}<extra></extra>' }),
    ...(labels &&
      !places && { text: labels, textposition: 'outside', cliponaxis: false, hoverinfo: 'x+text' }),
    ...(panel && { xaxis: `x${panel + 1}`, yaxis: `y${panel + 1}`, showlegend: false }),
    ...draw(series, colour(series.colour), colour, roomy),
  };
}

/** A table of items: its columns by name, each with the key of what it holds. */
export function tableOf(columns, items) {
  const keys = Object.values(columns);
  return { columns: Object.keys(columns), rows: items.map((item) => keys.map((key) => item[key])) };
}

/** A table as CSV, RFC 4180; a cell that a spreadsheet would take for a formula is kept as text. */
export function csv({ columns, rows }) {
  return [columns, ...rows]
    .map((cells) => cells.map(field).join(','))
    .concat('')
    .join('\r\n');
}

function field(value) {
  const text = value === null || value === undefined ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

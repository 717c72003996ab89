/**
 * figure.js: what a chart of the lab is made of, and how it becomes a picture. Pure.
 *
 * A figure: { title, says: what it shows, in a sentence made from its numbers; x, y: names of the axes; series: [{ name,
 * x, y, kind: 'line' | 'dots' | 'bars' | 'steps', colour: a --sv-* name, dash, low, high: ends of whiskers, about: text
 * under the pointer, point by point }]; marks: [{ x, text, colour }]: upright lines; table: { columns, rows }; raw: what
 * is kept as JSON; ylog, height; xaxis, yaxis: what else Plotly is to know of them }.
 */

const FONT = 'system-ui, sans-serif';

/** A figure as Plotly's data and layout. colour(name) gives the page's colour of that name. */
export function themed(figure, colour) {
  const ink = colour('ink');
  const axis = { gridcolor: colour('line'), linecolor: colour('axis'), zeroline: false, automargin: true };
  return {
    data: figure.series.map((series) => trace(series, colour)),
    layout: {
      template: 'none',
      paper_bgcolor: colour('panel'),
      plot_bgcolor: colour('panel'),
      font: { family: FONT, size: 14, color: ink },
      margin: { l: 56, r: 14, t: 8, b: 44 },
      height: figure.height ?? 300,
      barmode: 'group',
      hovermode: 'closest',
      hoverlabel: { bgcolor: colour('background'), bordercolor: colour('axis'), font: { color: ink } },
      showlegend: figure.series.filter(({ name }) => name).length > 1,
      legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom' },
      xaxis: { ...axis, title: { text: figure.x, standoff: 6, font: { size: 14 } }, ...(figure.xaxis ?? {}) },
      yaxis: { ...axis, title: { text: figure.y, standoff: 6, font: { size: 14 } }, ...(figure.ylog ? { type: 'log' } : { rangemode: 'tozero' }), ...(figure.yaxis ?? {}) },
      shapes: (figure.marks ?? []).map(({ x, colour: name = 'ink' }) => ({ type: 'line', x0: x, x1: x, yref: 'paper', y0: 0, y1: 1, line: { color: colour(name), width: 2, dash: 'dot' } })),
      annotations: (figure.marks ?? []).map(({ x, text }, index) => ({ x: figure.xaxis?.type === 'log' ? Math.log10(x) : x, y: 1, yref: 'paper', text, showarrow: false, xanchor: 'left', yanchor: 'top', xshift: 4, yshift: -20 * index, font: { color: ink, size: 13 }, bgcolor: colour('panel') })),
    },
  };
}

function trace({ name, x, y, kind, colour: of, dash, low, high, about }, colour) {
  const shade = colour(of);
  const whiskers = low && { error_y: { type: 'data', symmetric: false, array: high.map((end, at) => end - y[at]), arrayminus: low.map((end, at) => y[at] - end), color: colour('ink'), thickness: 1.5, width: 4 } };
  const hover = about ? { text: about, hovertemplate: '%{text}<extra></extra>' } : {};
  const common = { name: name ?? '', x, y, ...whiskers, ...hover };
  if (kind === 'bars') return { ...common, type: 'bar', textposition: 'none', marker: { color: shade, line: { color: colour('ink'), width: 1 }, pattern: { shape: dash ?? '', fgcolor: colour('background'), fillmode: 'overlay' } } };
  if (kind === 'dots') return { ...common, type: 'scatter', mode: 'markers', marker: { color: shade, size: 9, line: { color: colour('background'), width: 1 } } };
  return { ...common, type: 'scatter', mode: 'lines', line: { color: shade, width: 2.5, dash: dash ?? 'solid', shape: kind === 'steps' ? 'hvh' : 'linear' } };
}

/** A table as CSV, RFC 4180; a cell that a spreadsheet would take for a formula is kept as text. */
export function csv({ columns, rows }) {
  return [columns, ...rows].map((cells) => cells.map(field).join(',')).join('\r\n') + '\r\n';
}

function field(value) {
  const text = value === null || value === undefined ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * draw-charts.js: the charts of a run. Each is one tab stop that has its sentence as its
 * name. A tip says what it shows of the round under the pointer, or with the keyboard of the round on stage.
 * A drag of the mouse shows some rounds larger, a double click all again.
 */

import { el, set, svg, write } from '../../base/dom.js';
import { chartsOf, ticksOf } from '../round/charts.js';
import { modelLines } from '../../trace/tried.js';
import { words } from '../../words/words.js';

/** Pixels from which on a drag is none by accident. */
const DRAG = 6;
/** Numbers along the left side of a panel. */
const TICKS = 6;
/** Share of its height that a panel leaves free above, and below where that is not 0. */
const FREE = 0.06;

/** The attributes of a line, or of what is filled, in a colour of the page. */
const line = (colour, width = 2, dashes = null) => ({
  fill: 'none',
  stroke: `var(--sv-${colour})`,
  'stroke-width': width,
  'stroke-dasharray': dashes,
});
const area = (colour) => ({ fill: `var(--sv-${colour})` });
const LOOKS = {
  gone: { ...line('refused', 1.5), fill: 'url(#sv-hatch-gone)' },
  'kept-target': area('p'),
  'kept-draft': area('q'),
  'length-target': line('p', 3),
  'length-draft': line('q-edge', 3, '9 6'),
  own: { fill: 'url(#sv-hatch-own)' },
  accepted: area('overlap'),
  guessed: line('q-edge', 2, '9 6'),
  entropy: line('ink2', 2, '2 4'),
  signal: line('refused', 1.5),
  share: line('overlap', 3),
  unused: line('refused', 4, '5 5'),
  updates: line('q-edge', 2, '9 6'),
  head: line('ink', 3, '3 5'),
};

/**
 * The two charts, and what the models were tried for: { cache, gamma, tried: their elements, draw(trace),
 * mark(round) }. A chart is drawn where it is in sight.
 */
export function createCharts() {
  const tried = el('p', { 'data-sv': 'tried' });
  const charts = [0, 1].map((index) => createChart((trace) => chartsOf(trace)[index]));
  charts[0].node.prepend(hatches());
  return {
    cache: charts[0].node,
    gamma: charts[1].node,
    tried,
    draw(trace) {
      write(tried, modelLines(trace.info).join('\n'));
      charts.forEach((chart) => chart.draw(trace));
    },
    mark: (round) => charts.forEach((chart) => chart.mark(round)),
  };
}

/** chartOf(trace): what it shows. */
function createChart(chartOf) {
  const tip = el('div', { 'data-sv': 'chart-tip', role: 'tooltip', hidden: true });
  const [panels, legend] = [el('div', { 'data-sv': 'panels' }), el('div', { 'data-sv': 'legend' })];
  const node = el('div', { 'data-sv': 'run-chart', tabindex: 0 }, panels, legend, tip);
  let [chart, trace, span, round] = [null, null, null, 0];
  let drawn = []; // the panels, see drawPanel
  new ResizeObserver(() => draw()).observe(panels);
  node.addEventListener('focus', () => mark(round));
  node.addEventListener('blur', () => tell(null));

  /** next: the rounds on show, null for all. */
  function draw(next = span) {
    span = next;
    if (!trace || !panels.clientWidth) return;
    chart = chartOf(trace);
    set(node, { role: 'img', 'aria-label': chart.says });
    const size = parseFloat(getComputedStyle(node).fontSize);
    const pictures = chart.panels.map(() => svg('svg'));
    panels.replaceChildren(
      ...chart.panels.map(({ title }, index) => el('div', {}, el('h3', {}, title), pictures[index])),
    );
    drawn = chart.panels.map((panel, index) =>
      drawPanel(pictures[index], panel, span ?? [0.5, trace.rounds.length + 0.5], size),
    );
    drawn.forEach((panel) => onPointer(panel, node, tell, draw));
    legend.replaceChildren(...chart.panels.flatMap(({ series }) => series.map(entry)));
    mark(round);
  }

  function mark(next) {
    round = next;
    set(node, { 'data-round': round });
    drawn.forEach(({ head, x }) => set(head, { x1: x(round + 1), x2: x(round + 1) }));
    if (node.matches(':focus-visible')) tell(drawn[0], round);
  }

  /** Says in the tip what a panel shows of a round; without a panel the tip goes. */
  function tell(panel, index) {
    if (!panel) set(tip, { hidden: true });
    if (!panel || !trace.rounds[index]) return;
    const [box, around] = [panel.picture.getBoundingClientRect(), node.getBoundingClientRect()];
    const left = box.left - around.left + panel.x(index + 1);
    const lines = [words.runCharts.at({ round: index + 1 }), ...chart.about(index)];
    tip.replaceChildren(...lines.map((each) => el('p', {}, each)));
    const side = left > around.width / 2 ? 'left' : 'right';
    set(tip, { hidden: false, 'data-side': side, style: `left: ${left}px; top: ${box.top - around.top}px` });
  }

  return {
    node,
    draw(of) {
      if (of !== trace) span = null;
      trace = of;
      draw();
    },
    mark,
  };
}

/** What the pointer does over a panel of a chart: tell(panel, round) of what is under it, zoom([first, last]). */
function onPointer(panel, node, tell, zoom) {
  const { picture, band, x, round: at } = panel;
  let from = null;
  const ends = ({ offsetX }) => [from, at(offsetX)].sort((one, two) => one - two);
  picture.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch' || event.button) return;
    event.preventDefault(); // else it would select text
    node.focus({ preventScroll: true, focusVisible: false });
    picture.setPointerCapture(event.pointerId);
    from = at(event.offsetX);
  });
  picture.addEventListener('pointermove', (event) => {
    tell(panel, Math.round(at(event.offsetX)) - 1);
    if (from === null) return;
    const [low, high] = ends(event).map(x);
    set(band, { x: low, width: high - low });
  });
  picture.addEventListener('pointerup', (event) => {
    if (from === null) return;
    const [low, high] = ends(event);
    from = null;
    tell(null);
    if (x(high) - x(low) > DRAG) zoom([low, high]);
  });
  picture.addEventListener('pointerleave', () => tell(null));
  picture.addEventListener('dblclick', () => zoom(null));
}

/**
 * Draws a panel into an SVG element. span: the rounds on show; size: of its type, in pixels. x: where a round
 * is; round: which one is there; head: the line of the round on stage; band: that of a drag.
 * @returns {{ picture: Element, x: (round: number) => number, round: (x: number) => number, head: Element,
 *   band: Element }}
 */
function drawPanel(picture, { series, range }, span, size) {
  const { clientWidth: width, clientHeight: height } = picture;
  const values = (right) =>
    series
      .filter((each) => Boolean(each.right) === right)
      .flatMap(({ points }) => points.map(([, value]) => value));
  const [left, right] = [range ?? rangeOf(values(false)), rangeOf([0, ...values(true)])];
  const hasRight = series.some((each) => each.right);
  const frame = {
    left: 3 * size,
    right: width - (hasRight ? 3 : 1.5) * size,
    top: size / 2,
    bottom: height - 2.5 * size,
  };
  const x = scale(span, [frame.left, frame.right]);
  const y = { left: scale(left, [frame.bottom, frame.top]), right: scale(right, [frame.bottom, frame.top]) };
  const upright = { y1: frame.top, y2: frame.bottom };
  const note = (at, high, anchor, value) =>
    svg('text', { x: at, y: high, 'text-anchor': anchor }, String(value));
  const whole = !range;
  const head = svg('line', { 'data-look': 'head', ...LOOKS.head, ...upright });
  const band = svg('rect', { 'data-look': 'band', y: frame.top, height: frame.bottom - frame.top });
  const inside = svg(
    'svg',
    { ...boxOf(frame), viewBox: Object.values(boxOf(frame)).join(' ') },
    ...series.map(({ look, points, area: closed, right: far }) =>
      svg('path', { 'data-look': look, ...LOOKS[look], d: path(points, x, far ? y.right : y.left, closed) }),
    ),
    head,
    band,
  );
  picture.replaceChildren(
    ...ticksOf(left, TICKS, whole).flatMap((value) => [
      svg('line', { x1: frame.left, x2: frame.right, y1: y.left(value), y2: y.left(value) }),
      note(frame.left - size / 2, y.left(value) + size / 3, 'end', Math.abs(value)),
    ]),
    ...(hasRight ? ticksOf(right, TICKS, false) : []).map((value) =>
      note(frame.right + size / 2, y.right(value) + size / 3, 'start', value),
    ),
    ...ticksOf(span, (frame.right - frame.left) / (4 * size), true).map((value) =>
      note(x(value), frame.bottom + 1.2 * size, 'middle', value),
    ),
    note((frame.left + frame.right) / 2, frame.bottom + 2.3 * size, 'middle', words.runCharts.round),
    inside,
  );
  return { picture, x, round: scale([frame.left, frame.right], span), head, band };
}

const boxOf = ({ left, right, top, bottom }) => ({
  x: left,
  y: top,
  width: right - left,
  height: bottom - top,
});

function rangeOf(values) {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const high = Math.max(...known, low + 1e-9);
  const free = FREE * (high - low);
  return [low && low - free, high + free];
}

/** A number's place between two others, as between two ends. */
/** @param {number[]} span
 * @param {number[]} room */
function scale([low, high], [from, to]) {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

function path(points, x, y, area) {
  let pen = 'M';
  return (
    points
      .map(([at, value]) => {
        const drawn = value === null ? '' : `${pen}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
        pen = value === null ? 'M' : 'L';
        return drawn;
      })
      .join('') + (area ? 'Z' : '')
  );
}

function entry({ look, name, area: closed }) {
  const sample = svg('path', { ...LOOKS[look], d: closed ? 'M1 1H23V11H1Z' : 'M0 6H24' });
  return el('span', {}, svg('svg', { viewBox: '0 0 24 12' }, sample), name);
}

/** The fills that are hatched. */
function hatches() {
  const hatch = (look, under, over, width) =>
    svg(
      'pattern',
      { id: `sv-hatch-${look}`, width: 7, height: 7, patternUnits: 'userSpaceOnUse' },
      svg('rect', { width: 7, height: 7, ...area(under) }),
      svg('path', { d: 'M-2 2L2 -2M0 7L7 0M5 9L9 5', ...line(over, width) }),
    );
  const patterns = [hatch('gone', 'background', 'refused', 2), hatch('own', 'p', 'background', 1)];
  return svg('svg', { width: 0, height: 0, 'aria-hidden': 'true' }, ...patterns);
}

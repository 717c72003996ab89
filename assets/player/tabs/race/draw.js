/**
 * draw.js: the result of a race, its two lanes and the text of both. A lane is a few paths however long the
 * run, and of a text only the last tokens are elements.
 */

import { el, fill, portion, save, set, svg, write } from '../../base/dom.js';
import { csv } from '../../base/figure.js';
import { createSaveMenu } from '../../page/chart.js';
import { headline, reasonLine } from './figures.js';
import { count, duration, number } from '../../base/format.js';
import { come, ticks } from './sums-lanes.js';
import { printed } from './sums-waterfall.js';
import { words } from '../words.js';

const NAMES = ['plain', 'speculative'];
/** The most tokens of a text that are drawn; older ones go this many at a time. */
const MOST = 160;
const STEP = 40;

/** The result: { node, draw(result, costs) }. */
export function createResult() {
  const texts = words.race;
  const [times, verdict, range, reason] = [
    el('strong', { 'data-sv': 'race-times' }),
    el('b'),
    el('span'),
    el('p', { 'data-sv': 'race-reason' }),
  ];
  const { lane, ...heads } = texts.columns;
  const rows = el('tbody');
  const table = el(
    'table',
    { 'data-sv': 'race-table' },
    el('caption', {}, texts.result),
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('th', { scope: 'col' }, el('span', { 'data-sv': 'said' }, lane)),
        ...Object.entries(heads).map(([name, text]) => el('th', { scope: 'col', 'data-column': name }, text)),
      ),
    ),
    rows,
  );
  const node = el(
    'section',
    { 'data-sv': 'race-result', 'aria-label': texts.result },
    el('div', { 'data-sv': 'race-headline', role: 'status' }, times, el('p', {}, verdict, range)),
    table,
    reason,
  );
  return {
    node,
    draw(result, costs) {
      const summary = headline(result);
      set(node, { 'data-speedup': result.speedup, 'data-low': result.low, 'data-high': result.high });
      [
        [times, summary.times],
        [verdict, summary.verdict],
        [range, summary.range],
        [reason, reasonLine(costs) + summary.close],
      ].forEach(([place, text]) => write(place, text));
      set(node, { 'data-slower': result.speedup < 1 });
      fill(
        rows,
        NAMES,
        (index) => createRow(NAMES[index]),
        (row, name) => paintRow(row, name, result.lanes[name]),
      );
    },
  };
}

function createRow(name) {
  return el(
    'tr',
    { 'data-lane': name },
    el('th', { scope: 'row' }, words.race.lanes[name]),
    ...Object.keys(words.race.columns)
      .slice(1)
      .map((column) => el('td', { 'data-column': column })),
  );
}

function paintRow(row, name, { tokens, passes, time, rate, low, high }) {
  const texts = [
    count(tokens),
    count(passes),
    duration(time),
    number(rate),
    words.race.between({ low: number(low), high: number(high) }),
  ];
  set(row, { 'data-tokens': tokens, 'data-passes': passes, 'data-rate': rate });
  texts.forEach((text, index) => write(row.children[index + 1], text));
}

/**
 * The lanes over their axis, each over its text: { node, draw(race), place(at) }; jump(at) hears where a
 * lane was clicked, in ms.
 */
export function createTracks(jump, lines) {
  const texts = words.race;
  const tracks = Object.fromEntries(NAMES.map((name) => [name, createTrack(name, lines[name].node)]));
  const axis = el('div', { 'data-sv': 'race-axis', 'aria-hidden': 'true' });
  const field = el('div', { 'data-sv': 'race-field' }, ...NAMES.map((name) => tracks[name].node), axis);
  const legend = el(
    'p',
    { 'data-sv': 'race-legend', 'aria-hidden': 'true' },
    ...Object.entries(texts.legend).map(([kind, text]) => el('span', { 'data-kind': kind }, text)),
  );
  const node = el('section', { 'data-sv': 'race-poster', 'aria-label': texts.clock }, field, legend);
  let shown = null;
  field.addEventListener('click', (event) => {
    const track = event.target.closest('[data-sv="race-track"]');
    const { left, width } = (track ?? field).getBoundingClientRect();
    if (shown && track) jump(((event.clientX - left) / width) * shown.total);
  });
  return {
    node,
    draw(race) {
      shown = race;
      const first = Math.min(...NAMES.map((name) => race.lanes[name].end));
      NAMES.forEach((name) => tracks[name].draw(race.lanes[name], race.total, first));
      fill(
        axis,
        ticks(race.total),
        () => el('span'),
        (node, at) => {
          write(node, at ? count(at) : texts.origin);
          set(node, {
            style: `left: ${portion(at / race.total)}`,
            'data-at': at,
            'data-edge': at > 0.96 * race.total,
          });
        },
      );
    },
    place: (at) => NAMES.forEach((name) => tracks[name].place(at, shown.total)),
  };
}

function createTrack(name, text) {
  const texts = words.race;
  const reading = el('span', { 'data-sv': 'reading' });
  const [flag, ahead] = [{}, { 'aria-hidden': 'true' }].map((more) =>
    el('span', { 'data-sv': 'race-ahead', hidden: true, ...more }),
  ); // over the lane, and in it where there is room
  const [veil, playhead] = [
    el('i', { 'aria-hidden': 'true' }),
    el('b', { 'data-sv': 'playhead', 'aria-hidden': 'true' }),
  ];
  const picture = svg('svg', { preserveAspectRatio: 'none', role: 'img' });
  const node = el(
    'div',
    { 'data-sv': 'race-lane', 'data-lane': name },
    el('p', {}, el('b', {}, texts.lanes[name]), flag, reading),
    text,
    el('div', { 'data-sv': 'race-track' }, picture, veil, ahead, playhead),
  );
  let lane = null;
  return {
    node,
    draw(found, total, first) {
      lane = found;
      set(node, { 'data-end': lane.end });
      set(picture, {
        viewBox: `0 0 ${total} 1`,
        'aria-label': texts.track({
          name: texts.lanes[name],
          end: duration(lane.end),
          tokens: count(lane.tokens.length),
          passes: count(lane.passes.at(-1)),
        }),
      });
      fill(
        picture,
        lane.paths,
        () => svg('path'),
        (path, { kind, d }) => set(path, { 'data-kind': kind, d }),
      );
      const lead = total - lane.end;
      [flag, ahead].forEach((part) =>
        write(part, lead > 0 && lane.end === first ? texts.ahead({ time: duration(lead) }) : ''),
      );
      set(ahead, { style: `left: ${portion(lane.end / total)}` });
      set(node, { 'data-full': lane.end >= 0.7 * total });
    },
    place(at, total) {
      const made = come(lane.arrivals, at);
      const passes = come(lane.steps, at);
      [veil, playhead].forEach((part) => set(part, { style: `left: ${portion(at / total)}` }));
      [flag, ahead].forEach((part) => set(part, { hidden: at < lane.end || !part.textContent }));
      write(
        reading,
        texts.reading({
          tokens: count(made),
          all: count(lane.tokens.length),
          passes: count(passes ? lane.passes[passes - 1] : 0),
          most: count(lane.passes.at(-1)),
        }),
      );
      set(node, { 'data-tokens': made, 'data-passes': passes });
    },
  };
}

/** The text of a lane, the newest in sight: { node, draw(lane), place(at) }. */
export function createText(name) {
  const texts = words.race;
  const [earlier, list] = [
    el('span', { 'data-sv': 'earlier' }),
    el('span', { 'data-sv': 'race-tokens', role: 'list', tabindex: 0, 'aria-label': texts.texts[name] }),
  ];
  const node = el('div', { 'data-sv': 'race-text', 'data-lane': name }, el('div', {}, earlier, list));
  let lane = null;
  let drawn = -1;
  return {
    node,
    draw(found) {
      lane = found;
      drawn = -1;
    },
    place(at) {
      const made = come(lane.arrivals, at);
      if (made === drawn) return;
      drawn = made;
      const first = Math.max(0, Math.ceil((made - MOST) / STEP) * STEP);
      const newest = lane.tokens[made - 1]?.at.round;
      write(earlier, first ? words.earlier({ many: count(first) }) : '');
      set(earlier, { hidden: !first });
      fill(
        list,
        lane.tokens.slice(first, made),
        createToken,
        (token, { text, label, state, id, at: { round } }) => {
          const spaces = /^·*/.exec(text)[0].length;
          const lead = spaces < text.length ? spaces : 0;
          write(token.children[0], ' '.repeat(lead));
          write(token.children[1], text.slice(lead));
          set(token, {
            'data-state': state,
            'data-lane': name,
            'data-token-id': id,
            'aria-label': label,
            'data-fresh': name !== 'plain' && round === newest && made < lane.tokens.length,
          });
        },
      );
    },
  };
}

function createToken() {
  return el(
    'span',
    { 'data-sv': 'race-token', role: 'listitem', dir: 'ltr' },
    el('span'),
    el('span', { 'data-sv': 'word' }),
  );
}

/**
 * The waterfall: { node, draw(steps, race, forks) }. A bar a step, from where it begins to where it ends;
 * kept as a table, or with the race it is of.
 */
export function createWaterfall() {
  const { fall } = words.race;
  const [about, list] = [el('p'), el('ol', { 'data-sv': 'fall-steps' })];
  let shown = null;
  const keeps = createSaveMenu(words.chart.keeps, {
    csv: () =>
      save(
        'specviz-race.csv',
        csv({
          columns: ['step', 'from', 'to'],
          rows: shown.steps.map(({ name, from, to }) => [name, from, to]),
        }),
      ),
    json: () => save('specviz-race.json', JSON.stringify(shown, null, 1)),
  });
  const node = el(
    'section',
    { 'data-sv': 'race-fall', 'aria-label': fall.title },
    el('header', {}, el('h3', {}, fall.title), keeps),
    about,
    list,
  );
  return {
    node,
    draw(steps, race, forks) {
      shown = { steps, race };
      const top = Math.max(...steps.flatMap(({ from, to }) => [from, to]));
      const [start, end] = [steps[0].from, steps.at(-1).to];
      const times = (level) => words.race.times({ factor: printed(level).toFixed(2) });
      const change = (from, to) => {
        const size = Math.abs(printed(from) - printed(to)).toFixed(2);
        return printed(from) === printed(to) ? size : fall[to < from ? 'lost' : 'gained']({ value: size });
      };
      const rows = [
        {
          name: 'start',
          title: fall.start[steps[0].name],
          low: 0,
          high: start,
          text: times(start),
          mend: '',
        },
        ...steps.map(({ name, from, to }) => ({
          name,
          title: fall.steps[name][0],
          low: Math.min(from, to),
          high: Math.max(from, to),
          gain: to > from,
          text: change(from, to),
          mend: printed(to) < printed(from) ? fall.steps[name][1] : (fall.free[name] ?? fall.free.other),
        })),
        { name: 'end', title: fall.end, low: 0, high: end, text: times(end), mend: '' },
      ];
      write(about, fall.about({ gamma: number(start - 1), ceiling: number(start), forks }));
      fill(
        list,
        rows,
        () =>
          el(
            'li',
            {},
            el('b'),
            el('span', { 'data-sv': 'fall-track' }, el('i')),
            el('span', { 'data-sv': 'fall-value' }),
            el('small'),
          ),
        (row, { name, title, low, high, gain, text, mend }) => {
          const [label, track, value, note] = row.children;
          set(row, { 'data-step': name, 'data-low': low, 'data-high': high, 'data-gain': Boolean(gain) });
          write(label, title);
          set(track.firstElementChild, {
            style: `left: ${portion(low / top)}; width: ${portion((high - low) / top)}`,
          });
          write(value, text);
          write(note, mend);
        },
      );
    },
  };
}

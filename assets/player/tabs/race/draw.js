/**
 * draw.js: the result of a race, its two lanes and the text of both. A lane is a few paths however long the
 * run, and of a text only the last tokens are elements.
 */

import { el, fill, portion, set, svg, write } from '../../base/dom.js';
import { count, duration, number, numbers } from '../../base/format.js';
import { countUntil, ticks } from './sums-lanes.js';
import { columnHead, createTable, namedHeads, namedRow, writeCells } from '../parts.js';
import { said } from '../../words/words.js';
import { words } from '../words.js';

const NAMES = ['plain', 'speculative'];
/** The most tokens of a text that are drawn; older ones go this many at a time. */
const MOST = 160;
const STEP = 40;

/** The result as a table: { node, draw(result) }. */
export function createResult() {
  const texts = words.race;
  const { lane, ...heads } = texts.columns;
  const first = columnHead(el('span', { 'data-sv': 'said' }, lane));
  const table = createTable('race-table', texts.result, [first, ...namedHeads(heads)]);
  const node = el('section', { 'data-sv': 'race-result', 'aria-label': texts.result }, table);
  return {
    node,
    draw({ speedup, low, high, verdict, lanes }) {
      set(node, {
        'data-speedup': speedup,
        'data-low': low,
        'data-high': high,
        'data-slower': verdict === 'slower',
      });
      fill(
        table.tBodies[0],
        NAMES,
        (index) => namedRow({ 'data-lane': NAMES[index] }, Object.keys(heads), texts.lanes[NAMES[index]]),
        (row, name) => paintRow(row, lanes[name]),
      );
    },
  };
}

function paintRow(row, { tokens, passes, time, rate, low, high }) {
  const range = words.race.between(numbers({ low, high }));
  set(row, { 'data-tokens': tokens, 'data-passes': passes, 'data-rate': rate });
  writeCells(row, [count(tokens), count(passes), duration(time), number(rate), range]);
}

/**
 * The lanes over their axis, each over its text: { node, draw(race, drafter), place(at) }; jump(at) hears where a
 * lane was clicked, in ms.
 */
export function createTracks(jump, lines) {
  const texts = words.race;
  const tracks = Object.fromEntries(NAMES.map((name) => [name, createTrack(name, lines[name].node)]));
  const axis = el('div', { 'data-sv': 'race-axis', 'aria-hidden': 'true' });
  const field = el('div', { 'data-sv': 'race-field' }, ...NAMES.map((name) => tracks[name].node), axis);
  const keys = Object.keys(texts.legend).map((kind) => el('span', { 'data-kind': kind }));
  const legend = el('p', { 'data-sv': 'race-legend', 'aria-hidden': 'true' }, ...keys);
  const node = el('section', { 'data-sv': 'race-poster', 'aria-label': texts.clock }, field, legend);
  let shown = null;
  field.addEventListener('click', (event) => {
    const track = event.target.closest('[data-sv="race-track"]');
    const { left, width } = (track ?? field).getBoundingClientRect();
    if (shown && track) jump(((event.clientX - left) / width) * shown.total);
  });
  return {
    node,
    draw(race, drafter) {
      shown = race;
      const again = race.lanes.speculative.paths.some(({ kind }) => kind === 'again');
      Object.entries(texts.legend).forEach(([kind, text], at) => {
        write(keys[at], said(text, { drafter }));
        set(keys[at], { hidden: kind === 'again' && !again });
      });
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
  const picture = svg('svg', { preserveAspectRatio: 'none', role: 'img' });
  const veil = el('i', { 'aria-hidden': 'true' });
  const playhead = el('b', { 'data-sv': 'playhead', 'aria-hidden': 'true' });
  // how far ahead it was: over the lane, and in it where there is room
  const [flag, ahead] = [{}, { 'aria-hidden': 'true' }].map((more) =>
    el('span', { 'data-sv': 'race-ahead', hidden: true, ...more }),
  );
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
    draw(shown, total, first) {
      lane = shown;
      const lead = total - lane.end;
      drawTrack(picture, name, lane, total);
      [flag, ahead].forEach((part) =>
        write(part, lead > 0 && lane.end === first ? texts.ahead({ time: duration(lead) }) : ''),
      );
      set(ahead, { style: `left: ${portion(lane.end / total)}` });
      set(node, { 'data-end': lane.end, 'data-full': lane.end >= 0.7 * total });
    },
    place(at, total) {
      const [made, steps] = [lane.arrivals, lane.steps].map((moments) => countUntil(moments, at));
      [veil, playhead].forEach((part) => set(part, { style: `left: ${portion(at / total)}` }));
      [flag, ahead].forEach((part) => set(part, { hidden: at < lane.end || !part.textContent }));
      write(reading, readingLine(lane, made, steps));
      set(node, { 'data-tokens': made, 'data-passes': steps });
    },
  };
}

function drawTrack(picture, name, { end, tokens, passes, paths }, total) {
  const size = { end: duration(end), tokens: count(tokens.length), passes: count(passes.at(-1)) };
  const label = words.race.track({ name: words.race.lanes[name], ...size });
  set(picture, { viewBox: `0 0 ${total} 1`, 'aria-label': label });
  fill(
    picture,
    paths,
    () => svg('path'),
    (path, { kind, d }) => set(path, { 'data-kind': kind, d }),
  );
}

/** How much of a lane is there after that many tokens and steps. */
function readingLine({ tokens, passes }, made, steps) {
  return words.race.reading({
    tokens: count(made),
    all: count(tokens.length),
    passes: count(steps ? passes[steps - 1] : 0),
    most: count(passes.at(-1)),
  });
}

/** The text of a lane, the newest in sight: { node, draw(lane), place(at) }. */
export function createText(name) {
  const look = { role: 'list', tabindex: 0, 'aria-label': words.race.texts[name] };
  const list = el('span', { 'data-sv': 'race-tokens', ...look });
  const earlier = el('span', { 'data-sv': 'earlier' });
  const node = el('div', { 'data-sv': 'race-text', 'data-lane': name }, el('div', {}, earlier, list));
  let lane = null;
  let drawn = -1; // tokens
  return {
    node,
    draw(shown) {
      lane = shown;
      drawn = -1;
    },
    place(at) {
      const made = countUntil(lane.arrivals, at);
      if (made === drawn) return;
      drawn = made;
      const first = Math.max(0, Math.ceil((made - MOST) / STEP) * STEP);
      const newest = name !== 'plain' && made < lane.tokens.length ? lane.tokens[made - 1]?.at.round : null;
      write(earlier, first ? words.earlier({ many: count(first) }) : '');
      set(earlier, { hidden: !first });
      fill(
        list,
        lane.tokens.slice(first, made),
        () => createToken(name),
        (node, token) => paintToken(node, token, newest),
      );
    },
  };
}

function createToken(lane) {
  const look = { role: 'listitem', dir: 'ltr', 'data-lane': lane };
  return el('span', { 'data-sv': 'race-token', ...look }, el('span'), el('span', { 'data-sv': 'word' }));
}

/** newest: the round whose tokens are fresh, or null. */
function paintToken(node, { text, label, state, id, at }, newest) {
  const spaces = /^·*/.exec(text)[0].length;
  const lead = spaces < text.length ? spaces : 0;
  const [space, word] = node.children;
  write(space, ' '.repeat(lead));
  write(word, text.slice(lead));
  set(node, {
    'data-state': state,
    'data-token-id': id,
    'aria-label': label,
    'data-fresh': at.round === newest,
  });
}

/**
 * draw-clocks.js: the first screen's two clocks: the run and plain decoding as bars on one scale.
 */

import { el, fill, set, svg, write } from '../../base/dom.js';
import { raceOf } from '../../trace/race.js';
import { createMachine } from '../../page/machine-slider.js';
import { cachedOf, clocks } from '../round/clocks.js';
import { said } from '../../words/words.js';
import { words } from '../words.js';

/**
 * Fills node, the [data-sv=clocks] of the stage; { draw(story, over) }. Once a raced run is over, a slider puts it on
 * another machine.
 */
export function createClocks(node) {
  const title = el('h2', { 'data-sv': 'clocks-title' });
  const lanes = el('div', { 'data-sv': 'clock-lanes' });
  const keys = Object.keys(words.clocks.legend).map((kind) => el('li', { 'data-kind': kind }));
  const legend = el('ul', { 'data-sv': 'clock-legend' }, ...keys);
  const cached = el('p', { 'data-sv': 'clocks-cached' });
  const machine = createMachine(() => draw(shown.trace));
  node.append(el('div', { 'data-sv': 'clocks-head' }, title, cached), lanes, machine.node, legend);
  let shown = null;

  function draw(trace) {
    const share = machine.share();
    const race = clocks({ trace }, share);
    const { drafter } = trace.info.config;
    Object.entries(words.clocks.legend).forEach(([kind, text], at) => {
      write(keys[at], said(text, { drafter }));
      set(keys[at], { hidden: kind === 'again' && !trace.info.target_state_bytes });
    });
    write(title, race.title);
    write(cached, share ? '' : cachedOf(trace));
    set(cached, { hidden: !cached.textContent });
    set(node, { 'data-verdict': race.verdict ?? 'untimed', 'data-computed': share > 0 });
    fill(lanes, race.lanes, createLane, (lane, item) => paintLane(lane, item, race.total));
    machine.say(Boolean(trace.live));
  }

  return {
    draw({ trace }, over = false) {
      set(machine.node, { hidden: !over || !raceOf(trace) });
      const key = `${trace.run} ${trace.rounds.length} ${Boolean(trace.race)} ${over}`;
      if (shown?.key === key && shown.trace === trace) return;
      shown = { key, trace };
      machine.reset();
      draw(trace);
    },
  };
}

/** One lane: its name and sum above its bars. */
export function createLane() {
  const picture = svg(
    'svg',
    { preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('g', { transform: 'matrix(1 0 0 -1 0 1)' }),
  );
  return el(
    'section',
    { 'data-sv': 'clock-lane' },
    el('div', { 'data-sv': 'clock-head' }, el('b'), el('strong', { 'data-sv': 'done' }), el('span')),
    el('div', { 'data-sv': 'clock-track' }, picture),
  );
}

/** Makes a lane show what clocks.js found, total milliseconds wide. */
export function paintLane(node, { name, title, sum, paths, apart, done }, total) {
  const [head, track] = node.children;
  const picture = track.firstElementChild;
  [title, done, sum].forEach((text, at) => write(head.children[at], text));
  set(node, { 'data-lane': name, 'data-apart': apart });
  set(picture, { viewBox: `0 0 ${total || 1} 1` });
  fill(
    picture.firstElementChild,
    paths,
    () => svg('path', { 'vector-effect': 'non-scaling-stroke' }),
    (path, { kind, d }) => set(path, { 'data-kind': kind, d }),
  );
}

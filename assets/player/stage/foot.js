/**
 * foot.js: the whole run in a strip: γ and accepted guesses round by round, the length of the target's cache under them, a
 * playhead; beside it the cache itself, a cell an entry, with its count. The range input over the strip is the scrubber.
 */

import { along, el, fill, set, svg, write } from '../base/dom.js';
import { createTip } from './tip.js';
import { words } from './words.js';

/** Cells there is room for in the foot; of a longer cache the last ones. */
const CELLS = 14;

/** scrub: the range input. { plot, kv, draw(scene), drawRun(story) }. */
export function createFoot(scrub) {
  const picture = (name) => svg('svg', { preserveAspectRatio: 'none', 'aria-hidden': 'true', 'data-lane': name });
  const [gamma, cache] = [picture('gamma'), picture('cache')];
  const head = el('i', { 'data-sv': 'playhead' });
  const [gammaSays, cacheSays] = [el('span'), el('span')];
  const area = el('div', { 'data-sv': 'track' }, gamma, cache, head, scrub);
  const plot = el('div', { 'data-sv': 'plot' }, el('div', { 'data-sv': 'plot-says' }, gammaSays, cacheSays), area);
  const total = el('b', { 'data-sv': 'kv-count' });
  const cells = el('div', { 'data-sv': 'cells', role: 'slider', tabindex: 0, 'aria-valuemin': 0 });
  const kv = el('div', { 'data-sv': 'kv' }, el('div', { 'data-sv': 'kv-says' }, el('span', {}, words.foot.kv), total), cells);
  const tell = createTip(kv);
  return {
    plot,
    kv,
    cells,
    /** The paths depend on the rounds there are, not on the beat. */
    drawRun(list) {
      [gamma, cache].forEach((node, at) => {
        const lane = list[at === 0 ? 1 : 0];
        set(node, { viewBox: `0 0 ${Math.max(1, lane.width)} ${lane.height}` });
        fill(node, lane.paths.filter(({ kind }) => SHOWN.has(kind)), () => svg('path', { 'vector-effect': 'non-scaling-stroke' }), (path, { kind, d }) => set(path, {
          'data-kind': kind, d, transform: `matrix(1 0 0 -1 0 ${lane.height})`, 'vector-effect': 'non-scaling-stroke',
        }));
      });
    },
    draw({ caches, playhead, cellTitle, laneTitle, rounds, foot }) {
      write(gammaSays, foot.gamma);
      write(cacheSays, foot.cache);
      set(area, { title: laneTitle(1, playhead[1].x) || null });
      set(head, { style: `left: ${((100 * playhead[0].x) / Math.max(1, rounds)).toFixed(3)}%` });
      const [target] = caches;
      const shown = target.cells.slice(-CELLS);
      write(total, String(target.length));
      set(kv, { 'data-length': target.length, 'data-cut': target.cells.length > CELLS || target.gap > 0 });
      const here = shown.findIndex(({ at }) => at === cells.here);
      fill(cells, shown, () => el('i'), (node, cell, index) => set(node, { 'data-cell': cell.kind, 'data-at': cell.at, 'data-here': index === here }));
      const looked = shown[here] ?? shown.at(-1);
      set(cells, {
        'aria-label': words.cache.cells(words.cache.target.toLowerCase()), 'aria-valuemax': target.cells.length, 'aria-valuenow': looked ? looked.at : 0,
        'aria-valuetext': looked ? cellTitle(looked) : target.note, 'data-walked': here >= 0,
      });
      tell(cellTitle);
    },
  };
}

const SHOWN = new Set(['accepted', 'own', 'gamma', 'target', 'ghost']);

/** Looks at the cell so many places on, or at that end; the next drawing shows it. */
export function walkCells(row, way) {
  const all = [...row.querySelectorAll('[data-cell]')];
  const next = along(all, all.findIndex((cell) => cell.matches('[data-here]')), way);
  if (next) row.here = Number(next.dataset.at);
}

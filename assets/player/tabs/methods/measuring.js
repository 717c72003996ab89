/**
 * measuring.js: asks for one method after the other, and keeps what was found of each.
 */

import { hasAsset } from '../../page/widgets.js';
import { questionOf } from './sums.js';
import { TEXTS, words } from './words.js';

/**
 * draw() shows what has changed. { start(run, config), hear(report), settle(text), busy(), found() }: found is a map of cells and
 * reasons by the name of a method, null while nothing was measured here.
 */
export function createMeasuring(ask, head, methods, draw) {
  const texts = words.overview;
  let found = null;
  let queue = []; // what is still to be asked
  let now = null; // { run, config, began, of, method, kinds, cells } under way

  function next() {
    const method = queue.shift();
    if (!method) {
      settle('');
      return;
    }
    const { kinds, over } = questionOf(method, now.config, TEXTS);
    now = { ...now, method, kinds, cells: [] };
    ask({ run: now.run, job: 'sweep', over });
  }

  function progress() {
    const share = (now.of - queue.length - 1 + now.cells.length / now.kinds.length) / now.of;
    const minutes = share > 0.04 ? (performance.now() - now.began) / 6e4 * (1 / share - 1) : null;
    head.busy(texts.progress(now.of - queue.length - 1, now.of, minutes), share);
  }

  function settle(text) {
    [queue, now] = [[], null];
    head.idle(text);
    draw();
  }

  return {
    start(run, config) {
      if (now) return;
      queue = methods.filter(({ entry }) => hasAsset(entry.asset));
      found = new Map();
      now = { run, config, began: performance.now(), of: queue.length };
      head.busy(texts.waiting, null);
      next();
    },
    hear({ done, cell, error }) {
      if (done !== undefined) {
        now.cells.push(cell);
        progress();
        return;
      }
      found.set(now.method.name, error === undefined ? { cells: now.cells } : { cells: [], refused: error });
      draw();
      next();
    },
    settle,
    busy: () => now !== null,
    found: () => found,
  };
}

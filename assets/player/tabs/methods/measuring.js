/**
 * measuring.js: asks for one method after the other, first how fast it is, then how exact, and keeps what
 * was found of each.
 */

import { tell } from '../../words/words.js';
import { hasAsset } from '../../page/widgets.js';
import { questionOf, settingsOf } from './sums.js';
import { TEXTS, words } from './words.js';

/**
 * draw() shows what has changed. { start(run, config), hear(report), settle(text), busy(), found() }: found
 * is a map of cells, exactness and reasons by the name of a method, null while nothing was measured here.
 */
export function createMeasuring(ask, head, methods, draw) {
  const texts = words.overview;
  let found = null;
  let queue = []; // what is still to be asked
  let now = null; // { run, config, began, of, method, job, cells, part: the share of the job that is done } under way

  function next() {
    const first = queue.shift();
    if (!first) {
      settle('');
      return;
    }
    const { method, job } = first;
    now = { ...now, method, job, cells: [], part: 0 };
    ask({
      run: now.run,
      job,
      over: job === 'sweep' ? questionOf(method, now.config, TEXTS).over : [settingsOf(method)],
    });
  }

  function progress() {
    const done = 2 * now.of - queue.length - 1;
    const share = (done + now.part) / now.of / 2;
    const minutes = share > 0.04 ? ((performance.now() - now.began) / 6e4) * (1 / share - 1) : null;
    head.busy(texts.progress(now.job, done % now.of, now.of, minutes), share);
  }

  function settle(text) {
    [queue, now] = [[], null];
    head.idle(text);
    draw();
  }

  return {
    start(run, config) {
      if (now) return;
      const able = methods.filter(({ entry }) => hasAsset(entry.asset));
      queue = ['sweep', 'exact'].flatMap((job) => able.map((method) => ({ method, job })));
      found = new Map();
      now = { run, config, began: performance.now(), of: able.length };
      head.busy(texts.waiting, null);
      next();
    },
    hear({ done, of, cell, exact, error }) {
      if (done !== undefined) {
        if (cell) now.cells.push(cell);
        now.part = done / of;
        progress();
        return;
      }
      const { name } = now.method;
      const answer =
        error === undefined && now.job === 'sweep'
          ? { cells: now.cells }
          : { exact, refused: error === undefined ? error : tell(error) };
      found.set(name, { ...found.get(name), ...answer });
      draw();
      next();
    },
    settle,
    busy: () => now !== null,
    found: () => found,
  };
}

/**
 * measuring.js: asks for the costs of a run and for a sweep over γ, and keeps what was found. A sweep comes
 * after the costs.
 */

import { tell } from '../../words/words.js';
import { count } from '../../base/format.js';
import { sweepOf } from './sums-speedup.js';
import { words } from './words.js';

const NOTHING = { costs: null, cells: [] };

/**
 * port: { ask(question), stop() }. on: busy(text, share) while an answer is awaited, idle(text) once none
 * is. { want(trace, job), hear(trace, report), cancel(), settle(text), forget(), found() }: job is "costs"
 * or "sweep", found is { costs, cells }.
 */
export function createMeasuring({ ask, stop }, on) {
  const texts = words.alpha.bench;
  let found = NOTHING;
  let coming = []; // cells of the sweep under way
  let sweeps = false; // whether a sweep is asked once the costs are known

  /** Asks for the costs, and if a sweep is wanted and they are known already, for that. */
  function want(trace, job) {
    const { config } = trace.info;
    if (job === 'sweep' && trace.info.controller === 'none') return settle(texts.noLength);
    sweeps = job === 'sweep' && !found.costs;
    coming = [];
    if (job === 'sweep' && found.costs) ask({ run: trace.run, job, over: sweepOf(config) });
    else ask({ run: trace.run, job: 'costs' });
    on.busy(sweeps ? texts.first : texts.waiting[job], null);
  }

  /** Nothing is asked any more: what the sweep brought is shown, or what was there before. */
  function settle(text) {
    if (coming.length) found = { ...found, cells: coming };
    coming = [];
    sweeps = false;
    on.idle(text);
  }

  function refuse(reason) {
    settle(coming.length ? texts.stopped(count(coming.length), reason) : texts.refused(reason));
  }

  return {
    want,
    settle,
    hear(trace, report) {
      if (report.error !== undefined) refuse(tell(report.error));
      else if (report.costs) {
        found = { ...found, costs: report.costs };
        if (sweeps) want(trace, 'sweep');
        else settle('');
      } else if (report.cell) {
        coming.push(report.cell);
        on.busy(texts.done(count(report.done), count(report.of)), report.done / report.of);
      } else settle(texts.swept(count(coming.length)));
    },
    cancel() {
      stop();
      settle(texts.cancelled(count(coming.length)));
    },
    /** Makes room for another run. */
    forget() {
      [found, coming] = [NOTHING, []];
      settle('');
    },
    found: () => found,
  };
}

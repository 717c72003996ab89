/**
 * measuring.js: asks for what the machine can do or for a sweep, one at a time, and keeps what was found of
 * this run.
 */

import { tell } from '../../words/words.js';
import { count } from '../../base/format.js';
import { words } from './words.js';

/**
 * on: busy(job, text, share) while an answer is awaited, idle(text) once none is. { start(trace, job,
 * sweepOf), hear(report), settle(text), forget(), found() }: sweepOf(config) makes a job's cells, if it is
 * a sweep. found is { machine, temperature, genre }, as far as they were measured here, each sweep with the
 * names of its cells.
 */
export function createMeasuring(ask, on) {
  const texts = words.reason;
  let asked = null; // the job under way, and for a sweep the names of its cells
  let coming = null; // what it has brought
  let found = {};

  /** Nothing is asked any more; what was measured stays. */
  function settle(text) {
    if (asked && coming) found = { ...found, [asked.job]: coming };
    [asked, coming] = [null, null];
    on.idle(text);
  }

  return {
    start({ run, info }, job, sweepOf) {
      if (asked) return;
      const sweep = sweepOf?.(info.config);
      asked = { job, names: sweep?.names };
      coming = null;
      on.busy(job, texts.waiting, null);
      ask({ run, ...(sweep ? { job: 'sweep', over: sweep.over } : { job }) });
    },
    hear({ done, of, machine, cell, error }) {
      if (done === undefined) {
        settle(error === undefined ? '' : texts.refused(tell(error)));
        return;
      }
      const { job, names } = asked;
      coming = machine ?? { names, cells: [...(coming?.cells ?? []), cell] };
      on.busy(
        job,
        machine
          ? texts.stages(done, of, texts.next[Math.min(done, texts.next.length - 1)])
          : texts.runs(count(done), count(of)),
        done / of,
      );
    },
    settle,
    /** Makes room for another run. */
    forget() {
      [found, coming] = [{}, null];
      settle('');
    },
    found: () => found,
  };
}

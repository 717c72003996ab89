/**
 * measuring.js: has the server measure one job after the other, and collects what each brings.
 *
 * @typedef {object} Job
 * @property {{run: string, job: string, over?: object[]}} question
 * @property {string} [waits] what is said before its first report; without it, what was said stays
 * @property {boolean} [anyway] whether the next job begins even if this one was refused
 *
 * @typedef {{cells: object[], costs?: object, machine?: object, exact?: object, error?: string}} Brought
 *
 * @typedef {object} On
 * @property {(text: string, share: number | null, job: Job) => void} busy
 * @property {(text: string) => void} idle
 * @property {(job: Job, report: object, brought: Brought, left: number) => [string, number]} progress what is said of
 *   it, and the share that is done; left: jobs that are not over
 * @property {(job: Job, brought: Brought, cancelled: boolean) => string} over takes what it brought; what is said then
 */

/**
 * { start(jobs), hear(report), cancel(text), settle(text), busy() }: start does nothing while jobs are under
 * way, cancel stops them, settle hears that they were stopped; their text says why.
 * @param {On} on
 */
export function createMeasuring({ ask, stop }, on) {
  let jobs = []; // the first is under way
  let brought = null;

  function next() {
    brought = { cells: [] };
    if (jobs[0].waits) on.busy(jobs[0].waits, null, jobs[0]);
    ask(jobs[0].question);
  }

  function settle(text) {
    const [job] = jobs;
    jobs = [];
    const said = job && on.over(job, brought, true);
    on.idle(text ?? said ?? '');
  }

  return {
    start(wanted) {
      if (jobs.length) return;
      jobs = wanted;
      next();
    },
    hear({ cell, ...report }) {
      const [job] = jobs;
      Object.assign(brought, report);
      if (cell) brought.cells.push(cell);
      if ('done' in report) {
        const [text, share] = on.progress(job, report, brought, jobs.length);
        on.busy(text, share, job);
        return;
      }
      const said = on.over(job, brought, false);
      jobs = job.anyway || report.error === undefined ? jobs.slice(1) : [];
      if (jobs.length) next();
      else on.idle(said);
    },
    cancel(text) {
      stop();
      settle(text);
    },
    settle,
    busy: () => jobs.length > 0,
  };
}

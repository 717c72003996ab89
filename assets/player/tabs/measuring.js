/**
 * measuring.js: has the server measure one job after the other, and collects what each brings.
 *
 * @typedef {object} Job
 * @property {{run: string, job: string, over?: object[]}} question
 * @property {string} [waits] what is said before its first report; without it, what was said stays
 * @property {boolean} [anyway] whether the next job begins even if this one was refused
 *
 * @typedef {{cells: object[], costs?: object, machine?: object, exact?: object, error?: string}} Result
 *
 * @typedef {object} On
 * @property {(text: string, share: number | null, job: Job) => void} busy
 * @property {(text: string) => void} idle
 * @property {(job: Job, report: object, left: number) => [string, number]} progress what is said of it, and the share
 *   that is done; left: jobs that are not over
 * @property {(job: Job, result: Result, cancelled: boolean) => string} over takes what it result; what is said then
 *
 * @typedef {object} Measuring
 * @property {(jobs: Job[]) => void} start does nothing while jobs are under way
 * @property {(report: object) => void} onReport
 * @property {(text?: string) => void} cancel stops the jobs, and says this
 * @property {(text?: string) => void} settle hears that they were stopped, and says this
 * @property {() => boolean} busy
 */

/**
 * @param {{ ask: (question: object) => void, stop: () => void }} port
 * @param {On} on
 * @returns {Measuring}
 */
export function createMeasuring({ ask, stop }, on) {
  let jobs = []; // the first is under way
  let result = null;

  function next() {
    result = { cells: [] };
    if (jobs[0].waits) on.busy(jobs[0].waits, null, jobs[0]);
    ask(jobs[0].question);
  }

  function settle(text) {
    const [job] = jobs;
    jobs = [];
    const said = job && on.over(job, result, true);
    on.idle(text ?? said ?? '');
  }

  return {
    start(wanted) {
      if (jobs.length) return;
      jobs = wanted;
      next();
    },
    onReport({ cell, ...report }) {
      const [job] = jobs;
      Object.assign(result, report);
      if (cell) result.cells.push(cell);
      if ('done' in report) {
        const [text, share] = on.progress(job, report, jobs.length);
        on.busy(text, share, job);
        return;
      }
      const said = on.over(job, result, false);
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

/**
 * job.js: one long job at a time for the server, which reports its progress and can be told to stop.
 * Pure but for the two functions it is given. Every job gets an id, `ask`, which its reports repeat.
 */

/**
 * ask(question) sends a job, leave(id) stops it on the server; page is an id that no other page has.
 * @returns {{start: (question: object) => void, onReport: (report: object) => object | null, cancel: () => boolean}}
 * start cancels the job before; onReport returns the report if it is about this job, and one without `done` ends
 * it; cancel says whether there was a job
 */
export function createJob(ask, leave, page) {
  let number = 0;
  let current = null;

  function cancel() {
    const open = current;
    current = null;
    if (open) leave(open);
    return open !== null;
  }

  return {
    start(question) {
      cancel();
      number += 1;
      current = `${page}-${number}`;
      ask({ ...question, ask: current });
    },
    onReport(report) {
      if (current === null || report.ask !== current) return null;
      if (!('done' in report)) current = null;
      return report;
    },
    cancel,
  };
}

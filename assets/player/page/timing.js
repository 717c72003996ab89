/**
 * timing.js: has the run on stage timed against plain decoding, as its race does, and can call it off. It waits for its
 * turn with whatever else the server does, so nothing else is computed meanwhile.
 */

import { createJob } from './job.js';
import { tell, words } from '../words/words.js';

/**
 * ask(question) sends it, leave(id) calls it off; timed(run, at): its times are message `at`; changed() hears of every
 * change. { begin(run), cancel(), onReport(text), broke(), of(run): { busy, since: when it began, refusal } }
 */
export function createTiming({ ask, leave, timed, changed }) {
  const job = createJob(ask, leave, Math.random().toString(36).slice(2));
  const none = { run: '', busy: false, since: 0, refusal: '' };
  let now = none;

  function become(next) {
    now = next;
    changed();
  }

  const refuse = (reason) => become({ ...none, run: now.run, refusal: words.race.refused({ reason }) });

  return {
    begin(run) {
      become({ ...none, run, busy: true, since: performance.now() });
      job.start({ run });
    },
    cancel() {
      if (job.cancel()) now = none;
    },
    async onReport(text) {
      const report = job.onReport(JSON.parse(text));
      if (report?.error !== undefined) refuse(tell(report.error));
      else if (report?.at !== undefined) {
        await timed(now.run, report.at);
        become(none);
      }
    },
    broke() {
      if (job.cancel()) become({ ...none, run: now.run, refusal: words.race.broke });
    },
    of: (run) => (now.run === run ? now : none),
  };
}

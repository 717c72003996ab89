/**
 * watchdog.js: when no message of a live run has come for a while, asks the server for the next one.
 * Pure but for the timer and the functions it is given.
 */

const PATIENCE = 5000;

/**
 * If a live run is not over and nothing comes for PATIENCE milliseconds, fetch asks for the next message:
 * news(delta) if there is one, gone() if the server does not answer.
 * @returns {{watch: (trace: object) => void}} to be called for every trace that grew
 */
export function createWatchdog(fetch, { news, gone }) {
  let timer = 0;

  function watch(trace) {
    clearTimeout(timer);
    if (trace.live && !trace.stop) timer = setTimeout(ask, PATIENCE, trace);
  }

  async function ask(trace) {
    const before = timer;
    const start = trace.rounds.length + 1;
    const rounds = await fetch({ run: trace.run, start, stop: start + 1 }).catch(() => null);
    if (before !== timer) return; // something was watch meanwhile
    if (!rounds) gone();
    else if (rounds.length) news({ run: trace.run, n: start, j: null });
    else watch(trace);
  }

  return { watch };
}

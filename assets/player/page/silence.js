/**
 * silence.js: what to do when a run that is being made falls silent: ask the server whether there is more, or nobody.
 */

/**
 * { heard(trace) }, to be told of every trace that grew. While one made here has no end and nothing comes for `patience`
 * milliseconds, fetch is asked for what is missing: news(delta) names it, gone() says that nobody answered.
 */
export function createSilence(fetch, { news, gone }, patience = 5000) {
  let timer = 0;

  function heard(trace) {
    clearTimeout(timer);
    if (trace.live && !trace.stop) timer = setTimeout(ask, patience, trace);
  }

  async function ask(trace) {
    const asked = timer;
    const start = trace.rounds.length + 1;
    const found = await fetch({ run: trace.run, start, stop: start + 1 }).catch(() => null);
    if (asked !== timer) return; // something was heard meanwhile
    if (!found) gone();
    else if (found.length) news({ run: trace.run, n: start, j: null });
    else heard(trace);
  }

  return { heard };
}

/**
 * feed.js: turns the numbered messages of a run into a trace that grows, and fetches messages that were
 * lost. Pure apart from the fetch it is given: no DOM, no clock. Message 0 is the head, then one per round,
 * then the end, then a race, perhaps more than once.
 */

/**
 * A feed takes deltas { run, n, j } in any order and keeps one trace on show. Where j is null, message n is
 * there to be asked for: that counts only for the run on show. One with a trace, from a file, is a whole
 * run.
 * fetch({ run, start, stop }) -> Promise of the messages start..stop-1. on.trace(trace) is called whenever
 * the trace on show grew or gave way to another run's, on.remark(kind, text, run) for "note", "refusal",
 * "failure", "idle", "turn", "row", "proof" and "race" (answers to questions) and "left" (a run that is no
 * longer on show has ended), and on.lost() when messages can no longer be had. The trace is { run, info,
 * prompt, prompt_texts, prefill, live, repeats, rounds, stop, race }: stop is null while rounds are still
 * to come, live says that it was made here, repeats that it was made for an earlier visitor. A run replaces
 * the one before only when its head has arrived. A run that was made here, or whose rounds were still to
 * come, does not return by itself once it was replaced.
 */
export function createFeed(fetch, on) {
  let newest = null;
  const live = new Set();
  const left = new Set();

  function begin(run) {
    if (live.has(newest?.run) || newest?.trace?.live || (newest?.trace && !newest.trace.stop))
      left.add(newest.run);
    newest = { run, waiting: new Map(), next: 0, until: 0, fetching: false, trace: null };
  }

  async function heal(feed) {
    const stop = feed.waiting.size ? Math.min(...feed.waiting.keys()) : feed.until;
    if (feed.fetching || stop <= feed.next) return;
    feed.fetching = true;
    const start = feed.next;
    const found = await fetch({ run: feed.run, start, stop }).finally(() => {
      feed.fetching = false;
    });
    if (feed !== newest) return;
    if (!found.length) {
      on.lost();
      return;
    }
    keepWaiting(feed, start, found);
    if (readWaiting(feed)) on.trace(feed.trace);
    await heal(feed);
  }

  /** Takes one delta; resolves when everything before it has been asked for and shown. */
  return async function ingest(delta) {
    if (!delta) return;
    if (delta.trace) {
      begin(delta.run);
      newest.trace = delta.trace;
      on.trace(delta.trace);
      return;
    }
    if (delta.n < 0) {
      const [[kind, text]] = Object.entries(JSON.parse(delta.j));
      if (kind === 'note') live.add(delta.run);
      on.remark(kind, text, delta.run);
      return;
    }
    if (delta.j === null) {
      if (delta.run !== newest?.run) return;
      newest.until = delta.n + 1;
      await heal(newest);
      return;
    }
    if (left.has(delta.run)) {
      if (JSON.parse(delta.j).end) on.remark('left', '', delta.run);
      return;
    }
    if (delta.run !== newest?.run) begin(delta.run);
    if (delta.n < newest.next) return;
    newest.waiting.set(delta.n, delta.j);
    if (readWaiting(newest)) on.trace(newest.trace);
    await heal(newest);
  };
}

/** Keeps messages from number `start` on until all before them are read. */
function keepWaiting(feed, start, messages) {
  messages.forEach((message, index) => {
    if (start + index >= feed.next) feed.waiting.set(start + index, message);
  });
}

/** Reads the messages that are next in line into the trace, and says whether there were any. */
function readWaiting(feed) {
  const before = feed.next;
  while (feed.waiting.has(feed.next)) {
    take(feed, JSON.parse(feed.waiting.get(feed.next)));
    feed.waiting.delete(feed.next);
    feed.next += 1;
  }
  return feed.next > before;
}

/** The trace that a run's messages amount to; null of none. */
export function traceOf(run, messages) {
  const feed = { run, trace: null };
  messages.forEach((message) => take(feed, JSON.parse(message)));
  return feed.trace;
}

function take(feed, { head, live, repeats, round, end, race, where }) {
  if (head)
    feed.trace = {
      run: feed.run,
      ...head,
      live: live === true,
      repeats: repeats === true,
      rounds: [],
      stop: null,
      race: null,
    };
  if (round) feed.trace.rounds.push(round);
  if (end) feed.trace.stop = end.stop;
  if (race) feed.trace.race = { ...race, where };
}

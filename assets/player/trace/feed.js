/**
 * feed.js: turns the numbered messages of a run into a trace that grows, and fetches messages that were
 * lost. Pure apart from the fetch it is given: no DOM, no clock. Message 0 is the head, then one per round,
 * then the end, then a race, perhaps more than once. What is in them is as in a file of the trace.
 */

/**
 * A trace as the page has it: the fields of a file, see assets/trace.schema.json, and these.
 * @typedef {object} Trace
 * @property {string} run its name
 * @property {object[]} rounds those so far
 * @property {string | null} stop why it ended, null while rounds are still to come
 * @property {string} [text] all that it wrote, of a run that came to its end here
 * @property {object | null} race with where it was timed
 * @property {boolean} live whether it was made here
 * @property {boolean} repeats whether it was made for an earlier visitor
 */

/**
 * A message of a run. A negative n is a remark; where j is null, message n is there to be asked for, which
 * counts for the run on stage alone. One with a trace, from a file, is a whole run.
 * @typedef {{ run: string, n: number, j: string | null, trace?: Trace }} Delta
 */

/**
 * Keeps one trace on stage. A run replaces the one before only when its head has arrived. One that was made
 * here, or whose rounds were still to come, does not return by itself once it was replaced.
 * @param {(request: { run: string, start: number, stop: number }) => Promise<string[]>} fetch messages
 * @param {object} on
 * @param {(trace: Trace) => void} on.onTrace it grew, or gave way to another run's
 * @param {(kind: string, text: string, run: string) => void} on.onRemark what the server says beside a run; kind
 *   is `left` where one that is no longer on stage has ended
 * @param {() => void} on.onLost messages can no longer be had
 * @returns {(delta: Delta) => Promise<void>} takes deltas in any order; resolves when what came before is shown
 */
export function createFeed(fetch, { onTrace, onRemark, onLost }) {
  let newest = null;
  const live = new Set();
  const replaced = new Set();

  function begin(run, trace = null) {
    if (live.has(newest?.run) || newest?.trace?.live || (newest?.trace && !newest.trace.stop))
      replaced.add(newest.run);
    newest = { run, waiting: new Map(), next: 0, until: 0, fetching: false, trace };
  }

  async function fetchMissing(feed) {
    const stop = feed.waiting.size ? Math.min(...feed.waiting.keys()) : feed.until;
    if (feed.fetching || stop <= feed.next) return;
    feed.fetching = true;
    const start = feed.next;
    const messages = await fetch({ run: feed.run, start, stop }).finally(() => {
      feed.fetching = false;
    });
    if (feed !== newest) return;
    if (!messages.length) {
      onLost();
      return;
    }
    keepWaiting(feed, start, messages);
    await show(feed);
  }

  function show(feed) {
    if (readWaiting(feed)) onTrace(feed.trace);
    return fetchMissing(feed);
  }

  function remark({ run, j }) {
    const [[kind, text]] = Object.entries(JSON.parse(j));
    if (kind === 'note') live.add(run);
    onRemark(kind, text, run);
  }

  return async function take(delta) {
    if (!delta) return;
    const { run, n, j, trace } = delta;
    if (trace) {
      begin(run, trace);
      onTrace(trace);
    } else if (n < 0) remark(delta);
    else if (j === null) {
      if (run !== newest?.run) return;
      newest.until = n + 1;
      await fetchMissing(newest);
    } else if (replaced.has(run)) {
      if (JSON.parse(j).end) onRemark('left', '', run);
    } else {
      if (run !== newest?.run) begin(run);
      if (n < newest.next) return;
      newest.waiting.set(n, j);
      await show(newest);
    }
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
    read(feed, JSON.parse(feed.waiting.get(feed.next)));
    feed.waiting.delete(feed.next);
    feed.next += 1;
  }
  return feed.next > before;
}

/**
 * The trace that a run's messages amount to; null of none.
 * @returns {Trace | null}
 */
export function traceOf(run, messages) {
  const feed = { run, trace: null };
  messages.forEach((message) => read(feed, JSON.parse(message)));
  return feed.trace;
}

function read(feed, { head, live, repeats, round, end, race, where }) {
  if (head) feed.trace = { run: feed.run, ...head, live, repeats, rounds: [], stop: null, race: null };
  if (round) feed.trace.rounds.push(round);
  if (end) Object.assign(feed.trace, end);
  if (race) feed.trace.race = { ...race, where };
}

/**
 * words-run.js: what the foot, the panes and the two clocks say of a whole run.
 */

import { plural } from '../base/format.js';

export const clocks = {
  title: (tokens, same) => `The same ${same ? 'text' : 'length of text'}, ${tokens} tokens, on one clock`,
  untimed: (tokens) => `These ${tokens} tokens on the run’s own clock`,
  plain: (passes, time) => `${plural(passes, 'slow pass', 'slow passes')}, ${time}`,
  spec: (passes, guesses, time) =>
    `${plural(passes, 'slow pass', 'slow passes')}${guesses ? ` + ${plural(guesses, 'quick guess', 'quick guesses')}` : ''}, ${time}`,
  open: 'not timed with this run; Race measures it',
  names: { plain: 'Big model alone', spec: 'With guesses' },
  done: {
    faster: (times) => `done, ${times}× faster`,
    slower: (times) => `done first, ${times}× faster than with guesses`,
    same: () => 'done: too close to call',
  },
  legend: { verify: 'pass of the big model', draft: 'guess of the draft model', other: 'bookkeeping' },
};

export const foot = {
  gamma: (gamma, kept, forks) =>
    `${forks ? 'nodes' : 'γ'} ${gamma}, ${kept === null ? 'undecided' : `accepted ${kept}`}`,
  cache: (length) => `KV length ${length}`,
  kv: 'KV cache',
  gone: (many) => `−${many}`,
};

export const dock = {
  label: 'Details',
  toggles: 'Open beside the figure',
  names: { code: 'Code', cache: 'Cache', clock: 'Clock' },
  titles: {
    code: 'The algorithm, with this round’s numbers (A)',
    cache: 'Both KV caches, one cell per token (K)',
    clock: 'Where this round’s time went (M)',
  },
  close: (name) => `Close ${name}`,
  cache: 'KV cache',
  cells: 'one cell per token',
  legend: { committed: 'kept', speculative: 'guess', 'rolled-back': 'discarded', owed: 'behind' },
  overTime: 'Length over the run: target solid, draft model dashed',
  run: 'Whole run',
  without: (tokens, time) => `“without”: ${plural(tokens, 'pass', 'passes')} of ${time} ms`,
  untimed: 'Plain decoding was not timed with this run.',
};

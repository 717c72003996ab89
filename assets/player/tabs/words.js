/**
 * words.js: what the head of every tab says of where its figures come from, beside the words of the stage. Pure.
 */

import { words as below } from '../stage/words.js';

const THREADS = (many) => (many === 1 ? '1 thread' : `${many} threads`);
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const WAYS = { ngram: 'n-gram' };

/** 2026-11-23T… as 23 November 2026. */
const day = (when) => `${Number(when.slice(8, 10))} ${MONTHS[Number(when.slice(5, 7)) - 1]} ${when.slice(0, 4)}`;

const head = {
  pills: { recorded: 'Recorded', here: 'Measured here', stage: 'The run on stage', busy: 'Measuring', none: 'Not measured yet' },
  machine: ({ machine, threads, recorded }) => `${machine}, ${THREADS(threads)}, ${day(recorded)}`,
  run: (opening, { drafter, gamma, gamma_rule: by, temperature, seed }) =>
    `“${opening}”, ${WAYS[drafter] ?? drafter.replaceAll(/[-_]/g, ' ')}, γ = ${by === 'fixed' ? gamma : by.replaceAll(/[-_]/g, ' ')}, T = ${temperature}, seed ${seed}`,
  other: (run) => `Not the run on stage: ${run}.`,
  same: (run) => `Of the run on stage: ${run}.`,
  measure: 'Measure here',
  remeasure: 'Measure again',
  cancel: 'Cancel',
  progress: 'Progress of the measurement',
  waiting: 'Waiting for a turn.',
};

export const words = { ...below, head };

/**
 * words.js: what the head of every tab says of where its figures come from, beside the words of the stage.
 * Pure.
 */

import { inLanguage } from './language.js';
import { words as below } from '../stage/words.js';
import { plainName } from '../base/format.js';
import { hasNoLength } from '../base/lengths.js';

const THREADS = (many) => (many === 1 ? '1 thread' : `${many} threads`);
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** 2026-11-23T… as 23 November 2026. */
const day = (when) =>
  `${Number(when.slice(8, 10))} ${MONTHS[Number(when.slice(5, 7)) - 1]} ${when.slice(0, 4)}`;

/** “, γ = 4” or “, γ by ema”; empty where a drafter leaves no length to choose. */
export function lengthOf({ drafter, gamma, gamma_rule: by = 'fixed' }) {
  if (hasNoLength(drafter)) return '';
  return by === 'fixed' ? `, γ = ${gamma}` : `, γ by ${plainName(by)}`;
}

const head = {
  pills: {
    recorded: 'Recorded',
    here: 'Measured here',
    stage: 'The run on stage',
    busy: 'Measuring',
    none: 'Not measured yet',
  },
  machine: ({ machine, threads, recorded }) => `${machine}, ${THREADS(threads)}, ${day(recorded)}`,
  run: (opening, config) =>
    `“${opening}”, ${plainName(config.drafter)}${lengthOf(config)}, T = ${config.temperature}, seed ${config.seed}`,
  other: (run) => `Not the run on stage: ${run}.`,
  same: (run) => `Of the run on stage: ${run}.`,
  measure: 'Measure here',
  remeasure: 'Measure again',
  cancel: 'Cancel',
  progress: 'Progress of the measurement',
  waiting: 'Waiting for a turn.',
};

/**
 * What the genre sweep decodes: beginnings in the three kinds of text that the embedded pair knows, none
 * from its training text.
 */
export const PROMPTS = {
  code: [
    'def count_words(text):\n    """Return how often each word occurs in the text."""\n    counts = {}\n',
    'class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n',
  ],
  tale: [
    'Once upon a time a miller had three daughters, and the youngest could talk with birds. One morning',
    'There was once a king who had a garden in which stood a tree that bore silver pears. Every night',
  ],
  verse: [
    'ROMEO:\nWhat bell is that which wakes the sleeping street?\n\nJULIET:\n',
    'KING HENRY:\nMy lords, the messenger is come from France.\nWhat says he of the',
  ],
};

export const words = { ...below, ...inLanguage({ head }) };

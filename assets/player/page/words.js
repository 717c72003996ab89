/**
 * words.js: what the menu of draft methods and the control that chooses a pair say, beside the words of
 * trace. Pure.
 */

import { inLanguage } from '../base/language.js';
import { words as below } from '../trace/words.js';

const methods = {
  label: 'Ways to guess',
  more: 'more',
  open: 'More ways to guess',
  chosen: (name) => `${name}; more ways to guess`,
  families: {
    counts: ['Counts', 'how often a token followed'],
    copies: ['Copies', 'what stood here before'],
    models: ['Models', 'a smaller or cheaper model'],
    heads: ['Heads', 'small parts trained on the target'],
    target: ['The target itself', 'guesses for itself'],
    cascades: ['Cascades', 'a drafter for the drafter'],
    trees: ['Trees', 'several ways on at once'],
    'no drafter': ['No drafter', 'the target guesses for itself'],
  },
  needs: ({ modelled, counted, asset, family }) =>
    modelled
      ? 'a second model'
      : counted
        ? 'a count table'
        : asset
          ? 'a file'
          : family === 'target'
            ? 'the target alone'
            : 'needs nothing',
  lacks: (asset) => `Cannot run here: this pair has no ${asset}. Choose another pair under Models.`,
  shapes: { chain: 'one line of guesses', tree: 'several ways on' },
  exact: '✓ all exact: the text is distributed as the target’s own',
  idle: 'not used',
  noLength: 'These guesses have no length to choose, so γ does nothing here.',
  alone: 'On guesses that are chosen, not drawn, this is rejection sampling, number for number.',
};

const refusal = {
  labels: {
    gamma: 'γ',
    temperature: 'T',
    top_k: 'Top-k',
    top_p: 'Top-p',
    max_new_tokens: 'Length',
    seed: 'Seed',
    nodes: 'Nodes',
  },
  temperature: '0, or a number from 0.05 to 2',
  top_p: 'a number above 0, at most 1',
  whole: (low, high) => `a whole number from ${low} to ${high}`,
  needs: (label, wanted) => `${label} needs ${wanted}.`,
  line: (line) => `Not run: ${line}.`,
};

const link = {
  long: 'This link is too long to be one of this page; it was not read.',
  version: (version) =>
    `The link was made by another version of this page (${version}); what is known of it was used.`,
  ignored: (key) => `“${key}” in the link means nothing here.`,
  mended: (name, given, used) => `The link asks for ${name} ${given}; ${used} was used.`,
  unknown: (name, given) => `The link asks for the ${name} “${given}”, which is not here.`,
  names: {
    recorded: 'recorded run',
    gamma: 'γ',
    temperature: 'T',
    top_k: 'top-k',
    top_p: 'top-p',
    max_new_tokens: 'a length of',
    seed: 'seed',
    drafter: 'way to guess',
    rule: 'acceptance rule',
    gamma_rule: 'γ rule',
  },
  otherPair: (pair) => `The link was made with ${pair}. Choose it under Models to see the same run.`,
  differs: (token) =>
    `This machine decodes otherwise than the one the link was made on: its text differs from token ${token} on.`,
  attached: 'Show the attached run',
  damaged: 'The run attached to this link cannot be read.',
  attachment: 'attached to a link',
  nowhere: 'The place that the link leads to is not in this run.',
};

const pair = {
  label: 'Models',
  embedded: 'built-in demo pair',
  looking: 'looking which pairs this machine can run',
  ready: 'in memory',
  waiting: (pair) => `${pair}: waiting for a turn`,
  step: (pair, what) => `${pair}: ${what}`,
  done: (pair) => `${pair} is ready`,
  cancel: 'Cancel',
  prompt: 'Its prompt',
  calledOff: (pair, present) => `${pair} was called off; ${present} stays`,
  failed: (reason, present) => `Not changed: ${reason}. ${present} stays.`,
  unlisted: (reason) => `The models cannot be listed: ${reason}.`,
  broke: 'the server gave no answer',
  bar: (pair) => `Loading ${pair}`,
  so: (done, total) => (total ? `${done} of ${total}` : done),
  rate: (bytes) => `${bytes}/s`,
  left: (seconds) => `${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`,
  value: (percent, rest) => `${percent} %: ${rest}`,
};

const lesson = {
  title: 'For a class',
  opens: 'The link opens',
  asks: [
    ['', 'this place in the run'],
    ['one', 'Predict, each alone'],
    ['room', 'Predict, show of hands'],
  ],
  hides: [
    ['settings', 'Lock the settings'],
    ['tabs', 'Hide the tabs'],
    ['models', 'Hide the models’ names'],
  ],
  address: 'Link for the class',
  code: 'QR code of the link',
  copy: 'Copy link',
  byHand: 'Copy the link by hand.',
  long: 'The prompt is too long for a QR code; copy the link.',
  print: 'Print a worksheet',
  local: 'Only this computer can open this address. Others need its network address, and --host 0.0.0.0.',
  second: 'Open a second screen',
  first: 'the first screen',
};

export const words = { ...below, ...inLanguage({ lesson, link, methods, pair, refusal }) };

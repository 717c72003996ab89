/**
 * words-pair.js: the sentences of the pair's control; words.js puts them into the one table. Pure.
 */

export const pair = {
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

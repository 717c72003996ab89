/**
 * words-race.js: the sentences of the Race tab; words.js puts them into the one table. Pure.
 */

const plural = (many, one) => (many === '1' ? `1 ${one}` : `${many} ${one}s`);

export const race = {
  title: 'Does guessing pay here?',
  about: (seconds) =>
    `Decodes the run 4 more times, in turns with plain decoding by the same target from the same prompt and seed: off the page, nothing drawn or recorded, the prompt read off the clock. About ${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}.`,
  start: 'Race it',
  again: 'Time it again',
  waiting: 'waiting for a turn',
  refused: (reason) => `Not timed: ${reason}.`,
  broke: 'Not timed: the engine broke off; the server’s log says why.',
  unraceable: {
    file: 'This run came from a file, which the server never sees, so it cannot be timed here. Press Run for one that can.',
    making: 'This run is still being made. Once it has come to its end, it can be raced here.',
    stopped: 'This run was stopped, and only a whole run can be raced. Press Run for a new one and let it end.',
    deadline: 'This run was out of time, and only a whole run can be raced. Ask for fewer tokens.',
    failed: 'This run broke off, and only a whole run can be raced. Press Run for a new one.',
  },

  lanes: { speculative: 'speculative', plain: 'plain' },
  result: 'Result',
  faster: 'faster than plain decoding',
  slower: 'slower than plain decoding',
  times: (factor) => `${factor}×`,
  range: (low, high, laps) => `${low} to ${high} over ${plural(laps, 'lap')}`,
  close: ' Laps fall on both sides of 1: too close to call.',
  columns: { lane: 'lane', tokens: 'tokens', passes: 'passes', time: 'median lap', rate: 'tok/s', range: 'over all laps' },
  between: (low, high) => `${low} to ${high}`,
  reason: {
    slower: (rows, v, alpha, needed) => `Slower here: verify of ${rows} costs ${plural(v, 'plain step')}; α̂ = ${alpha}${needed}.`,
    needed: (alpha) => `, and it takes ${alpha} to break even`,
    enough: (alpha) => `, which is above the ${alpha} that breaks even, but passes off the median cost more`,
    never: ', and even α = 1 would not pay',
    nothing: (v) => `Slower here: nothing is guessed, so each round is one plain step of ${v} and the overhead.`,
    faster: (whole, perRound) => `A round costs ${plural(whole, 'plain step')} and gives ${plural(perRound, 'token')}.`,
  },

  clock: 'Both on one clock, in ms',
  legend: { drafting: 'draft pass', verify: 'target pass over all guesses', other: 'overhead', plain: 'plain target pass' },
  track: (name, end, tokens, passes) => `The ${name} lane: ${tokens} tokens in ${passes} target passes, done after ${end}`,
  reading: (tokens, all, passes, most) => `${tokens} of ${all} tokens · pass ${passes} of ${most}`,
  ahead: (time) => `done, ${time} ahead`,
  texts: { speculative: 'Speculative', plain: 'Plain' },
  same: 'the same text',
  other: 'another text under the same law',

  playback: 'Race playback',
  play: 'Play the race',
  pause: 'Pause the race',
  restart: 'From the start',
  scrub: 'Time in the race',
  speed: 'Speed',
  speeds: { 1: 'real time', 10: '10 × slower', 50: '50 × slower' },
  at: (time, total, unit) => `${time} of ${total} ${unit}`,
  said: (time, speculative, plain) => `${time}: speculative ${plural(speculative, 'token')}, plain ${plural(plain, 'token')}`,

  cost: {
    title: 'What a round costs',
    unit: (time) => `in plain steps of ${time} ms`,
    caption: 'What a round costs and gives, and the speed-up that follows from it, against the measured one',
    columns: { name: 'name', formula: 'formula with this race’s numbers', value: 'value' },
    c: ['c', 'one draft pass', (draft, t1) => `${draft} / ${t1} ms`],
    noDraft: 'nothing was guessed',
    v: (rows) => [`v(${rows})`, rows === 1 ? 'verify of one token' : `verify of ${rows} at once`, (verify, t1) => `${verify} / ${t1} ms`],
    overhead: ['overhead', 'judge, trim, the rest', (rest, t1) => `${rest} / ${t1} ms`],
    alpha: ['α̂', 'kept of the tested', (kept, tested) => `${kept} / ${tested}`],
    expected: ['E[tokens]', 'a round', (alpha, power) => `(1 − ${alpha}${power}) / (1 − ${alpha})`],
    certain: (gamma) => `${gamma} + 1, as α̂ = 1`,
    predicted: ['S predicted', 'E / (γc + v)', (expected, gamma, c, v) => `${expected} / (${gamma} · ${c} + ${v})`],
    alone: (expected, v) => `${expected} / ${v}`,
    measured: ['S measured', 'ms per token', (plain, speculative) => `${plain} / ${speculative}`],
    breakEven: ['break-even α', 'E = γc + v + overhead', (whole) => `E = ${whole}`],
    why: { always: 'pays even at α = 0', never: 'not even α = 1 pays', nothing: 'α does not matter' },
    gap: (percent, overhead, tokens, perRound, expected, rest) =>
      `Measured is ${percent} % of predicted: ×\u00A0${overhead} for the overhead, left out of the formula; ×\u00A0${tokens} for ${plural(perRound, 'token')} a round instead of ${expected}, as E takes guesses as independent; ×\u00A0${rest} for passes off the median.`,
  },
  where: (device, dtype, threads, forward) => `Timed on ${device}, ${dtype}, ${plural(threads, 'thread')}; target pass: ${forward}.`,
  forward: (name, reason) => (reason ? `${name} (${reason})` : name),
  laps: (laps, when) => `${plural(laps, 'lap')} each after a warm-up, in turns; prompt off the clock; ${when}.`,
};

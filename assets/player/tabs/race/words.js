/**
 * words.js: the sentences of the Race tab, beside the words of all tabs. Numbers arrive as text. Pure.
 */

import { inLanguage } from '../language.js';
import { words as below } from '../words.js';
import { plural } from '../../base/format.js';

const race = {
  title: 'Which one finishes the text first?',
  sources: { same: 'The same text', run: 'The run on stage' },
  sourceNotes: {
    same: 'Both write the identical text: the same random noise for both models.',
    other: 'Different random numbers, same distribution, so another text.',
    equal: 'Both write the identical text.',
  },
  pill: (here, { device, ...where }) =>
    `${below.head.pills[here ? 'here' : 'recorded']}: ${below.head.machine({ machine: device, ...where })}`,
  flag: '⚑',
  running: 'Not finished yet …',
  won: {
    faster: (times) => `${times} faster`,
    slower: (times) => `${times}: slower`,
    close: (times) => `${times}: too close to call`,
  },
  fall: {
    title: 'Where the speed-up goes',
    about: (gamma, ceiling, forks) =>
      `${forks ? 'A branch of ' : ''}${plural(gamma, 'guess', 'guesses')} and one token of the target: ${ceiling}× if every guess were accepted and all else were free. Each bar takes one more cost into account.`,
    start: { rejections: 'Ceiling, γ + 1', unsized: 'Ceiling' },
    end: 'Measured',
    steps: {
      rejections: ['Guesses not accepted', 'Mend: a draft model closer to the target, or a smaller γ.'],
      unsized: ['Guesses not accepted', 'Mend: guesses closer to the target.'],
      drafting: ['Draft passes', 'Mend: a smaller or faster draft model.'],
      wider: ['Wider pass', 'Mend: hardware with arithmetic to spare, such as a GPU.'],
      taught: ['Own cost, teaching too', 'Mend: smaller or fewer updates of the draft model.'],
      own: ['Own cost', 'Mend: less work around the passes (accepting, drawing, rolling back).'],
    },
    free: { wider: 'Nothing to mend: several tokens took no longer than one.', other: 'Nothing to mend.' },
    lost: (value) => `−${value}`,
    gained: (value) => `+${value}`,
  },
  details: 'All numbers',
  about: (seconds) =>
    `Runs it 4 more times, alternating with the big model alone: same prompt, same seed, nothing drawn meanwhile. About ${seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`}.`,
  start: 'Measure here',
  remeasure: 'Measure here',
  waiting: 'Waiting for a turn.',
  refused: (reason) => `Not measured: ${reason}.`,
  broke: 'Not measured: the engine broke off; see the server’s log.',
  unraceable: {
    file: 'This run came from a file, which the server never sees, so it cannot be measured here. Press Run for one that can.',
    making: 'This run is not finished yet. Once it is, it can be measured here.',
    stopped: 'This run was stopped, and only a finished run can be measured. Press Run for a new one.',
    deadline: 'This run ran out of time, and only a finished run can be measured. Ask for fewer tokens.',
    failed: 'This run broke off, and only a finished run can be measured. Press Run for a new one.',
  },

  lanes: { speculative: 'With guesses', plain: 'Big model alone' },
  result: 'Result',
  faster: 'faster than the big model alone',
  slower: 'slower than the big model alone',
  times: (factor) => `${factor}×`,
  range: (low, high, laps) => `${low} to ${high} over ${plural(laps, 'run')}`,
  close: ' Some runs were faster and some slower.',
  columns: {
    lane: 'lane',
    tokens: 'tokens',
    passes: 'passes',
    time: 'median run',
    rate: 'tokens/s',
    range: 'over all runs',
  },
  between: (low, high) => `${low} to ${high}`,
  because: (range, reason) => `${range}. ${reason}`,
  reason: {
    slower: (most, alpha, needed) =>
      `Slower here: ${most}; ${alpha} of the tested guesses were accepted${needed}.`,
    pass: (rows, v) => `one pass over ${rows} tokens takes as long as ${plural(v, 'normal step')}`,
    drafting: (guesses, steps, v) =>
      `guessing ${plural(guesses, 'token')} takes as long as ${plural(steps, 'normal step')}, checking them ${v}`,
    teaching: (steps) => `, and teaching the draft model another ${steps}`,
    needed: (alpha) => `, and it takes ${alpha} to break even`,
    enough: (alpha) => `, which is above the ${alpha} that breaks even, but slow outliers cost more`,
    never: ', and even accepting all of them would not pay off',
    nothing: (v) =>
      `Slower here: nothing is guessed, so each round is one normal step, ${v}, plus bookkeeping.`,
    faster: (whole, perRound) =>
      `One round takes as long as ${plural(whole, 'normal step')} but yields ${plural(perRound, 'token')}.`,
  },

  clock: 'Both on one clock',
  legend: { plain: 'pass of the big model', drafting: 'guess of the draft model', other: 'bookkeeping' },
  track: (name, end, tokens, passes) =>
    `${name}: ${tokens} tokens in ${passes} target passes, done after ${end}`,
  reading: (tokens, all, passes, most) => `${tokens} of ${all} tokens · pass ${passes} of ${most}`,
  ahead: (time) => `⚑ done, ${time} ahead`,
  origin: '0 ms',
  texts: { speculative: 'Text with guesses', plain: 'Text of the big model alone' },
  same: 'identical text',
  other: 'different random numbers, same distribution, so another text',

  playback: 'Race playback',
  play: 'Play the race',
  pause: 'Pause the race',
  restart: 'From the start',
  scrub: 'Time in the race',
  speed: 'Speed',
  speeds: { 1: 'recorded speed', 10: '10× slower', 50: '50× slower' },
  at: (time, total, unit) => `${time} of ${total} ${unit}`,
  said: (time, speculative, plain) =>
    `${time}: with guesses ${plural(speculative, 'token')}, alone ${plural(plain, 'token')}`,

  cost: {
    title: 'What a round costs',
    unit: (time) => `in normal steps of ${time} ms`,
    caption: 'What a round costs and gives, and the speed-up that follows from it, against the measured one',
    columns: { name: 'name', formula: 'formula with this race’s numbers', value: 'value' },
    c: ['c', 'one guess', (draft, t1) => `${draft} / ${t1} ms`],
    level: ['c', 'one level of guesses'],
    noDraft: 'nothing was guessed',
    v: (rows) => [
      `v(${rows})`,
      rows === 1 ? 'a pass over one token' : `one pass over ${rows} tokens`,
      (verify, t1) => `${verify} / ${t1} ms`,
    ],
    overhead: ['own cost', 'accept, roll back, other', (rest, t1) => `${rest} / ${t1} ms`],
    teaching: ['of it', 'teach the draft model, roll back', (learned, t1) => `${learned} / ${t1} ms`],
    alpha: ['α', 'accepted of the tested', (kept, tested) => `${kept} / ${tested}`],
    places: ['α', 'places where a guess was accepted'],
    expected: [
      'E[tokens]',
      'per round, if α were constant',
      (alpha, power) => `(1 − ${alpha}${power}) / (1 − ${alpha})`,
    ],
    certain: (gamma) => `${gamma} + 1, as α = 1`,
    predicted: [
      'predicted speed-up',
      'E / (γc + v)',
      (expected, gamma, c, v) => `${expected} / (${gamma} · ${c} + ${v})`,
    ],
    alone: (expected, v) => `${expected} / ${v}`,
    measured: ['measured speed-up', 'ms per token', (plain, speculative) => `${plain} / ${speculative}`],
    breakEven: ['break-even α', 'E = γc + v + own cost', (whole) => `E = ${whole}`],
    why: { always: 'pays off even at α = 0', never: 'not even α = 1 pays off', nothing: 'α does not matter' },
    siblings: {
      bring: (many, all, first, alpha, from, to, gain) =>
        `${many} of the ${all} guesses stand beside another. They raise α from ${first} to ${alpha}, so E from ${from} to ${to} tokens: ×\u00A0${gain}.`,
      cost: (cost, whole, dear, levels, drafting) =>
        ` They cost ${cost} of the round’s ${plural(whole, 'normal step')}: ×\u00A0${dear}; the draft’s ${plural(levels, 'level')} cost ${drafting}.`,
      pays: ' Here they bring more than they cost.',
      loses: ' Here they cost more than they bring.',
    },
    gap: (percent, overhead, tokens, perRound, expected, rest) =>
      `Measured is ${percent} % of predicted: ×\u00A0${overhead} for the bookkeeping, which the formula leaves out; ×\u00A0${tokens} for ${plural(perRound, 'token')} per round instead of ${expected}, as E takes guesses as independent; ×\u00A0${rest} for outliers.`,
  },
  where: (device, dtype, threads, forward) =>
    `Measured on ${device}, ${dtype}, ${plural(threads, 'thread')}; target pass: ${forward}.`,
  forward: (name, reason) => (reason ? `${name} (${reason})` : name),
  laps: (laps, when) =>
    `${plural(laps, 'run')} each after a warm-up, alternating; reading the prompt is not counted; ${when}.`,
};

export const words = { ...below, ...inLanguage({ race }) };

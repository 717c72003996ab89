/**
 * words.js: the sentences of the Compare tab, beside the words of all tabs. Numbers arrive as text. Pure.
 */

import { inLanguage } from '../language.js';
import { lengthOf, words as below } from '../words.js';
import { plainName, plural } from '../../base/format.js';

const listed = (names) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
const ruled = (name) =>
  ({
    rejection: 'rejection sampling',
    block: 'block verification',
    coupled: 'shared noise',
    typical: 'typical acceptance (lossy)',
  })[name] ?? plainName(name);

const PARAGRAPH =
  'The lamp in the window was lit every evening, and every evening somebody on the far shore counted the seconds until it went out.';
const FIBONACCI = "def fibonacci(n):\n    '''Calculate the nth Fibonacci number'''\n";

/** The prompts that the presets type, by their names in the words; null for that of the run on stage. */
export const PRESETS = {
  stage: null,
  repeat: `Write the same paragraph three times.\n\n${PARAGRAPH}\n\n${PARAGRAPH}\n\nThe lamp`,
  code: FIBONACCI,
  json: '{"name": "Alice", "age": 30, "address": {',
  poem: 'Write a surreal poem about quantum mechanics.\n\n',
  primes: 'Prove that there are infinitely many primes.\n\n',
  digits: 'Random digits: 7 1 9 4 0 8 2 6 3 5 5 0 8 1 7 3',
};

/** The prompts on which ways to set γ are compared, with a word that tells each. */
export const TRIED = [
  { name: 'France', prompt: 'The capital of France is' },
  { name: 'scientists', prompt: 'In a shocking turn of events, scientists discovered that' },
  { name: 'fibonacci', prompt: FIBONACCI },
];

const compare = {
  question: 'Which way of guessing is fastest?',
  answer: {
    times: (speedup) => `${speedup}×`,
    says: (lane, described) => `as fast as plain decoding: lane ${lane}, ${described}.`,
    close: (lanes) =>
      ` ${listed(lanes)} ${lanes.length > 1 ? 'overlap' : 'overlaps'} with it: too close to call.`,
    slower: ' Here, plain decoding is faster than every lane.',
  },
  wait: 'The verdict comes once every lane is measured.',
  hereOf: (run) => `This server, just now: ${run}`,
  title: 'Set up lanes',
  about: 'One prompt and seed, 2 to 4 lanes. Each is re-run 3 times without drawing, to time it.',
  nothing: 'Press Compare: the texts appear aligned by position, with the cost of each lane.',

  prompts: 'Prompt',
  presets: {
    stage: 'The run on stage',
    repeat: 'Repeat a paragraph',
    code: 'Code',
    json: 'JSON',
    poem: 'Surreal poem',
    primes: 'Proof',
    digits: 'Random digits',
  },
  seed: 'Seed',
  length: (most) => `Length (tokens, up to ${most})`,
  lanes: 'Lanes',
  lane: (letter) => `Lane ${letter}`,
  fields: {
    drafter: 'Draft model',
    gamma: 'γ',
    gamma_rule: 'γ rule',
    rule: 'Acceptance rule',
    temperature: 'T',
  },
  name: plainName,
  ruled,
  add: 'Add a lane',
  remove: (letter) => `Remove lane ${letter}`,
  start: 'Compare',
  waiting: 'Waiting for a turn.',
  done: (done, of) => `${done} of ${plural(of, 'lane')} done`,
  cancelled: 'Cancelled; finished lanes stay.',
  gaveWay: 'The other question goes first; what was done stays.',
  refused: (reason) => `Not measured: ${reason}.`,

  described: ({ rule, temperature, ...lane }) =>
    `${plainName(lane.drafter)}${lengthOf(lane)}, T = ${temperature}${rule === 'rejection' ? '' : `, ${ruled(rule)}`}`,
  ribbons:
    'The texts, aligned by position. A line before a token: a target pass began there. Arrow keys move between tokens.',
  laneHead: 'lane',
  pending: { waits: 'Waiting for its turn.', left: 'Not decoded.' },
  reading: (position) => `Position ${position}:`,
  point: 'Point at a token, or use the arrow keys, to see what every lane wrote there.',
  ended: 'the end of the text',

  texts: {
    greedy: (lanes, many) =>
      `${listed(lanes)} wrote the same ${plural(many, 'token')}: at T = 0 the target’s most likely token wins, whoever guesses. Only who wrote it differs.`,
    coupled: (lanes, many) =>
      `${listed(lanes)} wrote the same ${plural(many, 'token')}: with shared noise the seed fixes the text, whoever guesses. Only who wrote it differs.`,
    differ: (one, other, position, here, there, why) =>
      `${one} and ${other} differ from token ${position} on: “${here}” vs. “${there}”. ${why} they must be equal, so this is a bug or a numerical tie. Run ${other} on stage: “Is it exact?” compares it with plain decoding and shows both logits.`,
    must: { greedy: 'At T = 0', coupled: 'With shared noise' },
    law: (lanes) =>
      `${listed(lanes)}: same distribution, different random numbers, so another text. Each follows exactly the target’s distribution at its temperature.`,
    chance: (lanes) => `${listed(lanes)}: same distribution, and here, by chance, the same text.`,
    laws: 'T differs between lanes, so their distributions differ: their texts cannot be compared.',
    alone: (lane) => `Only lane ${lane} was decoded, so there is no text to compare it with.`,
    none: 'No lane was decoded; each says why.',
  },

  table: 'In numbers',
  columns: {
    lane: 'lane',
    alpha: 'α',
    perPass: 'tokens per pass',
    time: 'time',
    rate: 'tokens/s',
    speedup: 'speed-up',
    wasted: 'discarded',
  },
  cells: {
    alpha: (alpha, kept, tested) => `${alpha} (${kept}/${tested})`,
    perPass: (perPass, made, passes) => `${perPass} (${made}/${passes})`,
    speedup: (speedup, low, high) => `${speedup}× (${low} to ${high})`,
  },
  timed:
    'Medians of 3 runs after a warm-up, alternating with plain decoding; the prompt is not timed. In brackets: counts, and the range over the runs.',
  chart: 'What each lane cost',
  panels: { alpha: 'α', perPass: 'tokens per pass', speedup: 'speed-up', wasted: 'discarded' },
  says: {
    lane: (letter, described) => `${letter} (${described})`,
    fastest: (lane, time, made, speedup) =>
      `${lane} is fastest: ${plural(made, 'token')} in ${time}, ${speedup}× as fast as plain decoding.`,
    close: (lanes) => ` Its runs overlap with those of ${listed(lanes)}: too close to call.`,
    slower: (lanes) => ` Slower than plain decoding: ${listed(lanes)}.`,
    none: ' No lane beats plain decoding.',
    most: (lanes, alpha) => ` ${listed(lanes)} ${lanes.length > 1 ? 'have' : 'has'} the highest α, ${alpha}.`,
    wasted: (lanes, slots) =>
      ` ${listed(lanes)} ${lanes.length > 1 ? 'discard' : 'discards'} the most (${slots} cache ${slots === '1' ? 'entry' : 'entries'}).`,
    noWaste: ' No lane discards a cache entry.',
  },

  strategies: {
    title: 'Does an adaptive γ pay off?',
    about: (drafter, tokens, laps) =>
      `“The capital of France is”, “In a shocking turn of events, scientists discovered that” and “def fibonacci(n):” with its docstring, guesses by ${plainName(drafter)}, at γ = 4 and at a γ that adapts: ${plural(laps, 'seed')} of ${tokens} tokens each, alternating with plain decoding.`,
    rule: 'Adaptive γ rule',
    start: 'Measure here',
    here: 'Measured here, just now.',
    done: (done, of) => `${done} of ${of} runs done`,
    nothing: 'Press Measure here for tokens per second and speed-up on each prompt.',
    ways: {
      baseline: 'plain decoding',
      fixed: 'fixed γ = 4',
      adaptive: (rule) => `adaptive: ${plainName(rule)}`,
    },
    chart: 'Tokens per second and speed-up',
    panels: { rate: 'tokens/s', speedup: 'speed-up' },
    about_bar: (name, value, low, high, unit) => `${name}: ${value} ${unit}, ${low} to ${high}`,
    says: (fixed, adaptive, laps) =>
      `Speed-up with fixed γ = 4: ${fixed}; adaptive: ${adaptive} (medians of ${plural(laps, 'seed')}, whiskers show all).`,
    span: (low, high) => (low === high ? `${low}×` : `${low} to ${high}×`),
    best: (faster, of, rule) => ` Adaptive is faster on ${faster} of ${plural(of, 'prompt')}.`,
    overlaps: (many, of) => ` Their whiskers overlap on ${many} of ${of}: too close to call there.`,
    slower: (names) => ` Slower than plain decoding: ${listed(names)}.`,
    none: ' Plain decoding is faster than both on every prompt.',
    slowerOne: (way, prompt) => `${way} γ on “${prompt}”`,
    columns: ['prompt', 'way', 'seed', 'tokens', 'ms', 'plain ms', 'tok/s', 'speed-up', 'alpha'],
  },
};

export const words = { ...below, ...inLanguage({ compare }) };

/**
 * words-compare.js: the sentences of the Compare tab; words.js puts them into the one table. Pure.
 */

const plural = (many, one) => (many === '1' ? `1 ${one}` : `${many} ${one}s`);
const listed = (names) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`);
const spaced = (name) => ({ ngram: 'n-gram' }[name] ?? name.replaceAll(/[-_]/g, ' '));

const PARAGRAPH = 'The lamp in the window was lit every evening, and every evening somebody on the far shore counted the seconds until it went out.';
const FIBONACCI = "def fibonacci(n):\n    '''Calculate the nth Fibonacci number'''\n";

export const compare = {
  title: 'Side by side',
  about: 'The same prompt and seed in 2 to 4 lanes. Each is recorded for its ribbon, then decoded again off the page, three laps, for its time.',
  empty: 'No run on stage yet, so there is nothing to set lanes up from. Press Run, or choose a recorded run in Settings.',
  nothing: 'Set the lanes up and press Compare: their texts appear here, position under position, and what each of them cost.',

  prompts: 'Prompt',
  presets: [
    { name: 'stage', label: 'the run on stage', prompt: null },
    { name: 'repeat', label: 'repeat three times', prompt: `Write the same paragraph three times.\n\n${PARAGRAPH}\n\n${PARAGRAPH}\n\nThe lamp` },
    { name: 'code', label: 'code', prompt: FIBONACCI },
    { name: 'json', label: 'JSON', prompt: '{"name": "Alice", "age": 30, "address": {' },
    { name: 'poem', label: 'surreal poem', prompt: 'Write a surreal poem about quantum mechanics.\n\n' },
    { name: 'primes', label: 'prime proof', prompt: 'Prove that there are infinitely many primes.\n\n' },
    { name: 'digits', label: 'random digits', prompt: 'Random digits: 7 1 9 4 0 8 2 6 3 5 5 0 8 1 7 3' },
  ],
  seed: 'seed',
  length: (most) => `tokens, at most ${most}`,
  lanes: 'Lanes',
  lane: (letter) => `Lane ${letter}`,
  fields: { drafter: 'drafter', gamma: 'γ', gamma_rule: 'γ rule', rule: 'acceptance', temperature: 'T' },
  name: spaced,
  add: 'Add a lane',
  remove: (letter) => `Remove lane ${letter}`,
  start: 'Compare',
  cancel: 'Cancel',
  progress: 'Lanes done',
  waiting: 'waiting for a turn',
  done: (done, of) => `${done} of ${plural(of, 'lane')} done`,
  cancelled: 'Cancelled; the lanes that were done stay.',
  gaveWay: 'Gave way to the other question; what was done stays.',
  refused: (reason) => `Not measured: ${reason}.`,

  described: ({ drafter, gamma, gamma_rule: by, rule, temperature }) =>
    `${spaced(drafter)} · γ ${by === 'fixed' ? gamma : `by ${spaced(by)}`} · T ${temperature}${rule === 'rejection' ? '' : ` · ${spaced(rule)}`}`,
  ribbons: 'The texts, position under position. A rule before a token: a target pass began there. Arrow keys go from token to token.',
  laneHead: 'lane',
  pending: { waits: 'waiting for its turn', left: 'not decoded' },
  refusedLane: (reason) => `Not run: ${reason}.`,
  lost: 'its recording is no longer kept on the server; press Compare again',
  reading: (position) => `Position ${position}:`,
  point: 'Point at a token, or go there with the arrow keys, to see what every lane wrote in its place.',
  ended: 'the end of the text',

  texts: {
    greedy: (lanes, many) => `${listed(lanes)} wrote the same ${plural(many, 'token')}: at T = 0 every lane writes the target’s own most probable token, whoever guesses. Only who wrote it differs.`,
    coupled: (lanes, many) => `${listed(lanes)} wrote the same ${plural(many, 'token')}: under the coupled rule a seed fixes the text, whoever guesses. Only who wrote it differs.`,
    differ: (one, other, position, here, there, why) =>
      `${one} and ${other} differ from token ${position} on: “${here}” against “${there}”. ${why} they must be equal, so it is a bug, or a tie in which passes over more tokens round the other way. Run ${other} on stage: Losslessness compares it with plain decoding and shows both logits.`,
    must: { greedy: 'At T = 0', coupled: 'Under the coupled rule' },
    law: (lanes) => `${listed(lanes)}: same law, not the same text. Each follows exactly the target’s law at its temperature, but draws from it in its own way.`,
    chance: (lanes) => `${listed(lanes)}: same law, and here the same text too. Nothing says it must be.`,
    laws: 'T differs between lanes, so they follow different laws: their texts cannot be held against each other.',
    alone: (lane) => `Only lane ${lane} was decoded, so there is no text to hold against it.`,
    none: 'No lane was decoded: each says why in its place.',
  },

  table: 'In numbers',
  columns: { lane: 'lane', alpha: 'α̂', perPass: 'tokens a pass', time: 'time', rate: 'tok/s', speedup: '× plain', wasted: 'rolled back' },
  cells: {
    alpha: (alpha, kept, tested) => `${alpha} (${kept}/${tested})`,
    perPass: (perPass, made, passes) => `${perPass} (${made}/${passes})`,
    speedup: (speedup, low, high) => `${speedup}× (${low} to ${high})`,
  },
  timed: 'Medians of 3 laps, unrecorded, after a warm-up, in turns with plain decoding by the same target; prompt off the clock. In brackets: counts, and the range over the laps.',
  chart: 'What each lane cost',
  panels: { alpha: 'α̂', perPass: 'tokens a pass', time: 'time, ms', wasted: 'slots rolled back' },
  says: {
    fastest: (lane, time, made, speedup) => `${lane} is the fastest: ${plural(made, 'token')} in ${time}, ${speedup}× plain decoding.`,
    close: (lanes) => ` Its laps overlap with those of ${listed(lanes)}: too close to call.`,
    slower: (lanes) => ` Slower than plain decoding: ${listed(lanes)}.`,
    none: ' No lane beats plain decoding.',
    most: (lanes, alpha) => ` ${listed(lanes)} ${lanes.length > 1 ? 'have' : 'has'} the highest α̂, ${alpha}.`,
    wasted: (lanes, slots) => ` ${listed(lanes)} ${lanes.length > 1 ? 'roll' : 'rolls'} back most, ${plural(slots, 'KV slot')}.`,
    noWaste: ' No lane rolls a KV slot back.',
    others: 'Texts of different lengths: the fastest goes by time a token.',
  },

  strategies: {
    title: 'Baseline, fixed γ = 4, adaptive γ',
    about: (drafter, tokens, laps) => `“The capital of France is”, “In a shocking turn of events, scientists discovered that” and “def fibonacci(n):” with its docstring, decoded with the ${spaced(drafter)} at γ = 4 and at a γ that adapts, ${plural(laps, 'seed')} of ${tokens} tokens each. The baseline is plain decoding by the same target, timed in turns with every run.`,
    rule: 'adaptive γ rule',
    start: 'Measure',
    waiting: 'waiting for a turn',
    done: (done, of) => `${done} of ${of} runs done`,
    cancelled: 'Cancelled; the seeds that were finished stay.',
    nothing: 'Press Measure for tokens a second and speed-up on each prompt.',
    prompts: [
      { name: 'France', prompt: 'The capital of France is' },
      { name: 'scientists', prompt: 'In a shocking turn of events, scientists discovered that' },
      { name: 'fibonacci', prompt: FIBONACCI },
    ],
    ways: { baseline: 'baseline', fixed: 'fixed γ = 4', adaptive: (rule) => `adaptive: ${spaced(rule)}` },
    chart: 'Tokens a second and speed-up',
    panels: { rate: 'tok/s', speedup: '× plain decoding' },
    about_bar: (name, value, low, high, unit) => `${name}: ${value} ${unit}, ${low} to ${high}`,
    says: (fixed, adaptive, laps) => `Medians of ${plural(laps, 'seed')}, whiskers over all of them. Speed-up with fixed γ = 4: ${fixed}; adaptive: ${adaptive}.`,
    span: (low, high) => (low === high ? `${low}×` : `${low} to ${high}×`),
    best: (faster, of, rule) => ` Adaptive (${spaced(rule)}) has the higher median on ${faster} of ${plural(of, 'prompt')}.`,
    overlaps: (many, of) => ` Their whiskers overlap on ${many} of ${of}: too close to call there.`,
    slower: (names) => ` Slower than plain decoding: ${listed(names)}.`,
    none: ' Plain decoding is faster than both on every prompt.',
    slowerOne: (way, prompt) => `${way} γ on “${prompt}”`,
    columns: ['prompt', 'way', 'seed', 'tokens', 'ms', 'plain ms', 'tok/s', 'speed-up', 'alpha'],
  },
};

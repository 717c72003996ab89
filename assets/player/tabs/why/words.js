/**
 * words.js: the sentences of the tab When is it faster?, beside the words of all tabs. Numbers arrive as
 * text. Pure.
 */

import { inLanguage } from '../language.js';
import { lengthOf, words as below } from '../words.js';
import { plainName } from '../../base/format.js';

const BOUND = {
  traffic: (share) =>
    `${share} of it is reading weights: the pass waits for memory, so extra tokens cost little`,
  arithmetic: (share) =>
    `${share} of it is arithmetic: the pass waits for multiplications, so every extra token costs`,
  steps: (share) =>
    `the larger of the two is ${share} of it. Neither limits it; per-layer overhead does (small model)`,
};
const AGAINST = {
  stays: () => 'above 1 as far as it was measured',
  falls: ([from]) => `from B = ${from} on it is below 1: batches use up the spare arithmetic`,
  never: () => 'below 1 throughout',
  mixed: (below) => `below 1 at B = ${below.join(', ')}`,
};
const seeds = (many) => (many === 1 ? 'one run' : `${many} runs`);

const reason = {
  question: 'When is it faster?',
  times: (value) => `${value}×`,
  answer: (rows) =>
    `the cost of a pass over ${rows} tokens, against one token. A round pays off when it yields more tokens than it costs in target steps.`,
  about:
    'A pass reads all weights, whether it carries one token or five. Checking guesses is cheap while reading takes longer than arithmetic.',
  ask: { temperature: 'Measure temperatures here', genre: 'Compare text types here' },
  hereOf: (run) => `This server, just now: ${run}`,
  waiting: 'Waiting for a turn.',
  stages: (done, of, next) => `${done} of ${of}, now ${next}`,
  next: ['memory and arithmetic', 'passes over 1 to 64 tokens', 'batches'],
  runs: (done, of) => `${done} of ${of} runs`,
  cancelled: 'Cancelled; what was measured stays.',
  refused: (why) => `Not measured further: ${why}.`,
  sections: {
    machine: 'What a pass costs',
    text: 'What temperature and text do to acceptance',
    worked: 'Worked examples',
  },
  tokens: 'tokens per pass, k',
  ms: 'ms',
  series: {
    traffic: 'reading weights',
    arithmetic: 'arithmetic',
    measured: 'measured',
    plain: 'plain decoding',
    stick: 'fit: flat, then rising',
    predicted: 'speed-up, predicted',
    v: 'cost of a pass, measured',
    alpha: 'α',
    perPass: 'tokens per pass',
    speedup: 'speed-up',
  },
  threads: (many) => (many === 1 ? '1 thread' : `${many} threads`),
  gamma: (gamma) => `γ + 1 = ${gamma + 1}`,

  roofline: {
    title: 'What limits a pass on this machine',
    says: ({ weights, traffic, speed, cache, arithmetic, rate, threads, device }) =>
      `Reading ${weights} of weights takes ${traffic} at ${speed}${cache}; the arithmetic for one token ${arithmetic} at ${rate} (${device}, ${threads}).`,
    cache: {
      fits: (size) => ` (they fit the ${size} cache)`,
      over: (size, memory) => ` (the cache holds ${size}; memory gives ${memory})`,
      unknown: (memory) => ` (memory gives ${memory})`,
    },
    bound: (pass, bound, share) => ` A measured pass takes ${pass}; ${BOUND[bound](share)}.`,
    rows: (rows, arithmetic, pass) => ` With ${rows} tokens: arithmetic ${arithmetic}, the pass ${pass}.`,
  },
  textbook: {
    title: 'The textbook: Llama-2-70B on an A100',
    says: (traffic, arithmetic, times, ridge) =>
      `Weights: 140 GB / 2 TB/s = ${traffic}. Arithmetic: 140 GFLOP / 312 TFLOP/s = ${arithmetic}. Reading takes ${times} times as long, so up to about ${ridge} tokens per pass are almost free. (140 GB does not fit on one card; this counts bandwidth only.)`,
    ridge: (ridge) => `equal at ${ridge}`,
  },
  passes: {
    title: 'v(k): the cost of a pass over k tokens',
    y: 'v(k)',
    knee: (knee) => `knee: ${knee}`,
    flat: (knee, level, slope) =>
      `Flat up to k = ${knee}, at ${level}×; then each extra token adds ${slope}.`,
    level: (last, level) => `Flat as far as it was measured, to k = ${last}, at ${level}×.`,
    rises: (slope) => `No flat part: each extra token adds ${slope}.`,
    tree: (rows) => `tree: ${rows}`,
    pays: (rows, v) => ` A pass over γ + 1 = ${rows} costs ${v}×.`,
    paysTree: (rows, v) => ` A pass over this run’s tree, ${rows} tokens, costs ${v}×.`,
    laps: (laps, behind) =>
      ` Medians of ${laps}; bars show the interquartile range; ${behind} tokens in the cache.`,
  },
  batch: {
    title: 'Many texts at once',
    x: 'texts in a batch, B',
    y: '×',
    measured: (gamma, first, v, last, most) =>
      `With B texts at once, a pass over ${gamma + 1} tokens each costs ${v}× at B = ${first} and ${most}× at B = ${last} (measured with the transformers library).`,
    predicted: (alpha, first, speedup, last, most, against, below) =>
      ` Predicted speed-up at α = ${alpha}: ${speedup}× at B = ${first}, ${most}× at B = ${last}; ${AGAINST[against](below)}.`,
    nothing: ' Nothing was guessed in this run, so there is no α to predict with.',
    table: ' The draft model is a table, asked one text at a time.',
  },
  temperature: {
    title: 'Acceptance by temperature',
    x: 'temperature',
    says: (first, low, last, high, runs, trend) =>
      `α is ${low} at T = ${first} and ${high} at T = ${last}${trend}; up to ${seeds(runs)} each, 95 % intervals (Wilson).`,
    trends: {
      falls: ': higher temperature is harder to guess',
      rises: ': higher temperature is easier to guess here',
      unclear: ': too close to call',
    },
    one: (at, alpha) => `α is ${alpha} at T = ${at}; no other temperature was measured.`,
  },
  genre: {
    title: 'Acceptance by text type',
    names: { code: 'code', tale: 'tale', verse: 'verse' },
    y: 'α · tokens per pass · ×',
    says: (best, alpha, times, worst, least, fewer, apart) =>
      `Easiest to guess: ${best}, α = ${alpha}, ${times}×. Hardest: ${worst}, α = ${least}, ${fewer}×.${apart ? '' : ' Their 95 % intervals overlap: too close to call.'}`,
    one: (name, alpha, times) => `${name}: α = ${alpha}, ${times}×; no other text type was measured.`,
    untested: 'No guess was tested, so there is no α to compare.',
  },
  with: (config) => ` Guesses by ${plainName(config.drafter)}${lengthOf(config)}.`,
  columns: {
    roofline: ['tokens in a pass', 'reading the weights (ms)', 'arithmetic (ms)', 'pass (ms)'],
    passes: ['tokens in a pass', 'v', 'pass (ms)', 'low', 'high'],
    batch: ['texts', 'v_B', 'c_B', 'predicted speed-up'],
    sweep: (of) => [of, 'runs', 'accepted', 'tested', 'alpha', 'low', 'high', 'tokens per pass', 'speed-up'],
  },

  worked: {
    pick: 'Example',
    columns: ['what', 'with numbers', 'result'],
    printed: 'original figure ',
    invalid: 'A number is missing or out of range; the results below are from the last valid ones.',
    names: {
      keep: 'To be or not to be',
      timing: '48 ms vs 160 ms',
      tokens: 'Tokens per pass for K guesses',
      best: 'The best K',
    },
    fields: {
      guesses: 'guesses, K',
      draft: 'a guess, ms',
      target: 'a target pass, ms',
      alpha: 'α',
      p: 'p',
      q: 'q',
      r: 'r',
    },
    keep: {
      guess: (index) => `guess ${index}`,
      test: (p, q, ratio, r, sure) =>
        `p/q = ${p}/${q} = ${ratio}${sure ? ' ≥ 1, whatever r is' : ` vs r = ${r}`}`,
      kept: 'accepted',
      refused: 'rejected',
      says: {
        refused: (kept, guess) =>
          `${kept} accepted; at guess ${guess} the target’s own token is drawn from norm(max(0, p − q)): ${kept} + 1 resampled = ${kept + 1} ${kept ? 'tokens' : 'token'} from one pass.`,
        kept: (kept) =>
          `All ${kept} accepted, and the same pass gives a bonus token: ${kept} + 1 = ${kept + 1} tokens.`,
      },
    },
    timing: {
      round: 'a round',
      plain: 'plain decoding',
      claimed: 'claimed speed-up',
      all: (k) => `all ${k} accepted: ${k + 1} tokens`,
      tokens: (alpha) => `E[tokens] at α = ${alpha}`,
      then: 'speed-up at that α',
      says: (k, alpha, times) =>
        `Two things are left out. If all ${k} guesses are accepted, the pass yields ${k + 1} tokens, not ${k}; and they seldom are: at α = ${alpha} it is ${times}×. And a pass over ${k + 1} tokens is taken to cost no more than one over a single token.`,
    },
    tokens: {
      says: (k, wrong) =>
        `E = (1 − α^(K+1)) / (1 − α), Leviathan et al. 2023, equation 1${wrong ? `. ${wrong} of the original figures do not recompute` : ''}.`,
    },
    best: {
      value: (k, times) => `K = ${k}, ${times}×`,
      there: (k, alpha, times) => `K = ${k} at α = ${alpha} comes to ${times}×`,
      says: (c, most, there) =>
        `The K from 0 to ${most} with the largest E / (Kc + 1), where c = ${c} and a pass costs the same however many guesses it carries${there.length ? `. The original figures do not recompute: ${there.join(', ')}` : ''}.`,
    },
  },
};

export const words = { ...below, ...inLanguage({ reason }) };

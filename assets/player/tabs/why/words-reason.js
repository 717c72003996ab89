/**
 * words-reason.js: the sentences of the Why tab; words.js puts them into the one table. Pure. Numbers arrive written out.
 */

const BOUND = {
  traffic: (share) => `${share} of it is weight traffic: the pass waits for its weights, so rows more cost little`,
  arithmetic: (share) => `${share} of it is arithmetic: the pass waits for its multiplications, so every row more costs`,
  steps: (share) => `the larger of the two is ${share} of it. So neither bounds the pass, but all the steps between the matrix products, which hardly grow with the rows`,
};
const AGAINST = {
  stays: () => 'it stays above 1 as far as it was measured',
  falls: ([from]) => `from B = ${from} on it is below 1: batches use up the arithmetic that guessing lives on`,
  never: () => 'it is below 1 throughout',
  mixed: (below) => `it is below 1 at B = ${below.join(', ')}`,
};
const seeds = (many) => (many === 1 ? 'one run' : `${many} runs`);

export const reason = {
  about: 'A pass has to read all weights, whether it carries one token or five. While that takes longer than the arithmetic, verifying guesses is almost free.',
  ask: { machine: 'Measure this machine', temperature: 'Sweep T', genre: 'Sweep genres' },
  cancel: 'Cancel',
  progress: 'How far the measuring is',
  waiting: 'waiting for a turn',
  stages: (done, of, next) => `${done} of ${of}: now ${next}`,
  next: ['memory and arithmetic', 'passes over 1 to 64 tokens', 'batches'],
  runs: (done, of) => `${done} of ${of} runs`,
  cancelled: 'Cancelled. What was measured is kept.',
  refused: (why) => `Not measured further: ${why}.`,
  sections: { machine: 'One decode step', text: 'What temperature and text do to α', worked: 'Worked examples' },
  none: {
    machine: 'Nothing measured yet. “Measure this machine” times memory, arithmetic, the target’s passes over 1 to 64 tokens and batches of 1 to 32 texts: some seconds for the pair that ships, up to two minutes for a large one.',
    temperature: 'Nothing swept yet. “Sweep T” decodes this prompt at eight temperatures, three seeds each, greedy once, with the drafter and γ of the run on stage: up to 64 tokens a run, each in turns with plain decoding.',
    genre: 'Nothing swept yet. “Sweep genres” decodes code, tales and verse, two prompts and two seeds each, with the drafter and γ of the run on stage: up to 64 tokens a run, each in turns with plain decoding.',
  },

  tokens: 'tokens in a pass, k',
  ms: 'ms',
  series: { traffic: 'reading the weights', arithmetic: 'arithmetic', measured: 'pass, measured', plain: 'plain decoding', stick: 'fitted: flat, then a line', foretold: 'speed-up, predicted', v: 'v_B, measured', alpha: 'α̂', perPass: 'tokens a pass', speedup: 'speed-up' },
  threads: (many) => (many === 1 ? '1 thread' : `${many} threads`),
  gamma: (gamma) => `γ + 1 = ${gamma + 1}`,

  roofline: {
    title: 'This target on this machine',
    says: ({ weights, traffic, speed, cache, arithmetic, rate, threads, device }) =>
      `Reading ${weights} of weights takes ${traffic} at the ${speed} at which a block of that size is read again and again here${cache}; the arithmetic of one token takes ${arithmetic} at the ${rate} of a large matrix product (${device}, ${threads}).`,
    cache: { fits: (size) => ` (it fits the last-level cache of ${size})`, over: (size, memory) => ` (the last-level cache holds ${size}; memory alone gives ${memory})`, unknown: (memory) => ` (memory alone gives ${memory})` },
    bound: (pass, bound, share) => ` A measured pass takes ${pass}; ${BOUND[bound](share)}.`,
    rows: (rows, arithmetic, pass) => ` With γ + 1 = ${rows} rows: arithmetic ${arithmetic}, the pass ${pass}.`,
  },
  textbook: {
    title: 'The textbook: Llama-2-70B on an A100',
    says: (traffic, arithmetic, times, ridge) =>
      `140 GB / 2 TB/s = ${traffic} of weight traffic against 140 GFLOP / 312 TFLOP/s = ${arithmetic} of arithmetic, ${times} times as long: until about ${ridge} tokens share a pass, arithmetic hides behind the weights. This is bandwidth only, as 140 GB does not fit one card.`,
    ridge: (ridge) => `both as long: ${ridge}`,
  },
  passes: {
    title: 'v(k): a pass over k tokens, in passes over one',
    y: 'v(k)',
    knee: (knee) => `knee: ${knee}`,
    flat: (knee, level, slope) => `Flat up to k = ${knee}, at ${level} of a pass over one token; from there each token more adds ${slope} of one.`,
    level: (last, level) => `Flat as far as it was measured, to k = ${last}, at ${level} of a pass over one token.`,
    rises: (slope) => `No flat part: each token more adds ${slope} of a pass over one.`,
    pays: (rows, v) => ` The γ on stage pays v(${rows}) = ${v}.`,
    laps: (laps, behind) => ` Medians of ${laps} laps, each in turns with a pass over one token; whiskers are the middle ones; ${behind} tokens in the cache.`,
  },
  batch: {
    title: 'Batches: B texts at once',
    x: 'texts in a batch, B',
    y: '×',
    measured: (gamma, first, v, last, most) => `Measured: v_B, a pass over B × ${gamma + 1} tokens in passes over B × 1, is ${v} at B = ${first} and ${most} at B = ${last}, both by transformers’ own forward pass.`,
    foretold: (alpha, first, speedup, last, most, against, below) => ` Predicted: with this run’s α̂ = ${alpha}, E / (γc_B + v_B) is ${speedup}× at B = ${first} and ${most}× at B = ${last}; ${AGAINST[against](below)}.`,
    nothing: ' Nothing was guessed in this run, so there is no α̂ to predict a speed-up with.',
    table: ' The drafter is a table, asked text after text.',
  },
  temperature: {
    title: 'α by temperature',
    x: 'temperature',
    says: (first, low, last, high, runs, trend) => `α̂ is ${low} at T = ${first} and ${high} at T = ${last}${trend}; up to ${seeds(runs)} each, whiskers 95 % (Wilson).`,
    trends: { falls: ': hotter text is harder to guess', rises: ': hotter text is easier to guess here', unclear: ', which the whiskers do not tell apart' },
    one: (at, alpha) => `α̂ is ${alpha} at T = ${at}; the other temperatures are still to come.`,
  },
  genre: {
    title: 'α by kind of text',
    y: 'α̂ · tokens a pass · ×',
    says: (best, alpha, times, worst, least, fewer, apart) => `Easiest to guess is ${best}: α̂ = ${alpha}, ${times}× plain decoding; hardest ${worst}: α̂ = ${least}, ${fewer}×${apart ? '' : '. The whiskers, 95 % (Wilson), do not tell the two apart'}.`,
    one: (name, alpha, times) => `${name}: α̂ = ${alpha}, ${times}× plain decoding; the others are still to come.`,
    untested: 'No guess was tested, so there is no α̂ to compare.',
  },
  with: (drafter, gamma) => ` ${drafter}, γ ${gamma}.`,
  columns: {
    roofline: ['tokens in a pass', 'reading the weights (ms)', 'arithmetic (ms)', 'pass (ms)'],
    passes: ['tokens in a pass', 'v', 'pass (ms)', 'low', 'high'],
    batch: ['texts', 'v_B', 'c_B', 'predicted speed-up'],
    sweep: (of) => [of, 'runs', 'accepted', 'tested', 'alpha', 'low', 'high', 'tokens a pass', 'speed-up'],
  },

  worked: {
    pick: 'Example',
    columns: ['what', 'with numbers', 'comes to'],
    printed: 'printed as ',
    invalid: 'Some number is missing or out of its range, so what is below is of the numbers before.',
    names: { keep: 'To be or not to be', timing: '48 ms against 160 ms', tokens: 'E[tokens] for K guesses', best: 'The best K' },
    fields: { guesses: 'guesses, K', draft: 'a guess, ms', target: 'a target pass, ms', alpha: 'α', p: 'p', q: 'q', r: 'r' },
    keep: {
      guess: (index) => `guess ${index}`,
      test: (p, q, ratio, r, sure) => `p/q = ${p}/${q} = ${ratio}${sure ? ' ≥ 1, whatever r is' : ` against r = ${r}`}`,
      kept: 'accepted',
      refused: 'rejected',
      says: {
        refused: (kept, guess) => `${kept} accepted; at guess ${guess} the target’s own token is drawn from norm(max(0, p − q)): ${kept} + 1 resampled = ${kept + 1} ${kept ? 'tokens' : 'token'} from one pass.`,
        kept: (kept) => `All ${kept} accepted, and the same pass gives a bonus token: ${kept} + 1 = ${kept + 1} tokens.`,
      },
    },
    timing: {
      round: 'a round', plain: 'plain decoding', told: 'the speed-up that is told',
      all: (k) => `all ${k} kept: ${k + 1} tokens`, tokens: (alpha) => `E[tokens] at α = ${alpha}`, then: 'speed-up at that α',
      says: (k, alpha, times) => `It leaves out two things. If all ${k} guesses are kept, the pass gives ${k + 1} tokens, not ${k}; and they seldom are: at α = ${alpha} it is ${times}×. It also takes a pass over ${k + 1} tokens to cost one over a single token.`,
    },
    tokens: {
      says: (k, wrong) => `E = (1 − α^(K+1)) / (1 − α), Leviathan et al. 2023, equation 1${wrong ? `. ${wrong} of the values in print do not recompute` : ''}.`,
    },
    best: {
      value: (k, times) => `K = ${k}, ${times}×`,
      there: (k, alpha, times) => `K = ${k} at α = ${alpha} comes to ${times}×`,
      says: (c, most, there) => `The K from 0 to ${most} with the largest E / (Kc + 1), where c = ${c} and a pass costs the same however many guesses it carries${there.length ? `. What is in print does not recompute: ${there.join(', ')}` : ''}.`,
    },
  },
};

/** What the genre sweep decodes: beginnings in the three kinds of text that the embedded pair knows, none from its training text. */
export const PROMPTS = {
  code: ['def count_words(text):\n    """Return how often each word occurs in the text."""\n    counts = {}\n', 'class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n'],
  tale: ['Once upon a time a miller had three daughters, and the youngest could talk with birds. One morning', 'There was once a king who had a garden in which stood a tree that bore silver pears. Every night'],
  verse: ['ROMEO:\nWhat bell is that which wakes the sleeping street?\n\nJULIET:\n', 'KING HENRY:\nMy lords, the messenger is come from France.\nWhat says he of the'],
};

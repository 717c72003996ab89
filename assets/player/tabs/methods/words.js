/**
 * words.js: what the tab Methods says, beside the words of every tab. Pure.
 */

import { inLanguage } from '../language.js';
import { inWords, plural } from '../../base/format.js';
import { PROMPTS, words as below } from '../words.js';

const KINDS = { all: 'all three', tale: 'tales', verse: 'verse', code: 'code' };
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const on = (kind) => (kind === 'all' ? 'On all three kinds of text' : `On ${KINDS[kind]}`);

const overview = {
  question: 'Which method is fastest here?',
  about: 'Every way to guess, measured on this machine against plain decoding.',
  kinds: { label: 'Kind of text', names: KINDS },
  fastest: (kind, name) => `${on(kind)}, ${name} is fastest, against plain decoding.`,
  close: (kind, name, rival) => `${on(kind)}, ${name} and ${rival} are too close to tell.`,
  slower: (many) =>
    many
      ? ` ${many === 1 ? 'One method is' : `${capital(inWords(many))} methods are`} slower than no drafter.`
      : '',
  progress: (job, done, of, minutes) =>
    `${done} of ${of} methods ${job === 'sweep' ? 'timed' : 'tried for exactness'}${minutes === null ? '' : minutes < 1 ? ', less than a minute' : `, about ${plural(Math.round(minutes), 'minute')}`}`,
  waiting: 'Waiting for a turn.',
  cancelled: 'Stopped. What was measured stays.',
  here: (run) => `With the settings of ${run}.`,
  name: (label, rule) => (rule ? `${label} (${rule})` : label),
  plain: 'plain decoding',
  columns: {
    name: 'method',
    tokens: 'tokens per pass',
    speedup: 'speed-up',
    alpha: 'α',
    cost: 'a round costs',
    memory: 'memory',
    needs: 'needs',
    exact: 'exact',
  },
  hints: {
    tokens: 'Tokens for each pass of the target',
    speedup:
      'Times plain decoding; in small, the slowest and the fastest run; the marks are tales, verse and code',
    alpha: 'Share of tested guesses that were accepted; in a tree, of tested positions',
    cost: 'In steps of plain decoding',
    memory: 'Beside the target: weights, tables, caches',
    exact: 'Greedy texts that equal plain decoding’s; p: sampled tokens against the target’s distribution',
  },
  caption: (kind) => `Methods, ${KINDS[kind]}`,
  sort: (column) => `Sort by ${column}`,
  range: (low, high) => `${low} to ${high}`,
  strip: (kinds) => kinds.map(([kind, value]) => `${KINDS[kind]} ${value}`).join(', '),
  run: (name) => `Run ${name} on the prompt in the bar`,
  steps: (value) => plural(value, 'step'),
  exact: '✓ exact',
  lossy: '≈ not exact',
  isLossy: ', lossy',
  untried: 'not tried',
  tried: ({ equal, prompts, ties }, p) =>
    `${equal}/${prompts} texts${ties ? `, ${ties} tied` : ''}${p === null ? '' : `, p ${p}`}`,
  nothing: '–',
  missing: 'not measured',
  lacks: (asset) => `needs ${asset}`,
  chart: {
    title: 'What a round costs against what it brings',
    says: (kind, many) =>
      `${on(kind)}: each dot is a method. Up is more tokens per pass, left is a cheaper round. Along a line the speed-up is the same; in the hatched part ${many === 0 ? 'nobody is' : many === 1 ? 'one method is' : `${inWords(many)} methods are`} slower than no drafter.`,
    x: 'what a round costs, in steps of plain decoding',
    y: 'tokens per target pass',
    plain: 'plain decoding',
    line: (value) => `${value}×`,
    point: (name, tokens, cost, speedup, low, high) =>
      `${name}: ${tokens} tokens per pass, a round costs ${cost} steps, ${speedup} (${low} to ${high})`,
    columns: [
      'method',
      'kind of text',
      'tokens per pass',
      'speed-up',
      'slowest',
      'fastest',
      'α',
      'cost of a round',
      'memory, bytes',
      'greedy texts equal',
      'of',
      'p of sampled tokens',
    ],
  },
};

/** One text of each kind. */
export const TEXTS = Object.fromEntries(['tale', 'verse', 'code'].map((kind) => [kind, PROMPTS[kind][0]]));

export const words = { ...below, ...inLanguage({ overview }) };

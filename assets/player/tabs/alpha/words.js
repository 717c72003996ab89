/**
 * words.js: the sentences of the tab Acceptance, beside the words of all tabs. Numbers arrive as text. Pure.
 */

import { inLanguage } from '../language.js';
import { words as below } from '../words.js';
import { plural } from '../../base/format.js';
import { training } from './words-training.js';

const range = (low, high) => (low === high ? low : `${low} to ${high}`);

const alpha = {
  question: 'How often are guesses accepted?',
  answer: (forks, accepted, tested) =>
    `of tested ${forks ? 'positions' : 'guesses'} (α): ${accepted} of ${tested} in this run`,
  noAnswer: 'No guess was tested in this run.',
  rates: {
    title: 'Three acceptance rates',
    caption: 'Three acceptance rates of this run, and the average overlap',
    columns: { name: 'rate', counts: 'counts', value: 'share', interval: '95 %' },
    names: {
      tested: ['α', 'accepted / tested', 'of tested guesses'],
      drafted: ['', 'accepted / guessed', 'of all guesses made'],
      emitted: ['', 'accepted / written', 'share of output written by the draft model'],
      overlap: ['β', 'average overlap', 'Σ min(p, q): α without the luck'],
    },
    positions: 'of tested positions: siblings count once',
    coupled: 'what rejection sampling would accept; shared noise accepts no more',
    typical: 'what rejection sampling would accept; a lossy rule may accept more',
    counts: (part, whole) => `${part} / ${whole}`,
    slots: (many) => plural(many, 'position'),
    interval: (low, high) => `${low} to ${high}`,
    gamma: (mean, low, high, rounds) =>
      `γ = ${mean} on average${low === high ? '' : ` (${low} to ${high})`} over ${plural(rounds, 'round')}`,
    passes: (tokens, reach) => `${tokens} ± ${reach} tokens per target pass`,
    note: '95 % intervals (Wilson) are rough: guesses of one round depend on each other.',
    none: 'γ was 0, so nothing was guessed and this run has no α. Set γ above 0 and press Run.',
    untested: 'No guess was tested in this run, so it has no α. Press Run for another.',
  },
  slots: {
    title: 'Acceptance by position',
    x: 'position in the draft',
    y: 'share accepted',
    kept: 'accepted / tested',
    overlap: 'average overlap',
    at: (slot, value, part, whole, low, high) =>
      `position ${slot}: ${value} (${part} of ${whole} tested), 95 % ${low} to ${high}`,
    overlapAt: (slot, value) => `position ${slot}: average overlap ${value}`,
    says: (first, n, last, slot, m, trend) =>
      `${first} of ${n} first guesses are accepted, ${last} of the ${m} that reach position ${slot}: ${trend}`,
    one: (first, n) => `${first} of ${n} first guesses are accepted; nothing deeper was tested.`,
    trends: {
      up: 'more, because only easy text gets that far.',
      down: 'fewer, because later guesses stand on guesses.',
      none: 'too few samples to see a trend.',
    },
  },
  kept: {
    title: 'Accepted per round',
    x: 'guesses accepted',
    y: 'rounds',
    measured: 'this run',
    predicted: 'predicted by a constant α',
    at: (many, rounds) => `${many} accepted: ${plural(rounds, 'round')}`,
    says: (forks, full, rounds, predictedFull, none, predictedNone) =>
      `${forks ? 'A whole branch was' : 'All guesses were'} accepted in ${full} of ${plural(rounds, 'round')}, none in ${none}; a constant α would predict ${predictedFull} and ${predictedNone}.`,
  },
  tokens: {
    title: 'Tokens per target pass',
    x: 'γ',
    y: 'tokens per pass',
    curve: (value) => `theory at α = ${value}`,
    run: 'this run',
    swept: 'measured, 3 seeds',
    at: (gamma, tokens, low, high) => `γ = ${gamma}: ${tokens} (${range(low, high)})`,
    runAt: (gamma, tokens, reach) => `this run, γ = ${gamma}: ${tokens} ± ${reach}`,
    gap: (measured, expected, base, gamma, change) =>
      `Measured ${measured} tokens per pass; theory predicts ${expected} at α = ${base}, γ = ${gamma}${change}.`,
    parts: {
      byGamma: (size, others, rounds) =>
        `${size} from ${others} of ${rounds} rounds with another γ, most often cut short by the end`,
      ended: (size) => `${size} from a text that ended among its guesses`,
      rest: (size) => `${size} from taking a constant α`,
    },
    change: (share, fewer) => `, ${share} % ${fewer ? 'fewer' : 'more'}`,
    because: (parts) => ` The gap: ${parts.join('; ')}.`,
    chance: (reach) => ` Chance alone moves the measured number by ± ${reach}.`,
    beyond: (reach) => ` That is more than chance (± ${reach}): easy and hard text come in runs.`,
    none: 'Without an α of this run there is no curve; the points are the sweep’s.',
    mixture: (gamma, mean, tokens, predicted, counted, atCounted) =>
      `How far one α can mislead: if half of all rounds had α = 0.95 and half 0.45, a round with γ = ${gamma} would yield ${tokens} tokens. Theory predicts ${predicted} at their mean of ${mean}, and ${atCounted} at the ${counted} that accepted / tested comes to, because easy rounds get more guesses tested.`,
  },
  speed: {
    title: 'Speed-up by γ',
    x: 'γ, guesses per round',
    y: 'speed-up',
    from: {
      measured: 'predicted, measured costs',
      raced: 'predicted, costs of the race',
      free: 'predicted, costs left out',
    },
    whatIf: 'your values',
    swept: 'measured, 3 seeds',
    mark: (gamma, times) => `best γ = ${gamma}: ${times}`,
    at: (gamma, times, low, high) => `γ = ${gamma}: ${times}${low === high ? '' : ` (${low} to ${high})`}`,
    says: (alpha, c, rows, v, overhead, gamma, times) =>
      `Theory: α = ${alpha}, c = ${c}, v(${rows}) = ${v}${overhead}, so γ = ${gamma} is best, ${times}.`,
    overhead: (value) => `, overhead ${value} target steps per round`,
    free: (times, gamma) =>
      `If drafting and wider passes were free, more would always be better: ${times} at γ = ${gamma}. Measure the costs to see where it turns.`,
    supposed: (alpha, c, rows, v, gamma, times) =>
      ` Your values α = ${alpha}, c = ${c}, v(${rows}) = ${v}: γ = ${gamma}, ${times}.`,
    compared: (gamma, times, low, high, bestGamma, predicted) =>
      ` Measured: γ = ${gamma} is best, ${times}${low === high ? '' : ` (${low} to ${high})`}; theory predicts ${bestGamma === gamma ? 'the same γ' : `γ = ${bestGamma}`}, ${predicted}.`,
    close: (gammas) =>
      ` ${gammas.length > 3 ? `${gammas.length} others reach` : `γ = ${gammas.join(', ')} ${gammas.length > 1 ? 'reach' : 'reaches'}`} into its range: too close to call.`,
    never: ' No γ measured beats plain decoding here.',
    none: 'Without an α of this run there is nothing to predict from; the points are the sweep’s.',
  },
  bench: {
    title: 'Measure or try values',
    costs: 'Measure costs only',
    sweep: 'Measure γ = 0 to 12 here',
    noLength: 'The guesses of this run have no length to choose: there is no γ to sweep.',
    reset: 'Reset',
    about: (tokens, greedy) =>
      `39 runs, not drawn: 13 values of γ, 3 seeds each${greedy ? ' (greedy: one text, timed three times)' : ''}, up to ${tokens} tokens, alternating with plain decoding.`,
    from: {
      here: 'Measured here: ',
      before: (machine) => `Recorded on ${machine}. `,
      strange: (run) => `Not the run on stage: ${run}. `,
      measured: (draft, step, rows, pass, rest) =>
        `One guess takes ${draft} ms, a target pass ${step} ms for one token and ${pass} ms for ${rows}; the rest of a round ${rest} ms.`,
      raced: 'Costs are those of this run’s race; each extra token adds the same cost.',
      free: 'Costs are not measured yet: the curve shows what it would be if drafting and wider passes were free.',
    },
    waiting: { costs: 'Waiting for a turn to measure costs.', sweep: 'Waiting for a turn.' },
    first: 'Costs come first: waiting for a turn.',
    done: (done, of) => `${done} of ${of} runs`,
    swept: (cells) => `${cells} runs measured.`,
    cancelled: (cells) =>
      cells === '0' ? 'Cancelled.' : `Cancelled after ${plural(cells, 'run')}; what was measured is kept.`,
    stopped: (cells, reason) => `${plural(cells, 'run')} measured, then: ${reason}.`,
    refused: (reason) => `Not measured: ${reason}.`,
    whatIf: 'Try values',
    sliders: {
      alpha: ['α', 'chance to accept a guess'],
      c: ['c', 'cost of one guess, in target steps'],
      cost: ['v(5)', 'cost of a pass over 5 tokens, in target steps'],
    },
    ofTree: (rows) => ({
      c: ['c', 'cost of one level of guesses, in target steps'],
      cost: [`v(${rows})`, `cost of a pass over the tree’s ${rows} tokens, in target steps`],
    }),
    tilt: 'v(5) sets how steeply v(k) rises: each extra token adds the same cost.',
  },
  thumbs: {
    title: 'Rules of thumb, with this run’s numbers',
    columns: { rule: 'rule, with numbers', value: 'predicts', leaves: 'what it leaves out' },
    rows: {
      most: [
        'γ + 1',
        (gamma) => `${gamma} + 1`,
        'Every rejection, every cost. A round yields that many at α = 1.',
      ],
      refused: [
        '(1 + γ) / (1 + P(reject))',
        (gamma, refusal) => `(1 + ${gamma}) / (1 + ${refusal})`,
        'Every cost; and it is no average: at α = 0 it still predicts (1 + γ) / 2, where a round yields 1.',
      ],
      price: [
        '(γ + 1) / (1 + k / (γ + 1))',
        (kept, drafted) => `(${kept} + 1) / (1 + ${drafted} / (${kept} + 1))`,
        'Measured costs: its γ is the mean number accepted, k the guesses per round, each charged 1 / (γ + 1) target steps, and the pass 1.',
      ],
    },
    measured: {
      raced: (times) => `The race measured ${times}.`,
      swept: (times, gamma) => `Over all γ the best measured is ${times}, at γ = ${gamma}.`,
      none: 'Measure this run under Race, or measure γ here, to compare them with a measurement.',
    },
  },
};

export const words = { ...below, ...inLanguage({ alpha, training }) };

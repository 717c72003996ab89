/**
 * words-heads.js: what the picture of heads on the target says: which state each guess is read off. Pure.
 */

import { words } from '../words/words.js';

const KNOWN = { true: 'the target’s state', imagined: 'an imagined state' };
const VALUES = { state: 'overlap', told: 'overlap', imagined: 'likeness', block: 'overlap' };

export const heads = {
  label: 'Origin',
  title: 'Where guesses come from',
  layers: (layers, of) =>
    `States of ${layers.length > 1 ? 'layers' : 'layer'} ${layers.join(', ')} of ${of}.`,
  tiny: '<0.01',
  starts: {
    drawn: (last, pending) => `The target drew “${pending}” from its state behind “${last}”.`,
    given: (last, pending) => `The target has read up to “${last}”; the prompt ends with “${pending}”.`,
  },
  says: {
    state: (pending, { pending: told }) => [
      `Every head reads that state${told ? ` and “${pending}”` : ''}, each for a place further on.`,
      'No head knows what the others guess.',
    ],
    told: () => [
      'Every head reads that state, each for a place further on.',
      'It also knows the guesses before its own.',
    ],
    imagined: () => ['Both go in; out come an imagined next state and a guess, which go in next.'],
    block: (pending, { places }) => [
      `Behind “${pending}” stand ${places} blanks, filled in one pass.`,
      'They see all states so far, and each other only as blanks.',
    ],
  },
  names: {
    state: (place) => `head ${place}`,
    told: (place) => `head ${place}`,
    imagined: (place) => `step ${place}`,
    block: (place) => `blank ${place}`,
  },
  reads: {
    state: (kind) => KNOWN[kind],
    told: (kind) => KNOWN[kind],
    imagined: (kind) => KNOWN[kind],
    block: () => 'the target’s states so far',
  },
  row: (name, reads, tokens, position, guess) => {
    const read = `${name} reads ${[reads, ...tokens].join(' and ')}, for position ${position}`;
    if (!guess) return `${read}: no guess yet`;
    const parts = [
      `guesses “${guess.text}”`,
      guess.q && `q ${guess.q}`,
      words.states[guess.state],
      guess.value,
    ];
    return `${read}: ${parts.filter(Boolean).join(', ')}`;
  },
  rowsLabel: 'Places of the draft',
  place: 'position',
  guess: 'guess',
  values: VALUES,
  siblings: (many) => `+${many}`,
  key: { true: 'target’s state', imagined: 'imagined', token: 'known token', blank: 'blank', goal: 'guess' },
  marks: {
    state: ['true', 'token', 'goal'],
    told: ['true', 'token', 'goal'],
    imagined: ['true', 'imagined', 'token', 'goal'],
    block: ['true', 'token', 'blank', 'goal'],
  },
  likeliest: (name) => `${name[0].toUpperCase()}${name.slice(1)} rates highest:`,
  alike: (behind, many, likeness) =>
    `${many} numbers of the state behind “${behind}”: imagined (outlined) and the target’s own. Cosine ${likeness}.`,
  cost: (passes, drafting, verify) =>
    `${passes === 1 ? 'One draft pass' : `${passes} draft passes`}: ${drafting} ms. The check: ${verify} ms.`,
  kept: (shares) => `Kept by place, so far: ${shares.join(' · ')}`,
};

/**
 * words-dice.js: what is said where a run throws no dice: greedy runs, and those by the coupled rule.
 */

export const noDice = {
  greedy: {
    test: (same) => (same ? 'argmax equal =' : 'argmax differs ≠'),
    guess: () => ['argmax of q, which is 1 there: no dice', ''],
    equal: (same) => ['greedy, no dice: argmax p = argmax q? ', same ? 'yes' : 'no'],
    own: ['greedy, no dice: the target’s own argmax', ''],
    drawn: (law, token) => `${law} is 1 on its argmax: ${token}`,
    waits: 'Greedy: no dice are thrown in this run',
    dice: 'greedy: no dice',
    choice: 'argmax p',
    asks: (token) => `Is “${token}” what the target would pick too?`,
    next: 'Next, the target puts its own favourite there.',
    replaces: (token) => `The target puts “${token}” there instead: its own favourite.`,
    lines: { guess: 'argmax q', test: (same) => `argmax p ${same ? '=' : '≠'} argmax q`, own: 'argmax p' },
    why: {
      accepted: 'Greedy: the drafter’s favourite is the target’s favourite, so it stays. No dice.',
      rejected: 'Greedy: the target’s favourite is another token, so this one goes. No dice.',
      resampled: 'Greedy: the target’s own favourite takes the place of the refused guess.',
    },
    source: 'temperature 0 is a law with all its mass on one token · Leviathan et al. 2023, section 2.2',
  },
  coupled: {
    test: (same) => (same ? 'same token =' : 'another token ≠'),
    guess: (q) => [`argmax(log q + noise), q(x) = ${q}`, ''],
    equal: (same) => ['same noise g: argmax(log p + g) = argmax(log q + g)? ', same ? 'yes' : 'no'],
    own: ['argmax(log p + g): the target’s token under the same noise', ''],
    drawn: (law, token) => `argmax(log ${law} + noise of this position): ${token}`,
    waits: 'Coupled: no dice; every position has one noise, for drafter and target alike',
    dice: 'coupled: one noise for both, no dice',
    choice: 'argmax(log p + g)',
    asks: (token) => `Does the target say “${token}” too, under the same noise?`,
    next: 'Next, the target puts its own token there.',
    replaces: (token) => `The target puts “${token}” there: what it says under the same noise.`,
    lines: {
      guess: 'argmax(log q + g)',
      test: (same, keep) => `argmax(log p + g) ${same ? '=' : '≠'} argmax(log q + g); such a guess stands with chance ${keep}`,
      own: 'argmax(log p + g)',
    },
    why: {
      accepted: 'Coupled: with this position’s noise the target says the same token, so it stays.',
      rejected: 'Coupled: with this position’s noise the target says another token, so this one goes.',
      resampled: 'Coupled: the target’s token under this position’s noise. Plain decoding with this seed says it too.',
    },
    source: 'Gumbel coupling · Daliri, Musco and Suresh 2024, arXiv:2408.07978',
  },
};

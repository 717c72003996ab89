/**
 * words-training.js: what the tab Acceptance says of how heads learned to guess. Pure.
 */

export const training = {
  title: 'How the heads learned to guess',
  about:
    'Heads of the built-in pair, trained on text that the target wrote. Measured on text kept out of training, at temperature 0.8.',
  choose: 'Whose training',
  learned: {
    title: (kind) => `${kind}: acceptance by place over training`,
    x: 'training step',
    y: 'chance to accept (α)',
    depth: (place) => `place ${place}`,
    at: (step, place, share) => `step ${step}, place ${place}: ${share}`,
    says: (steps, first, places, last, dips) =>
      `After ${steps} steps, α is ${first} at the first place and ${last} at place ${places}.${dips ? ' Where the lines fall, training went on with larger steps again.' : ''}`,
  },
  feedback: {
    title: 'EAGLE with and without feedback in training',
    x: 'place in the draft',
    fed: 'own outputs fed back',
    alone: 'never fed back',
    at: (place, name, share) => `place ${place}, ${name}: ${share}`,
    says: (steps, firstAlone, lastAlone, first, last) =>
      `${steps} steps each. Without feedback α falls from ${firstAlone} to ${lastAlone}; with it, from ${first} only to ${last}.`,
  },
};

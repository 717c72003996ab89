/**
 * words-methods.js: what the menu of ways to guess says. Pure.
 */

export const methods = {
  label: 'Ways to guess',
  more: 'more',
  open: 'More ways to guess',
  chosen: (name) => `${name}; more ways to guess`,
  families: {
    counts: ['Counts', 'how often a token followed'],
    copies: ['Copies', 'what stood here before'],
    models: ['Models', 'a smaller or cheaper model'],
    heads: ['Heads', 'small parts trained on the target'],
    target: ['The target itself', 'guesses for itself'],
    trees: ['Trees', 'several ways on at once'],
  },
  needs: (model, counts) => (model ? 'a second model' : counts ? 'a count table' : 'needs nothing'),
  shapes: { chain: 'one line of guesses', tree: 'several ways on' },
  exact: '✓ all exact: the text is distributed as the target’s own',
  alone: 'On guesses that are chosen, not drawn, this is rejection sampling, number for number.',
};

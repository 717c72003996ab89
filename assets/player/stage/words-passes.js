/**
 * words-passes.js: what the picture of passes and positions says, for methods without a draft model. Pure.
 */

const tokens = (many) => (many === 1 ? 'one token' : `${many} tokens`);

export const passes = {
  kind: 'Passes',
  title: 'Pass by pass',
  pass: (number) => `pass ${number}`,
  asks: 'Every place was guessed from the last pass; one pass reads them all.',
  moves: (own) => `The first guess was wrong. The pass gives “${own}” there, and new guesses behind it.`,
  settles: (kept, all) =>
    `${kept === 1 ? 'One guess' : `${kept} guesses`} came back unchanged: ${tokens(all)} from one pass.`,
  level: (ago) => (ago === 1 ? 'last pass' : `${ago} passes ago`),
  now: 'this pass',
  fills: (level, of) => `The window fills: ${level} of ${of} levels. There is no group yet.`,
  none: (pending) => `No group in the pool begins with “${pending}”. The window goes on.`,
  tries: (many) => `${many === 1 ? 'One group' : `${many} groups`} from the pool, checked in this pass.`,
  misses: 'None of them fits.',
  hits: (all) => `One of them fits: ${tokens(all)} from one pass.`,
  ends: 'The text ends before another window would.',
  tried: 'Groups checked',
  fresh: 'New in the pool',
};

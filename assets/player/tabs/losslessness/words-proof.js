/**
 * words-proof.js: the sentences of the proof and of its account; words.js puts them into the one table. Pure.
 */

export const proof = {
  title: 'Why nothing is lost',
  claim: 'Whatever the draft model believes, a token x comes out with exactly the probability p(x) that the target gives it. It comes out in one of two ways: guessed and accepted, or drawn after a rejection.',
  unknown: 'No guess was tested at this position, so there is no p and q to compare. You can type a row below.',
  kinds: {
    enough: { title: 'p(x) ≤ q(x)', about: 'guessed as often as the target wants, or more', none: 'No token of this row has p ≤ q.' },
    short: { title: 'p(x) > q(x)', about: 'guessed less often than the target wants', none: 'No token of this row has p > q.' },
  },
  choose: 'x =',
  option: (token, state) => `${state}: ${token}`,
  mass: (overlap, z) => ['This is how often a guess is rejected, and also how much probability the draft model missed:', `Z = Σ max(0, p − q) = 1 − Σ min(p, q) = 1 − ${overlap} = ${z}`],
  noMass: ['p and q are equal, so no guess is ever rejected:', 'Z = Σ max(0, p − q) = 1 − Σ min(p, q) = 1 − 1 = 0'],
  lines: {
    guessed: (q) => ['x is guessed with', `q(x) = ${q}`],
    never: ['x is never guessed', 'q(x) = 0'],
    sometimes: (p, q, share) => ['and then accepted with', `p(x)/q(x) = ${p}/${q} = ${share}`],
    kept: (p, q) => ['Guessed and accepted', `P(accepted x) = q(x) · p(x)/q(x) = ${q} · ${p}/${q} = ${p}`],
    always: (q) => ['and then always accepted, so guessed and accepted', `P(accepted x) = q(x) · 1 = ${q} · 1 = ${q}`],
    notDrawn: ['After a rejection it is never drawn', 'max(0, p(x) − q(x)) = 0'],
    refused: (z) => ['Any guess is rejected with', `Z = ${z}`],
    share: (p, q, z, share) => ['and then x is drawn with', `(p(x) − q(x))/Z = (${p} − ${q})/${z} = ${share}`],
    drawn: (z, share, excess) => ['Rejected, and x drawn', `P(drawn x) = Z · (p(x) − q(x))/Z = ${z} · ${share} = ${excess}`],
    together: (kept, drawn, p) => ['Together', `P(out = x) = ${kept} + ${drawn} = ${p} = p(x)`],
  },
  conclusion: ['One of the two holds for every token, so the output has the target’s own distribution:', 'P(out) = p'],
  account: 'Where each token’s probability comes from',
  caption: { slot: 'At this position', typed: 'In your own row' },
  columns: {
    token: 'x', p: 'p', q: 'q', accept: 'min(1, p/q)', excess: 'max(0, p−q)', accepted: 'guessed and accepted', resampled: '+ drawn instead', out: '= P(out)', bar: 'both fill p',
  },
  total: 'sum',
  sources: { slot: 'The position on stage', typed: 'A row of your own' },
  whose: 'Whose numbers',
  inputs: { p: 'p, the target', q: 'q, the draft model' },
  preset: (p, q) => `p ${p} · q ${q}`,
  examples: 'Examples',
  scaled: (law, sum) => `${law} summed to ${sum} and was divided by that.`,
  wrong: {
    number: (law, piece) => `${law}: “${piece}” must be a number of 0 or more, such as 0.5, 50 % or 1/2.`,
    many: (law, count, fewest, most) => `${law} has ${count === 1 ? '1 number' : `${count} numbers`}; it needs ${fewest} to ${most}.`,
    sum: (law, sum) => `${law} sums to ${sum}; it must be 1, give or take 0.001.`,
    lengths: (p, q) => `p has ${p} numbers and q has ${q}; both need the same number.`,
  },
  kept: (problem) => `${problem} The last valid row stays.`,
};

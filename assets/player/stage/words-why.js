/**
 * words-why.js: the cards that say what became of a token. Pure: tokens come as plain text.
 */

import { plural } from '../base/format.js';

export const why = {
  title: (token, word) => (token === null ? 'Nothing here yet' : `Why ${word}: ${token}`),
  prompt: 'Part of the prompt: nobody guessed it.',
  empty: 'No guess here yet.',
  chosen: (reason) =>
    `A guess that was chosen, not drawn${reason ? `: ${reason}` : ''}. The target has not judged it yet.`,
  weighed: {
    accepted:
      'The guesses of a block are weighed together; its number fell below the chance that all up to here stand.',
    rescued: 'Its own number was too high, but a later guess passed, and with it all before it.',
    rejected: 'The guesses of a block are weighed together; no number from here on fell below its mark.',
    branch:
      'The tree is weighed as a whole; a guess further down this branch passed, and with it all before it.',
    leaf: 'The first branch whose number fell below its weight: all guesses on it are accepted.',
    fell: 'The number was not below the weight of its branch, so it is taken off the tree; the branches left are weighed anew.',
  },
  tried: {
    accepted: (before, sure) =>
      sure
        ? `What the ${plural(before, 'rejected sibling')} left of p is at least q here, so it is always accepted.`
        : `Tested against what the ${plural(before, 'rejected sibling')} left of p; its random number was below p′/q.`,
    rejected: (before) =>
      `Tested against what the ${plural(before, 'rejected sibling')} left of p; the random number was too high. This does not mean “wrong”.`,
  },
  sibling: (token) => `Never tested: “${token}” was accepted in its place.`,
  draft: (reason) =>
    `A guess, drawn from the draft model’s own distribution q${reason ? ` (${reason})` : ''}. The target has not judged it yet.`,
  wanted: (q, p) =>
    `The draft model said q = ${q}, the target says p = ${p}. The target wants it at least as much, so it is always accepted.`,
  eager: (percent, u) =>
    `The draft model picks it more often than the target would. Such a guess is accepted ${percent} times in 100, and the random number ${u} was one of them.`,
  rejected: (token, percent) =>
    `The random number was too high. This does not mean “wrong”: ${percent} % of such guesses must be rejected, because the draft model picks “${token}” more often than the target would.`,
  untested: (before) =>
    `It was guessed after “${before}”, which is gone. This probability assumed a token that was rejected.`,
  afterEnd: 'The text ended before it, so nobody tested it.',
  resampled: (token, mass, u, share) =>
    `Picked only among tokens the draft model under-predicted (${mass} of p). The random number ${u} fell on “${token}”, which is ${share} of them.`,
  equal: 'p and q were equal to the last digit, so nothing was left over and the token was drawn from p.',
  bonus: (kept, whole = true) =>
    kept
      ? `${!whole ? 'A whole branch was' : kept === 1 ? 'The guess was' : `All ${kept} guesses were`} accepted, and the same pass had already scored the next position. It costs nothing extra.`
      : 'Nothing was guessed, so this is one step of plain decoding.',
  ownWaits: 'The position after the last guess. It is used only if every guess is accepted.',
  lines: {
    draft: (q, u) => (u ? `q = ${q}, drawn at u = ${u}` : `q = ${q}, drawn in several steps`),
    chosen: 'q = 1: chosen, not drawn',
    block: (keep, u, below) => `h = ${keep}; u = ${u} ${below ? '<' : '≥'} ${keep}`,
    untested: (p, q) => `p = ${p}, q = ${q}, never compared`,
    weight: (weight) => `ρ = ${weight}; no number of its own`,
    tested: (p, q, keep, u, kept, name = 'p') =>
      `min(1, ${name}/q) = min(1, ${p}/${q}) = ${keep}; u = ${u} ${kept ? '<' : '≥'} ${keep}`,
    residual: (over, mass, share, u) => `max(0, p−q) / (1−β) = ${over}/${mass} = ${share}; u = ${u}`,
    bonus: (p, u) => `p = ${p}; u = ${u}`,
  },
  sources: {
    block: 'n = max{i : uᵢ < hᵢ} · Sun et al. 2024, arXiv:2403.10444',
    draft: 'x ∼ q(x) · Leviathan et al. 2023, Algorithm 1',
    chosen: 'q(x) = 1, so it is accepted with probability p(x)',
    tested: 'accept with probability min(1, p(x)/q(x)) · Leviathan et al. 2023, section 2.3',
    sibling: 'p′ = norm(max(0, p − q)) after each rejection · Miao et al. 2023, arXiv:2305.09781',
    traversal: 'accept a leaf’s branch with probability ρ · Weng et al. 2025, arXiv:2505.12398',
    untested: 'everything after the first rejection is dropped · Leviathan et al. 2023, Algorithm 1',
    residual: 'p′ = norm(max(0, p − q)) · Leviathan et al. 2023, section 2.3',
    bonus: 't ∼ p(γ+1) · Leviathan et al. 2023, Algorithm 1',
  },
};

/** Why-cards where no random number tests a guess. */
export const noDice = {
  greedy: {
    lines: { guess: 'argmax q', test: (same) => `argmax p ${same ? '=' : '≠'} argmax q`, own: 'argmax p' },
    why: {
      draft: 'Temperature 0: the draft model takes its first choice. The target has not judged it yet.',
      accepted:
        'Temperature 0: the draft model’s first choice is the target’s first choice, so it is accepted.',
      rejected: 'Temperature 0: the target’s first choice is another token, so this one is rejected.',
      resampled: 'Temperature 0: the target’s own first choice takes the place of the rejected guess.',
      bonus:
        'Temperature 0: every guess was the target’s first choice, and the same pass gives its next one.',
    },
    source: 'temperature 0 puts all probability on one token · Leviathan et al. 2023, section 2.2',
  },
  coupled: {
    lines: {
      guess: 'argmax(log q + g)',
      test: (same, keep) =>
        `argmax(log p + g) ${same ? '=' : '≠'} argmax(log q + g); such a guess is accepted with chance ${keep}`,
      own: 'argmax(log p + g)',
    },
    why: {
      draft:
        'The draft model’s pick under this position’s noise. The target, under the same noise, has not judged it yet.',
      accepted: 'With this position’s noise the target picks the same token, so it is accepted.',
      rejected: 'With this position’s noise the target picks another token, so this one is rejected.',
      resampled:
        'The target’s pick under this position’s noise. Plain decoding with this seed writes it too.',
      bonus:
        'Every guess matched, and the target’s next pick, under the next position’s noise, is there already.',
    },
    source: 'Gumbel coupling · Daliri, Musco and Suresh 2024, arXiv:2408.07978',
  },
  typical: {
    lines: {
      test: (p, needed, passes, { epsilon, delta }) =>
        `p = ${p} ${passes ? '>' : '≤'} ${needed} = min(${epsilon}, ${delta} exp(−H))`,
    },
    why: {
      accepted:
        'Likely enough for the target, so it is accepted whatever q was. The trade: no guess is lost to chance, but likely tokens come up too often.',
      rejected:
        'Too improbable for the target at this position, so it is rejected. A lossless rule would accept it now and then.',
      passedBy:
        'It passes, but another branch of passing guesses is longer, or as long and likelier. Only one can be accepted.',
      resampled:
        'Drawn from all of p, not from what the accepted guesses left of it. So the text does not have the target’s distribution.',
    },
    source: 'Lossy: accept while p > min(ε, δ exp(−H(p))) · Cai et al. 2024, arXiv:2401.10774',
  },
};

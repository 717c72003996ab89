/**
 * words-say.js: the headlines. At most 14 words each, the token in quotes counting as one. Pure: tokens
 * come as plain text.
 */

import { clean, inWords } from '../base/format.js';

const draft = (text) => ({ text, role: 'draft' });
const target = (text) => ({ text, role: 'target' });
const accepted = (text) => ({ text, role: 'accepted' });
const rejected = (text) => ({ text, role: 'rejected' });
const bonus = (text) => ({ text, role: 'bonus' });
const late = (piece) => ({ ...piece, late: true });
/** A sentence has room for so many letters of a token. */
const ROOM = 24;
const cut = (letters) =>
  letters.length > ROOM ? `${letters.slice(0, ROOM - 1).join('')}…` : letters.join('');
const quoted = (text) => `“${cut(Array.from(text))}”`;
const big = (word) => word[0].toUpperCase() + word.slice(1);
const many = (count, one = 'token') => `${inWords(count)} ${one}${count === 1 ? '' : 's'}`;
const ORDINALS = [null, 'First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];
const WHO = {
  bigram: 'A word-pair table',
  ngram: 'A phrase table',
  'small-model': 'A small model',
  'small-tree': 'A small model',
  recycling: 'A memory',
  quantized: 'An 8-bit copy',
  'prompt-lookup': 'A text search',
  suffix: 'A text search',
  retrieval: 'A library search',
};
const PLAIN = {
  greedy: ' is the first choice: one plain step of the ',
  coupled: ' is picked: one plain step of the ',
};

const dropped = (count) =>
  count === 1
    ? 'the guess after it is dropped too'
    : `the ${inWords(count)} guesses after it are dropped too`;

export const say = {
  rest: (drafter) =>
    !drafter
      ? ['The ', target('big model'), ' guesses ahead by itself, and checks every guess in one pass.']
      : [
          draft(WHO[drafter] ?? 'A draft model'),
          ' guesses ahead. The ',
          target('big model'),
          ' checks every guess in one pass.',
        ],
  offer: (tokens, passes, noDice) =>
    `${noDice === 'typical' ? 'Not quite the big model’s text (a lossy rule), but' : noDice ? 'The same text as from the big model alone,' : 'Same quality as the big model alone,'} fewer slow steps: ` +
    `these ${tokens} tokens took ${passes} ${passes === 1 ? 'pass' : 'passes'}, not ${tokens}.`,
  slower: (tokens, passes) =>
    `These ${tokens} tokens took ${passes} passes. This time it took longer: guessing cost more than it saved.`,

  draft(count, noDice, how) {
    if (how === 'itself')
      return [
        'No draft model: ',
        draft(count === 1 ? 'the guess' : `these ${inWords(count)} guesses`),
        count === 1 ? ' costs no pass of its own.' : ' cost no pass of their own.',
      ];
    if (how === 'copied')
      return ['The ', draft('draft'), ' found these words earlier in the text and copied what followed.'];
    const who = ['The ', draft('draft model')];
    if (noDice === 'greedy')
      return [
        ...who,
        count === 1
          ? ' takes its likeliest token.'
          : ` takes its likeliest token, ${count === 2 ? 'twice' : `${inWords(count)} times`}.`,
      ];
    return [
      ...who,
      count === 1
        ? ' guesses one token.'
        : ` guesses ${many(count)}${how === 'together' ? ' at once' : ', one after another'}.`,
    ];
  },
  check(count) {
    if (!count) return ['No guesses this round: one plain step of the ', target('target'), '.'];
    const what = count === 1 ? 'the guess' : count === 2 ? 'both guesses' : `all ${inWords(count)} guesses`;
    return ['One pass of the ', target('target'), ` scores ${what}, and the next position.`];
  },

  firstLevel(count, text, drafters, end) {
    if (end) return ['Level 1: ', draft(`${many(count, 'way')} on`), `. ${end}`];
    const who =
      drafters > 1
        ? [draft(`${big(inWords(drafters))} draft models`), ' offer ']
        : ['The ', draft(drafters ? 'draft model' : 'pool'), ' offers '];
    return ['Level 1: ', ...who, `${many(count, 'way')} on from “${cut(Array.from(text))}”.`];
  },
  level(depth, count, end) {
    const after = end ? `. ${end}` : count === 1 ? ', after its own parent.' : ', each after its own parent.';
    return [`Level ${depth}: `, draft(count === 1 ? 'one guess' : `${inWords(count)} guesses`), after];
  },
  halted: (reason) => `It stops here, as ${clean(reason)}.`,
  noDeeper: (reason) => `No deeper: ${clean(reason)}.`,
  full: (guesses) => `No more fit: at most ${guesses} guesses per round.`,
  checkTree: (count) => [
    'One pass of the ',
    target('target'),
    ` scores all ${inWords(count)} guesses, each on its own branch.`,
  ],
  hopeless: (text) => ['Keep ', draft(quoted(text)), '? Nothing of p is left on it: no number can keep it.'],
  sureNow: (text, turn) => [
    `${ORDINALS[turn] ?? `${turn}th`} try, `,
    draft(quoted(text)),
    ': p′ is at least q, so any number keeps it.',
  ],
  next: (text, turn, u, below) => [
    `${ORDINALS[turn] ?? `${turn}th`} try, `,
    draft(quoted(text)),
    '? The random number is ',
    late({ text: u }),
    `; it must be below ${below}.`,
  ],
  struck: (gone, grows, text, p) => [
    rejected(quoted(gone)),
    ` is struck out; the rest grows ×${grows}: `,
    draft(quoted(text)),
    ` now has ${p}.`,
  ],
  taken: (grows, text, p) => [
    'What q covered is taken off p; the rest grows ',
    `×${grows}: `,
    draft(quoted(text)),
    ` has ${p}.`,
  ],
  beside(text, count, noDice) {
    const yes =
      noDice === 'greedy'
        ? ['Yes: ', accepted(quoted(text)), accepted(' is accepted')]
        : [accepted(quoted(text)), accepted(' is accepted')];
    return [
      ...yes,
      count === 1
        ? '. The guess beside it will never be tested.'
        : `. The ${inWords(count)} guesses beside it will never be tested.`,
    ];
  },
  last(text, parent) {
    const end = ['. The ', target('target'), ' draws from what is left.'];
    if (!parent) return [rejected(quoted(text)), ', the last one,', rejected(' is rejected'), ...end];
    return [
      rejected(quoted(text)),
      rejected(' is rejected'),
      `, the last after “${cut(Array.from(parent))}”`,
      ...end,
    ];
  },
  bonusTree: (text, parent) => [
    accepted(quoted(parent)),
    ' ends its branch. Bonus: ',
    late(bonus(quoted(text))),
    ' was already scored, so it is free.',
  ],
  gather(slots, from, gone) {
    const where = slots.length > 3 ? `${slots.slice(0, 3).join(', ')} …` : slots.join(', ');
    const to = slots.length === 1 ? `${from}` : `${from}–${from + slots.length - 1}`;
    return [
      accepted(slots.length === 1 ? 'The kept slot' : 'The kept slots'),
      ` ${where} ${slots.length === 1 ? 'moves' : 'move'} to ${to}; the other ${gone === 1 ? 'one goes' : `${inWords(gone)} go`}.`,
    ];
  },
  trimTree(tokens, guessed, kept) {
    const gone = guessed - kept;
    return [
      'This round: ',
      accepted(many(tokens)),
      ` from one pass. ${big(inWords(gone))} of ${inWords(guessed)} guesses ${gone === 1 ? 'was' : 'were'} for nothing.`,
    ];
  },

  sure: (text, equal) => [
    'Keep ',
    draft(quoted(text)),
    '? Always: the ',
    target('target'),
    equal ? ' rates it just as high as the draft model.' : ' rates it higher than the draft model did.',
  ],
  number: (text, u, below) => [
    'Keep ',
    draft(quoted(text)),
    '? The random number is ',
    late({ text: u }),
    `; it must be below ${below}.`,
  ],
  above: (text, threshold) => [
    'Keep ',
    draft(quoted(text)),
    '? The ',
    target('target'),
    `’s p must be above ${threshold}. No random number.`,
  ],
  passedBy: (text) => [
    draft(quoted(text)),
    ' passes too, but another branch is longer or likelier: ',
    rejected('rejected'),
    '.',
  ],
  same: (text, noDice) =>
    noDice === 'greedy'
      ? ['Is ', draft(quoted(text)), ' also the ', target('target’s'), ' first choice?']
      : ['Same random noise for both models: do they both pick ', draft(quoted(text)), '?'],

  run(texts) {
    if (texts.length > 3)
      return [`${big(inWords(texts.length))} guesses in a row are `, accepted('accepted'), '.'];
    const pieces = texts.flatMap((text, index) => [
      index === 0 ? '' : index === texts.length - 1 ? ' and ' : ', ',
      accepted(quoted(text)),
    ]);
    return [...pieces.filter((piece) => piece !== ''), ' are ', accepted('accepted'), '.'];
  },
  accepted(text, last, noDice, whole = true) {
    const both =
      noDice === 'coupled' ? ['Both pick ', accepted(quoted(text)), ': ', accepted('accepted'), '.'] : null;
    const yes = noDice === 'greedy' ? ['Yes: ', accepted(quoted(text)), accepted(' is accepted'), '.'] : null;
    const next =
      last && !whole
        ? ' Its branch ends here.'
        : last === 1
          ? ' It was the only guess.'
          : last === 2
            ? ' Both guesses are in.'
            : last
              ? ` All ${inWords(last)} guesses are in.`
              : ' Now the next guess.';
    return [...(both ?? yes ?? [accepted(quoted(text)), accepted(' is accepted'), '.']), next];
  },
  ended: (text, count) => [
    accepted(quoted(text)),
    accepted(' is accepted'),
    count ? '. The text ends here; later guesses are not used.' : '. The text ends here.',
  ],
  weigh: (text, u, below) => [
    'Keep up to ',
    draft(quoted(text)),
    '? The random number is ',
    late({ text: u }),
    `; it must be below ${below}.`,
  ],
  rescued: (text) => [
    accepted(quoted(text)),
    accepted(' is accepted'),
    ': a later number fell below its mark.',
  ],
  failed: (text, more) => [
    rejected(quoted(text)),
    rejected(' is rejected'),
    more ? '. Now the next number.' : '. It was the last guess.',
  ],
  sibling: (text, count) => [
    rejected(quoted(text)),
    rejected(' is rejected'),
    `${count ? `, with ${count === 1 ? 'the guess' : `the ${inWords(count)} guesses`} after it` : ''}. Next: another for its place.`,
  ],
  rejected(text, count, noDice, instead) {
    if (noDice === 'greedy')
      return [
        'No: ',
        rejected(quoted(text)),
        rejected(' is rejected'),
        '. The ',
        target('target’s'),
        ' first choice is ',
        target(quoted(instead)),
        '.',
      ];
    if (noDice === 'coupled')
      return [
        'The ',
        target('target'),
        ' picks ',
        target(quoted(instead)),
        ' instead of ',
        rejected(quoted(text)),
        ': ',
        rejected('rejected'),
        '.',
      ];
    const first = [rejected(quoted(text)), rejected(' is rejected')];
    return count ? [...first, `, so ${dropped(count)}.`] : [...first, '. It was the last guess.'];
  },

  residual: () => [
    'Keep only what the draft model ',
    target('under-predicted'),
    ', then stretch it to fill the ruler.',
  ],
  replace(text, u, noDice, equal) {
    const token = late(target(quoted(text)));
    if (noDice === 'greedy')
      return [target(quoted(text)), ' takes its place. No random numbers at temperature 0.'];
    if (noDice === 'coupled') return [target(quoted(text)), ' takes its place; nothing is drawn again.'];
    if (noDice)
      return [
        'A random number, ',
        late({ text: u }),
        ', falls on ',
        token,
        ', drawn from all of ',
        target('p'),
        '.',
      ];
    if (equal) return ['p and q are equal here, so ', token, ' is drawn from p.'];
    return [
      'A new random number, ',
      late({ text: u }),
      ', falls on ',
      token,
      ': the ',
      target('target’s'),
      ' replacement.',
    ];
  },
  bonus(text, count, noDice, whole = true) {
    const token = noDice && noDice !== 'typical' ? bonus(quoted(text)) : late(bonus(quoted(text)));
    if (!count)
      return [token, PLAIN[noDice] ?? ' is drawn from p: one plain step of the ', target('target'), '.'];
    const first = !whole
      ? 'The whole branch is accepted'
      : noDice === 'coupled'
        ? count === 1
          ? 'The guess matches'
          : count === 2
            ? 'Both match'
            : `All ${inWords(count)} match`
        : count === 1
          ? 'The guess is accepted'
          : count === 2
            ? 'Both accepted'
            : `All ${inWords(count)} accepted`;
    if (noDice === 'greedy')
      return [accepted(first), '. Bonus: the ', target('target’s'), ' first choice, ', token, ', is free.'];
    if (noDice === 'coupled')
      return [accepted(first), '. Bonus: the ', target('target’s'), ' next pick, ', token, ', is free.'];
    return [accepted(first), '. Bonus: ', token, ' is free, its position was already scored.'];
  },
  rollback({ written, kept }, tokens) {
    if (written === kept)
      return ['Nothing to roll back. This round: ', accepted(many(tokens)), ' from one pass.'];
    return [
      `The cache rolls back from ${written} to ${kept}. This round: `,
      accepted(many(tokens)),
      ', one pass.',
    ];
  },
};

/**
 * words-sheet.js: what a printed worksheet says. Pure: tokens come as plain text.
 */

export const sheet = {
  title: 'Speculative decoding, by hand',
  answers: 'Answers',
  name: 'Name',
  about: (round, rounds, gamma, temperature, seed) =>
    `Round ${round} of ${rounds} · γ ${gamma} · T ${temperature} · seed ${seed}`,
  none: 'A worksheet needs guesses in one line, each tested by a random number. Go to another round, or use rejection sampling above T = 0, without a tree.',
  test: 'Accept or reject?',
  how: 'For each guess work out a = min(1, p/q). Mark a and u on its bar: the guess is accepted if u is below a. Stop at the first rejection.',
  blank: (label) => `${label}: `,
  verdict: 'verdict',
  accept: 'accept',
  reject: 'reject',
  never: 'never tested',
  left: 'What is left of p',
  odds: (text, overlap) =>
    `Where “${text}” was guessed, p and q overlap by β = ${overlap}. How often is a guess there rejected?`,
  cannot: (text) => `Can “${text}” be its own replacement? Why?`,
  because: (text) => `No: p of “${text}” is below q, so nothing of it is left.`,
  over: (text, p, q) => `For “${text}”, p = ${p} and q = ${q}. How much of it is left?`,
  stretched:
    'Everything left adds up to the first answer. How likely is that token once it is stretched to 1?',
  words: 'In words',
  open: (refused) => [
    refused
      ? [
          'Why are guesses after a rejected one never tested?',
          'They were made for a text that contains the rejected token; that text no longer exists.',
        ]
      : [
          'Why does the bonus token cost no pass?',
          'The pass over the guesses had already scored the position after the last of them.',
        ],
    [
      'When would this round be slower than plain decoding?',
      'When guessing and a wider pass cost more plain passes than the tokens that the round gives.',
    ],
  ],
  foot: (target, draft, recorded) => `specviz · target ${target} · draft model ${draft} · ${recorded}`,
};

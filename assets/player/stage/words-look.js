/**
 * words-look.js: the words that stand on the stage whatever the run: names of parts, legends, small labels.
 */

import { inLanguage } from '../base/language.js';

const guesses = (many) => (many === 1 ? 'one guess' : `${many} guesses`);

export const { look } = inLanguage({
  look: {
    tape: 'Text so far',
    boxes: 'Tokens',
    boxesTitle: 'Show every token in its own box',
    earlier: (many) => `… ${many} earlier tokens …`,
    bytes: (many) => `${many} tokens`,
    beats: 'Phases of the round',
    where: ['Round ', ' of '],
    lane: 'Guesses of this round',
    root: 'text so far',
    position: (at) => `position ${at}`,
    afterWord: 'after ',
    triedBefore: (many) => `${many} before`,
    triedMore: (many) => `+${many}`,
    ifAll: 'if all are accepted',
    figure: 'Target p vs. draft q',
    columns: {
      p: ['target ', { var: 'p' }],
      primed: ['target ', { var: 'p′' }],
      weighed: ['target ', { var: 'ρp' }],
      q: ['draft ', { var: 'q' }],
      left: ['left ', { var: 'p − q' }],
    },
    title: {
      both: [
        { role: 'target', pieces: ['Target ', { var: 'p' }] },
        ' vs. ',
        { role: 'draft', pieces: ['draft ', { var: 'q' }] },
      ],
      weighed: [
        { role: 'target', pieces: ['Target ', { var: 'p' }, ' × weight ', { var: 'ρ' }] },
        ' vs. ',
        { role: 'draft', pieces: ['draft ', { var: 'q' }] },
      ],
      primed: [
        { role: 'target', pieces: ['Target ', { var: 'p′' }] },
        ' vs. ',
        { role: 'draft', pieces: ['draft ', { var: 'q' }] },
      ],
      q: [{ role: 'draft', pieces: ['Draft ', { var: 'q' }] }],
      p: [{ role: 'target', pieces: ['Target ', { var: 'p' }] }],
    },
    after: (text, now) => ` after “${text}”${now}`,
    legend: {
      overlap: ['both', { long: [': ', { var: 'min(p, q)' }] }],
      p: ['target more', { long: [': ', { var: 'p − q' }] }],
      q: ['draft more', { long: [': ', { var: 'q − p' }] }],
      left: ['left from here', { long: [': ', { var: 'p − q' }] }],
      onlyP: ['target ', { var: 'p' }],
      onlyQ: ['draft ', { var: 'q' }],
    },
    zoom: (times) => `${times}× the ruler’s scale`,
    others: (many) => [`${many} other`, { long: [' tokens'] }, { short: ['s'] }],
    side: 'Side by side',
    overlaid: 'Overlaid',
    rest: 'Show the whole vocabulary',
    same: ['=', '≠'],
    odds: (accept, reject) => `Accept ${accept} · reject ${reject}`,
    was: (mass, times) => [`was ${mass} wide, `, `now stretched ×${times}`],
    wide: (odds) => ` · about 1 in ${odds}, drawn wider than it is`,
    guessesOf: guesses,
    key: [
      ['accepted', 'guess', 'accepted guess'],
      ['resampled', 'own', 'replaced by the target'],
      ['bonus', 'free', 'bonus, when all were accepted'],
    ],
    showMe: '▶ Show me',
    runYourOwn: 'Run your own',
  },
});

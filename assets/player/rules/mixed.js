/**
 * mixed.js: a number decides, against a mixture v of p and q in the place of p. Lossy. Pure. arXiv:2604.07622.
 */

import { number } from '../base/format.js';
import { words } from '../words/words.js';
import { left, line, picked, returned, rows, tested } from './code.js';
import { byNumber, v } from './number.js';

/** The target's own p of a guess; undefined where nothing is mixed. */
const ownOf = ({ token, view }) => view.target?.[view.bars.findIndex((bar) => bar.token === token)];

/** The mixture at a guess in numbers. */
function mixture({ verdicts }, { slot, info: { ensemble } }) {
  const { p, q } = verdicts[slot];
  const own = ownOf(verdicts[slot]);
  if (own === undefined) return null;
  const { weight } = ensemble;
  return [`v = ${number(weight)} · ${number(own)} + ${number(1 - weight)} · ${number(q)} = ${number(p)}`];
}

const LINES = [
  line(['draft']),
  line(['verify'], rows),
  line(['dart'], mixture),
  line(['dart', 'verdict'], tested),
  line(['adjust', 'residual'], left),
  line(['replace', 'bonus'], picked),
  line(['join', 'gather', 'trim', 'rest'], returned),
];

/** @type {import('./number.js').Rule} */
export const mixed = {
  ...byNumber,
  decides: ({ ensemble }) => Boolean(ensemble),
  code: () => ({ ...words.rules.mixed, lines: LINES }),

  /** What is mixed, and how far that is from the target. */
  chance(round, verdict, chance, { ensemble }) {
    const tested = byNumber.chance(round, verdict, chance);
    const own = ownOf(verdict);
    if (own === undefined) return tested;
    const [one, rest] = [ensemble.weight, 1 - ensemble.weight].map((share) =>
      String(Number(share.toFixed(3))),
    );
    const { distance = 0 } = verdict.view;
    return [
      {
        label: words.sum.mixed,
        terms: [v('v'), ` = ${one} · ${number(own)} + ${rest} · ${number(verdict.q)}`],
      },
      { label: words.sum.apart, terms: ['TVD(', v('v'), ', ', v('p'), `) = ${number(distance)}`] },
      ...tested,
    ];
  },
};

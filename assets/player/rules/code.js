/**
 * code.js: the lines of rules in their papers' notation, and what they say of a round in numbers. Pure. A line says a
 * list of pieces, text or { sub: text }; token text only ever is a piece of its own.
 */

import { apart, number, show } from '../base/format.js';
import { elders, keepChance, viewAt } from '../trace/chance.js';
import { isSettled, isThrown } from '../trace/moment.js';
import { testedOf } from '../trace/timeline.js';
import { words } from '../words/words.js';

/** The kinds of beats a line is at work in, what it says then of (round, moment), and its indent. */
export const line = (beats, live = () => null, indent = 0) => ({ beats, live, indent });
export const unlit = line([]);

/** What tells where the random number of such a beat lands. */
export const lands = (kinds, live) => Object.assign(live, { lands: kinds });

/** A letter with the place of a guess, counted from 1. */
export const at = (letter, slot) => [letter, { sub: String(slot + 1) }];

/** Pieces with commas between them. */
const list = (pieces) => pieces.flatMap((piece, index) => (index ? [', ', ...piece] : piece));

export const guess = lands(['draft'], ({ verdicts }, { slot }) =>
  slot === null ? null : [...at('x', slot), ' = ', show(verdicts[slot].text)],
);
export const rows = ({ verdicts }) => [words.algorithm.rows({ rows: verdicts.length + 1 })];
export const accepts = ({ path }) => [words.algorithm.accepts({ many: path.length })];
export const picked = lands(['replace', 'bonus'], ({ extra }) => extra && ['t = ', show(extra.text)]);

/** A random number against the limit below which a guess is accepted, so printed that they differ. */
export const drawn = ({ u }, limit) => apart(u, limit).join(u < limit ? ' < ' : ' ≥ ');

export const tested = lands(['dart'], ({ verdicts }, { slot }) => {
  const verdict = verdicts[slot];
  return [show(verdict.text), `: r = ${drawn(verdict, keepChance(verdict))}`];
});

/** Accept while both sides pick the same token. */
export const matched = lands(['replace', 'bonus'], (round, moment) => {
  if (!isSettled(moment)) return null;
  return [...accepts(round), ...(round.extra ? [': + ', show(round.extra.text)] : [])];
});

/** What is left of p, scaled by ρ where guesses are weighed together, at the place after the accepted ones. */
export const residual = ({ path }, scale, mass) => [
  `p′(x) ← max(0, ${scale}`,
  ...at(scale ? ' p' : 'p', path.length),
  '(x) − ',
  ...at('q', path.length),
  `(x)) / ${mass}`,
];

/** What a refused sibling left of p, or of the mixture in its place. */
export function left(round, { kind, slot }) {
  const node = kind === 'adjust' ? elders(round, slot).at(-1) : slot;
  const { left: mass, target } = viewAt(round, node);
  return [target ? 'p′ ← (v − q)⁺ / ' : 'p ← (p − q)⁺ / ', number(mass)];
}

export function gathered({ verdicts, path, position }) {
  const slots = path.map((node) => position + node).join(words.grammar.comma);
  return [words.algorithm.copies({ slots, gone: verdicts.length - path.length })];
}

/** The guess that is drawn: whose q that is, and what it drew. */
export function draftWords({ verdicts }, { slot, info }) {
  const parent = verdicts[verdicts[slot].parent];
  return [...at('q', slot), '(x) ← ', info.config.drafter, '(…', ...(parent ? [show(parent.text)] : []), ')'];
}
export const drafted = lands(['draft'], (round, moment) => [
  ...guess(round, moment),
  ', ',
  ...at('q', moment.slot),
  ` = ${number(round.verdicts[moment.slot].q)}`,
]);

/** The numbers that were drawn so far. */
export const numbers = lands(['dart'], (round, moment) => {
  const thrown = testedOf(round).filter((slot) => isThrown(round, moment, slot));
  return list(thrown.map((slot, index) => [...at('r', index), ` = ${number(round.verdicts[slot].u)}`]));
});

export function returned({ verdicts, path, extra }) {
  const texts = [...path.map((node) => verdicts[node].text), ...(extra ? [extra.text] : [])];
  return ['prefix + [', ...list(texts.map((text) => [show(text)])), ']'];
}

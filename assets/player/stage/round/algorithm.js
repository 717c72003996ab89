/**
 * algorithm.js: the algorithm of a round in its paper's notation, line by line, and the lines at work in
 * this round's numbers. Pure. A line is a list of pieces, text or { sub: text }; token text only ever is a
 * piece of its own.
 * Sources: Algorithm 1 "SpeculativeDecodingStep" of Leviathan, Kalman, Matias 2023, arXiv:2211.17192; where
 * guesses fork arXiv:2305.09781; weighed together arXiv:2403.10444, in a tree arXiv:2505.12398; against a
 * threshold arXiv:2401.10774, mixed arXiv:2604.07622.
 */

import { apart, number, show } from '../../base/format.js';
import { elders, keepChance, viewAt } from './bars.js';
import { isSettled, isThrown } from '../../trace/moment.js';
import { thresholdOf } from '../../trace/threshold.js';
import { isChain, testedOf } from '../../trace/timeline.js';
import { words } from '../words.js';
import { saidAll } from '../../words/words.js';

/**
 * live: the line in numbers, null where it is not at work or has none; late: it tells where a number lands;
 * note: a comment of the paper.
 * @typedef {{ plain: Piece[], live: ?Piece[], late: boolean, lit: boolean, indent: number, note: boolean }} Line
 * @typedef {string | { sub: string }} Piece
 */

/**
 * The algorithm at a moment.
 * @returns {{ title: string, source: string, lines: Line[] }}
 */
export function algorithm(round, moment, config) {
  const name = nameOf(round, moment);
  const { titles, sources, [name]: messages } = words.algorithm;
  const notation = saidAll(messages, { ...moment.threshold, ...moment.ensemble, ...moment.relaxation });
  return {
    title: titles[name],
    source: sources[name],
    lines: LINES[name].map(({ beats, live, indent }, at) => {
      const lit = beats.includes(moment.kind);
      return {
        plain: math(notation[at]),
        live: lit ? live(round, moment, config) : null,
        late: Boolean(LATE[moment.kind]?.includes(live)),
        lit,
        indent,
        note: notation[at].startsWith('▷'),
      };
    }),
  };
}

function nameOf(round, { noDice, ensemble, relaxation }) {
  if (ensemble) return 'ensemble';
  if (relaxation && round.verdicts.some(({ rank }) => rank)) return 'relaxed';
  const weighed = round.verdicts.some(({ weight }) => weight !== null);
  if (!isChain(round) && !noDice) return weighed ? 'traversal' : 'tree';
  return weighed ? 'block' : (noDice ?? 'paper');
}

/** Notation as pieces: _{...} is a subscript. Takes only the paper's own lines. */
function math(source) {
  return source
    .split(/_\{([^}]*)\}/)
    .map((piece, index) => (index % 2 ? { sub: piece } : piece))
    .filter((piece) => piece !== '');
}

/** A letter with the place of a guess, counted from 1. */
const at = (letter, slot) => [letter, { sub: String(slot + 1) }];

/** Pieces with commas between them. */
const list = (pieces) => pieces.flatMap((piece, index) => (index ? [', ', ...piece] : piece));

const none = () => null;
const guess = ({ verdicts }, { slot }) =>
  slot === null ? null : [...at('x', slot), ' = ', show(verdicts[slot].text)];
const rows = ({ verdicts }) => [words.algorithm.rows({ rows: verdicts.length + 1 })];
const accepts = ({ path }) => [words.algorithm.accepts({ many: path.length })];
const picked = ({ extra }) => extra && ['t = ', show(extra.text)];

/** A random number against the limit below which a guess is accepted, so printed that they differ. */
const drawn = ({ u }, limit) => apart(u, limit).join(u < limit ? ' < ' : ' ≥ ');

function tested({ verdicts }, { slot }) {
  const verdict = verdicts[slot];
  return [show(verdict.text), `: r = ${drawn(verdict, keepChance(verdict))}`];
}

/** Accept while both sides pick the same token. */
function matched(round, moment) {
  if (!isSettled(moment)) return null;
  return [...accepts(round), ...(round.extra ? [': + ', show(round.extra.text)] : [])];
}

function threshold({ verdicts }, { slot, threshold: { epsilon, delta }, threshold: limits }) {
  const verdict = verdicts[slot];
  const entropy = number(verdict.entropy ?? 0);
  return [`τ ← min(${epsilon}, ${delta} · exp(−`, entropy, ')) = ', number(thresholdOf(verdict, limits))];
}

/** A guess's p above or below the threshold, so printed that they differ. */
function above({ verdicts }, moment) {
  const { text, p } = verdicts[moment.slot];
  const needed = thresholdOf(verdicts[moment.slot], moment.threshold);
  const [shown, mark] = apart(p, needed);
  return [words.algorithm.above({ text: show(text), p: shown, mark, passes: p > needed })];
}

/** What is left of p, scaled by ρ where guesses are weighed together, at the place after the accepted ones. */
const residual = ({ path }, scale, mass) => [
  `p′(x) ← max(0, ${scale}`,
  ...at(scale ? ' p' : 'p', path.length),
  '(x) − ',
  ...at('q', path.length),
  `(x)) / ${mass}`,
];

/** What a refused sibling left of p, or of the mixture in its place. */
function left(round, { kind, slot }) {
  const node = kind === 'adjust' ? elders(round, slot).at(-1) : slot;
  const { left: mass, target } = viewAt(round, node);
  return [target ? 'p′ ← (v − q)⁺ / ' : 'p ← (p − q)⁺ / ', number(mass)];
}

/** Where a guess between think tags stands, or the number that tests it outside them. */
function relaxed(round, moment) {
  const { text, p, rank, view } = round.verdicts[moment.slot];
  if (!rank) return tested(round, moment);
  const largest = Math.max(...view.bars.map((bar) => bar.p));
  return [show(text), `: ${rank} / ${moment.relaxation.top}, p = ${number(p)}, max p = ${number(largest)}`];
}

/** The mixture at a guess in numbers. */
function mixture({ verdicts }, { slot, ensemble: { weight } }) {
  const { p, q, token, view } = verdicts[slot];
  if (!view.target) return null;
  const own = view.target[view.bars.findIndex((bar) => bar.token === token)];
  return [`v = ${number(weight)} · ${number(own)} + ${number(1 - weight)} · ${number(q)} = ${number(p)}`];
}

function gathered({ verdicts, path, position }) {
  const slots = path.map((node) => position + node).join(words.grammar.comma);
  return [words.algorithm.copies({ slots, gone: verdicts.length - path.length })];
}

/** How many guesses there are, and the one that is drawn; whose q that is, and what it drew. */
const loop = ({ verdicts }, { slot }) => [`for i = 1 to ${verdicts.length}: i = ${slot + 1}`];
function draftWords({ verdicts }, { slot }, { drafter }) {
  const parent = verdicts[verdicts[slot].parent];
  return [...at('q', slot), '(x) ← ', drafter, '(…', ...(parent ? [show(parent.text)] : []), ')'];
}
const drafted = (round, moment) => [
  ...guess(round, moment),
  ', ',
  ...at('q', moment.slot),
  ` = ${number(round.verdicts[moment.slot].q)}`,
];

/** The numbers that were drawn so far. */
function numbers(round, moment) {
  const thrown = testedOf(round).filter((slot) => isThrown(round, moment, slot));
  return list(thrown.map((slot, index) => [...at('r', index), ` = ${number(round.verdicts[slot].u)}`]));
}

/** The line of n: the position of the first rejection. */
function counted({ verdicts, path, extra }, { slot }) {
  if (slot !== extra?.node) return null;
  const [u, keep] = apart(verdicts[slot].u, keepChance(verdicts[slot]));
  return [`n = ${path.length}: `, ...at('r', path.length), ` = ${u} ≥ ${keep} = p/q`];
}

function compared({ verdicts, path }) {
  const answer = path.length < verdicts.length ? words.algorithm.yes : words.algorithm.no;
  return [`if ${path.length} < ${verdicts.length}: ${answer}`];
}

function returned({ verdicts, path, extra }) {
  const texts = [...path.map((node) => verdicts[node].text), ...(extra ? [extra.text] : [])];
  return ['prefix + [', ...list(texts.map((text) => [show(text)])), ']'];
}

/** By kind of beat, what tells where its random number lands. */
const LATE = {
  draft: [guess, drafted],
  dart: [numbers, tested, relaxed],
  replace: [picked, matched],
  bonus: [picked, matched],
};

const line = (beats, live = none, indent = 0) => ({ beats, live, indent });
const unlit = line([]);

/** When each line is lit, what it says then in numbers, and its indent. */
const LINES = {
  paper: [
    unlit,
    line(['draft'], loop),
    line(['draft'], draftWords, 1),
    line(['draft'], drafted, 1),
    unlit,
    line(['verify'], rows),
    unlit,
    line(['dart'], numbers),
    line(['verdict'], counted),
    unlit,
    line(['residual', 'bonus'], ({ path }) => ['p′(x) ← ', ...at('p', path.length), '(x)']),
    line(['residual', 'bonus'], compared),
    line(['residual'], (round) => residual(round, '', number(1 - round.extra.view.overlap)), 1),
    unlit,
    line(['replace', 'bonus'], picked),
    line(['join', 'gather', 'trim'], returned),
  ],
  greedy: [
    line(['draft'], guess),
    line(['verify', 'dart']),
    line(['verdict', 'replace', 'bonus', 'join', 'gather', 'trim', 'rest'], matched),
  ],
  coupled: [
    unlit,
    line(['draft', 'verify', 'dart'], guess),
    line(['verdict', 'replace', 'bonus', 'join', 'gather', 'trim', 'rest'], matched),
  ],
  typical: [
    line(['draft']),
    line(['verify'], rows),
    line(['dart'], threshold),
    line(['dart', 'verdict'], above),
    line(['join', 'gather', 'trim', 'rest'], accepts),
    line(['replace', 'bonus'], picked),
  ],
  ensemble: [
    line(['draft']),
    line(['verify'], rows),
    line(['dart'], mixture),
    line(['dart', 'verdict'], tested),
    line(['adjust', 'residual'], left),
    line(['replace', 'bonus'], picked),
    line(['join', 'gather', 'trim', 'rest'], returned),
  ],
  relaxed: [
    line(['draft']),
    line(['verify'], rows),
    line(['dart', 'verdict'], relaxed),
    line(['dart', 'verdict']),
    line(['adjust', 'residual'], left),
    line(['replace', 'bonus'], picked),
    line(['join', 'gather', 'trim', 'rest'], returned),
  ],
  block: [
    line(['draft'], guess),
    line(['verify'], rows),
    line(['dart'], ({ verdicts }, { slot }) => [...at('ρ', slot), ' = ', number(verdicts[slot].weight)]),
    line(['dart'], ({ verdicts }, { slot }) => [...at('h', slot), ' = ', number(verdicts[slot].accept_prob)]),
    line(['verdict'], ({ verdicts }, { slot }) => [
      ...at('r', slot),
      ` = ${drawn(verdicts[slot], verdicts[slot].accept_prob)} = `,
      ...at('h', slot),
    ]),
    line(['residual'], (round) =>
      residual(round, number(round.verdicts[round.path.at(-1)]?.weight ?? 1), '…'),
    ),
    line(['replace', 'bonus', 'join', 'gather', 'trim', 'rest'], picked),
  ],
  tree: [
    line(['draft']),
    line(['verify'], rows),
    unlit,
    line(['dart']),
    line(['dart', 'verdict'], tested, 1),
    line(['adjust', 'residual'], left, 1),
    line(['replace', 'bonus'], picked),
    line(['join', 'gather', 'trim', 'rest'], gathered),
  ],
  traversal: [
    line(['draft', 'verify']),
    line(['dart', 'verdict'], tested),
    line(['verdict'], none, 1),
    line(['residual'], none, 1),
    line(['replace', 'bonus'], picked),
    line(['join', 'gather', 'trim', 'rest'], accepts),
  ],
};

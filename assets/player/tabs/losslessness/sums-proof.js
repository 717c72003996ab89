/**
 * sums-proof.js: why a slot gives the target's own distribution, in the numbers of one row of p and q, and
 * where every token's probability comes from. Pure: a row is { tokens: [{ token, label, state }], p, q,
 * rest }, rest being the other tokens of the vocabulary summed elementwise, { count, p, q, overlap }, or
 * null.
 */

import { apart, number, show } from '../../base/format.js';
import { sum } from '../../base/statistics.js';
import { words } from '../words.js';
import { saidAll, sentences } from '../../words/words.js';

const FEWEST = 3;
const MOST = 8;
const LETTERS = 'ABCDEFGH';
/** A typed law may miss 1 by so much: .333 three times still is one. */
const SLACK = 1e-3 + 1e-9;
/** What float64 leaves of p − q where the two are the same, as a share of p. */
const ROUNDING = 1e-12;
/** How far from its printed result a printed equation may come out. */
const PRINTED = 0.01;

/** Rows to begin with, as they would be typed. */
export const PRESETS = [
  { p: '0.5 0.3 0.2', q: '0.3 0.5 0.2' },
  { p: '0.05 0.1 0.6 0.25', q: '0.1 0.6 0.2 0.1' },
];

/** A slot's row, or null where p or q is not known. slot: what mountProof's show() is given. */
export function slotRow(slot) {
  const known =
    slot?.rows.length && [...slot.rows, slot.rest ?? {}].every(({ p, q }) => p !== null && q !== null);
  if (!known) return null;
  const { rows, rest, drafted, emitted, verdict } = slot;
  const state = (token) =>
    token === drafted ? (verdict ?? 'draft') : token === emitted ? 'resampled' : null;
  return {
    tokens: rows.map(({ token, text }) => ({ token, label: show(text), state: state(token) })),
    p: rows.map(({ p }) => p),
    q: rows.map(({ q }) => q),
    rest: rest?.count ? rest : null,
  };
}

/**
 * A row from two typed laws: { row, scaled }, scaled saying which had to be divided by its sum; or { error,
 * law }.
 */
export function typedRow(typed) {
  const laws = {};
  for (const law of ['p', 'q']) {
    laws[law] = parseRow(typed[law], law);
    if (laws[law].error) return { ...laws[law], law };
  }
  const { p, q } = laws;
  if (p.values.length !== q.values.length)
    return { error: words.proof.wrong.lengths({ p: p.values.length, q: q.values.length }), law: 'q' };
  return {
    row: {
      tokens: p.values.map((_, index) => ({ token: index, label: LETTERS[index], state: null })),
      p: p.values,
      q: q.values,
      rest: null,
    },
    scaled: sentences([p.scaled, q.scaled]),
  };
}

/**
 * Typed numbers as a law that sums to 1: { values, scaled }, scaled saying so if it had to be divided; or {
 * error }.
 */
export function parseRow(text, law) {
  const { wrong, scaled } = words.proof;
  const pieces = text
    .replaceAll('−', '-')
    .replace(/\s*([%/])/g, '$1')
    .replace(/\/\s+/g, '/')
    .split(/[\s,;()[\]]+/)
    .filter(Boolean);
  const values = pieces.map(value);
  const odd = values.findIndex((each) => !(each >= 0 && each < Infinity));
  if (odd >= 0) return { error: wrong.number({ law, piece: show(pieces[odd]) }) };
  if (values.length < FEWEST || values.length > MOST)
    return { error: wrong.many({ law, count: values.length, fewest: FEWEST, most: MOST }) };
  const total = sum(values);
  if (Math.abs(total - 1) > SLACK) return { error: wrong.sum({ law, sum: apart(total, 1)[0] }) };
  return {
    values: values.map((each) => each / total),
    scaled: Math.abs(total - 1) > ROUNDING ? scaled({ law, sum: apart(total, 1)[0] }) : '',
  };
}

/** The number a piece stands for: .5, 1e-3, 1/2, 50%; NaN for anything else. */
function value(piece) {
  const [, over, under = '1', percent] = piece.match(/^([^/%]+)(?:\/([^/%]+))?(%?)$/) ?? [];
  if (![over, under].every((part) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part))) return NaN;
  return over / under / (percent ? 100 : 1);
}

/**
 * Where every token's probability comes from: { lines, total, z }. A line: { p, q, accept, accepted,
 * excess, resampled, out }; accept is null where there is no one number, for a token never guessed and for
 * the rest, which is the last line.
 */
export function account({ p, q, rest }) {
  const pairs = p.map((wanted, index) => ({
    p: wanted,
    q: q[index],
    accept: q[index] ? Math.min(1, wanted / q[index]) : null,
    accepted: Math.min(wanted, q[index]),
  }));
  const all = rest ? [...pairs, { p: rest.p, q: rest.q, accept: null, accepted: rest.overlap }] : pairs;
  const parts = all.map((part) => ({
    ...part,
    excess: part.p - part.accepted > ROUNDING * part.p ? part.p - part.accepted : 0,
  }));
  const z = sum(parts.map(({ excess }) => excess));
  const lines = parts.map((part) => {
    const resampled = z && z * (part.excess / z); // refused, then drawn
    return { ...part, resampled, out: part.accepted + resampled };
  });
  const names = ['p', 'q', 'accepted', 'excess', 'resampled', 'out'];
  return {
    lines,
    total: {
      ...Object.fromEntries(names.map((name) => [name, sum(lines.map((line) => line[name]))])),
      accept: null,
    },
    z,
  };
}

/** Which of the proof's two cases a line of the account is. */
export function kindOf({ excess }) {
  return excess > 0 ? 'short' : 'enough';
}

/** What both cases share: [sentence, equation]. */
export function massLine(z) {
  return z > ROUNDING
    ? saidAll(
        words.proof.mass,
        printed({ overlap: 1 - z, z }, ({ overlap }) => 1 - overlap),
      )
    : words.proof.noMass;
}

/** The proof for one line of an account, with its numbers: [sentence, equation] line by line. */
export function proofLines({ p, q, accepted, excess }, z) {
  const { lines } = words.proof;
  const guessed = q ? saidAll(lines.guessed, { q: number(q) }) : lines.never;
  const together = saidAll(
    lines.together,
    printed({ kept: accepted, drawn: excess, p }, ({ kept, drawn }) => kept + drawn),
  );
  if (!excess) {
    const kept = q
      ? [
          saidAll(
            lines.sometimes,
            printed({ p, q, share: p / q }, (taken) => taken.p / taken.q),
          ),
          saidAll(lines.kept, { p: number(p), q: number(q) }),
        ]
      : [];
    return [guessed, ...kept, lines.notDrawn, together];
  }
  return [
    guessed,
    ...(q ? [saidAll(lines.always, { q: number(q) })] : []),
    saidAll(lines.refused, { z: number(z) }),
    saidAll(
      lines.share,
      printed({ p, q, z, share: excess / z }, (taken) => (taken.p - taken.q) / taken.z),
    ),
    saidAll(
      lines.drawn,
      printed({ z, share: excess / z, excess }, ({ z: mass, share }) => mass * share),
    ),
    together,
  ];
}

/**
 * An equation's numbers, its result last, with as many figures as it takes for the printed ones to give the
 * printed result.
 */
function printed(values, equation) {
  const each = (make) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]));
  const last = Object.keys(values).at(-1);
  let digits = 3;
  const off = () => {
    const seen = each((value) => Number(value.toPrecision(digits)));
    return Math.abs(equation(seen) - seen[last]) > PRINTED * seen[last];
  };
  while (digits < 17 && off()) digits += 1;
  return each((value) => number(value, digits));
}

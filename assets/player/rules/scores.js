/**
 * scores.js: what decides where no number does. Pure. Under shared noise it is log p + g and log q + g, whose
 * largest are the two picks; at temperature 0 the probabilities before it, whose largest become 1. A recording
 * that has neither shows p and q alone.
 */

import { count, local, number, show } from '../base/format.js';
import { words } from '../words/words.js';

/** How far below the lower of both winners the bars of log p + g begin: one in four hundred as likely. */
const RANGE = 6;

/**
 * The rows with log p + g and log q + g for their bars, largest first, the last one being below all winners:
 * wide is how long p's and q's bars are, says what stands in their columns.
 */
export function scored(rows, { bars, noise }, known) {
  const g = new Map(bars.map(({ token }, at) => [token, noise[at]]));
  const score = (share, token) => (share > 0 ? Math.log(share) + g.get(token) : -Infinity);
  const all = rows.map(({ token, p, q, before, rest }) => ({
    p: rest || !known.p ? -Infinity : score(p, token),
    q: rest || !known.q ? -Infinity : score(q, token),
    before: rest || before === undefined ? -Infinity : score(before, token),
  }));
  const best = (side) => Math.max(...all.map((each) => each[side]));
  const winners = [best('p'), best('q'), best('before')].filter(Number.isFinite);
  const [low, top] = [Math.min(...winners) - RANGE, Math.max(...winners)];
  const long = (value) => Math.max(0, (value - low) / (top - low));
  const said = (value) => (Number.isFinite(value) ? signed(value) : '');
  return rows
    .map((row, at) => ({
      ...row,
      overlap: null,
      residual: null,
      score: Number.isFinite(all[at].q) ? all[at].q : null,
      wide: { p: long(all[at].p), q: long(all[at].q), before: long(all[at].before) },
      says: ['p', 'q'].map((side) =>
        row.rest && known[side] ? `< ${said(best(side))}` : said(all[at][side]),
      ),
      order: Math.max(all[at].p, all[at].q),
    }))
    .sort((one, other) => one.rest - other.rest || other.order - one.order || one.token - other.token)
    .map(({ order, ...row }) => row);
}

function signed(value) {
  return local(value.toFixed(2).replace('-', '−'));
}

/** The rows with the probabilities before temperature 0 after the choice, largest first. */
export function cooled(rows, { raw }, known) {
  const named = rows.filter(({ rest }) => !rest);
  const others = raw
    .filter(({ token }) => !named.some((row) => row.token === token))
    .map(({ token, text }) => ({
      token,
      label: show(text),
      p: known.p ? 0 : null,
      q: known.q ? 0 : null,
      overlap: null,
      residual: null,
      count: 1,
      drafted: false,
      emitted: false,
      focus: false,
      rest: false,
      dart: null,
    }));
  const before = new Map(raw.map((each) => [each.token, each]));
  const left = (side) => Math.max(0, 1 - raw.reduce((sum, each) => sum + (each[side] ?? 0), 0));
  const behind = (row, side) => (row.rest ? left(side) : (before.get(row.token)?.[side] ?? 0));
  const tells = { p: known.p, q: known.q && raw.some(({ q }) => q !== null) };
  return [...named, ...others, ...rows.filter(({ rest }) => rest).map((row) => fewer(row, others.length))]
    .map((row) => {
      const raw_ = { p: tells.p ? behind(row, 'p') : null, q: tells.q ? behind(row, 'q') : null };
      const says = ['p', 'q'].map((side) => (raw_[side] === null ? null : chosen(raw_[side], row[side])));
      return { ...row, raw: raw_, says };
    })
    .sort((one, other) => one.rest - other.rest || size(other) - size(one) || one.token - other.token);
}

const size = ({ raw, before }) => Math.max(raw.p ?? 0, raw.q ?? 0, before ?? 0);

function fewer(row, many) {
  return { ...row, count: row.count - many, label: words.others({ many: count(row.count - many) }) };
}

/** A probability, and what temperature 0 makes of it. */
function chosen(before, after) {
  return `${before < 0.01 ? words.source.tiny : number(before, 2)} → ${after}`;
}

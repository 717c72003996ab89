/**
 * laws.js: the figure that compares p with q at one slot, and the ruler a token is drawn on.
 * Pure: from the views a trace holds to rows and segments. Shares are of the whole vocabulary and sum to 1.
 */

import { apart, count, number, show } from '../base/format.js';
import { ORDER, isSettled, isThrown, stateOf } from '../trace/moment.js';
import { words } from './words.js';

/**
 * What record.py puts into a view: so many of the largest tokens of each law, and never more bars than MOST: the tallest,
 * but for the drafted and the emitted token, which always get one. From that follows which places on a ruler are exact.
 */
const TOP = 5;
const TOP_UNTESTED = 2;
const MOST = 12;
const ALWAYS = 2;
const ROWS = 11;
const NOTHING = 1e-9;
/** Views are rounded to six digits; less than this at the end of a ruler is no token. */
const ROUNDING = 1e-5;

/** The chance that a drafted token is kept: recorded for the tested ones, min(1, p / q) for all. */
export function keepChance({ accept_prob: recorded, p, q }) {
  return recorded ?? Math.min(1, p / q);
}

/**
 * Rows of the figure for the focused slot, largest first, the other tokens summed in the last; null when unknown.
 * A row: { token, label, p, q, overlap, residual, drafted, emitted, rest, dart }, null for what is not known yet.
 * scale: the largest p or q; widest: that or the largest residual once stretched, so that no column outgrows its place. stretched: the residual is being drawn from, so it stands divided by its mass `left`.
 */
export function figure(round, moment, focus) {
  const verdict = round.verdicts[focus];
  const settled = isSettled(moment);
  const own = settled && round.extra && focus === round.path.length;
  if (!own && (!verdict || (moment.kind === 'draft' && focus > moment.slot))) return null;
  const view = own ? round.extra.view : verdict.view;
  const known = { p: moment.order >= ORDER.verify, q: !own || round.extra.emission === 'resampled' };
  const both = known.p && known.q;
  const thrown = verdict && !moment.noDice && isThrown(round, moment, focus);
  const { bars, rest } = folded(view, [verdict?.token, own ? round.extra.token : null]);
  const row = (token, label, { p, q, overlap, residual }, marks) => ({
    token, label, p: known.p ? p : null, q: known.q ? q : null, overlap: both ? overlap : null, residual: both ? residual : null, ...marks,
  });
  const rows = bars.map((bar) => row(bar.token, show(bar.text), { ...bar, overlap: Math.min(bar.p, bar.q) }, {
    drafted: known.q && bar.token === verdict.token,
    emitted: Boolean(own) && bar.token === round.extra.token,
    rest: false,
    dart: thrown && known.q && bar.token === verdict.token ? verdict.u * bar.q : null,
  }));
  if (rest.count) rows.push(row(null, words.others(count(rest.count)), rest, { drafted: false, emitted: false, rest: true, dart: null }));
  return {
    rows,
    scale: Math.max(...rows.map(({ p, q }) => Math.max(p ?? 0, q ?? 0)), NOTHING),
    widest: Math.max(...rows.map(({ p, q, residual }) => Math.max(p ?? 0, q ?? 0, (residual ?? 0) / Math.max(1 - view.overlap, NOTHING))), NOTHING),
    overlap: both ? view.overlap : null,
    left: both ? 1 - view.overlap : null,
    stretched: settled && own && known.q && !round.extra.zero_residual && moment.noDice !== 'coupled',
  };
}

/**
 * What the vocabulary shows of an answer of specviz/ui/rows.py, its raw laws where it has any and they are asked for:
 * { rows: [[token, text, p, q, keep], ...], ranks }; keep is null where no guess could be tested, raw laws never are,
 * and under another rule than rejection.
 */
export function lawsOf(answer, raw, rule) {
  const isRaw = raw && answer.raw !== null;
  const { rows, ranks } = isRaw ? answer.raw : answer;
  return { rows: rows.map(([token, text, p, q]) => [token, text, p, q, q && !isRaw && rule === 'rejection' ? keepChance({ p, q }) : null]), ranks };
}

/** At most ROWS bars, largest first and the named tokens always among them; the others join the rest, token by token. */
function folded(view, named) {
  const size = (bar) => Math.max(bar.p, bar.q);
  const sorted = [...view.bars].sort((a, b) => named.includes(b.token) - named.includes(a.token) || size(b) - size(a));
  const rest = { ...view.rest };
  for (const { p, q, residual } of sorted.splice(ROWS)) {
    rest.count += 1;
    rest.p += p;
    rest.q += q;
    rest.overlap += Math.min(p, q);
    rest.residual += residual;
  }
  return { bars: sorted.sort((a, b) => size(b) - size(a)), rest };
}

/**
 * The ruler: { title, kind, mass, segments: [{ label, share, hit }], dart }, a dart being where u landed in [0, 1); mass
 * is what the ruler was before it was stretched to 1.
 */
export function ruler(round, moment, focus) {
  const verdict = round.verdicts[focus];
  const settled = isSettled(moment);
  const certain = words.noDice[moment.noDice];
  if (settled && round.extra && focus === round.path.length) return emission(round.extra, certain);
  if (moment.kind === 'draft' && focus <= moment.slot) {
    const top = verdict.verdict === 'untested' ? TOP_UNTESTED : TOP;
    return {
      title: certain ? certain.drawn('q', show(verdict.text)) : words.ruler.draft(number(verdict.draft_u), show(verdict.text)),
      kind: 'q',
      mass: 1,
      segments: law(verdict.view, (bar) => bar.q, 1, verdict, top),
      dart: certain ? null : verdict.draft_u,
    };
  }
  if (!verdict || certain || moment.kind === 'draft' || stateOf(round, moment, focus) === 'untested') {
    const waits = settled && !round.extra ? words.ruler.ended : words.ruler.waits;
    return { title: certain ? certain.waits : waits, kind: 'none', mass: 1, segments: [], dart: null };
  }
  const thrown = isThrown(round, moment, focus);
  const keep = keepChance(verdict);
  return {
    title: words.ruler.accept(thrown ? apart(verdict.u, keep)[1] : number(keep)),
    kind: 'accept',
    mass: 1,
    segments: [
      { label: words.ruler.keep, share: keep, hit: thrown && verdict.u < keep, refuse: false },
      { label: words.ruler.refuse, share: 1 - keep, hit: thrown && verdict.u >= keep, refuse: true },
    ].filter(({ share }) => share > NOTHING),
    dart: thrown ? verdict.u : null,
  };
}

function emission(extra, certain) {
  const dart = certain ? null : extra.u;
  const say = [certain ? '' : number(extra.u), show(extra.text)];
  if (certain || extra.emission === 'bonus' || extra.zero_residual) {
    const title = certain ? certain.drawn('p', say[1]) : extra.emission === 'bonus' ? words.ruler.bonus(...say) : words.ruler.equal(...say);
    return { title, kind: 'p', mass: 1, segments: law(extra.view, (bar) => bar.p, 1, extra, TOP), dart };
  }
  const mass = 1 - extra.view.overlap;
  const title = words.ruler.residual(number(mass), ...say);
  return { title, kind: 'p', mass, segments: law(extra.view, (bar) => bar.residual, mass, extra, TOP), dart };
}

/**
 * A law in the order it is drawn: its most probable tokens first, ties by id, then all others as one segment. The drawn
 * token, should it be among those, stands at its own place there, low to high.
 */
function law(view, mass, total, drawn, sure) {
  const heights = view.bars.map(({ p, q }) => Math.max(p, q)).sort((a, b) => a - b);
  const hidden = heights.length < MOST ? 0 : heights[ALWAYS];
  const top = view.bars.filter((bar) => mass(bar) > hidden)
    .sort((a, b) => mass(b) - mass(a) || a.token - b.token).slice(0, sure);
  const segments = top.map((bar) => ({ label: show(bar.text), share: mass(bar) / total, hit: bar.token === drawn.token }));
  const start = segments.reduce((sum, { share }) => sum + share, 0);
  const others = words.others(count(view.rest.count + view.bars.length - top.length));
  if (segments.some(({ hit }) => hit)) segments.push({ label: others, share: 1 - start, hit: false });
  else {
    segments.push({ label: others, share: drawn.low - start, hit: false }, { label: show(drawn.text), share: drawn.high - drawn.low, hit: true },
      { label: others, share: 1 - drawn.high, hit: false });
  }
  return segments.filter(({ share, hit }) => share > ROUNDING || hit);
}

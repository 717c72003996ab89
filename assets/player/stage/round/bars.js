/**
 * bars.js: the figure that compares p with q at one position.
 * Pure: from the views a trace holds to rows. Shares are of the whole vocabulary and sum to 1.
 */

import { count, inSentence, number, show } from '../../base/format.js';
import { ORDER, isSettled, isThrown, stateOf } from '../../trace/moment.js';
import { childrenOf, isChain } from '../../trace/timeline.js';
import { ruleOf } from '../../rules/rules.js';
import { elders, viewAt } from '../../trace/chance.js';
import { namedIn } from './changed.js';
import { coveredBy, heldBy, isForced } from './grammar.js';
import { words } from '../words.js';

/** True if a node of the lane is the target's own token and has been drawn. */
export function isTargetToken(round, moment, focus) {
  return isSettled(moment) && Boolean(round.extra) && focus === round.verdicts.length;
}

/** True if the target has scored the place of its own token, and nothing was guessed before it. */
export function isPlain({ verdicts, extra }, { order }) {
  return !verdicts.length && Boolean(extra) && order >= ORDER.verify;
}

/**
 * A bar's shares are null where they are not known yet. token is null in the last row, which is all other
 * tokens, count of them. focus: the row looked at; dart: where the guess's random number landed, as a share.
 * order: which sibling a token is; was: what p gave it before siblings were refused; gone: it is one of
 * those, chosen outright. before: what p was before penalties and bans.
 * @typedef {{ token: ?number, label: string, p: ?number, q: ?number, overlap: ?number, residual: ?number,
 *   count: number, drafted: boolean, emitted: boolean, focus: boolean, rest: boolean, dart: ?number,
 *   order?: ?number, was?: ?number, gone?: boolean, before?: number }} Row
 *
 * rows stand largest first. primed: p is what siblings left of it; outright: the guess was chosen; forks: its
 * round has branches. mode: `q` before the target has answered, `p` where nothing was guessed, `residual`
 * where the token is drawn from what is left of p, `argmax` at temperature 0, `noise` where that decides and
 * `apart` where it was not recorded, else `both`. cold: the probabilities before temperature 0 stand behind.
 * left: the mass of p − q where p is larger. framed: the tokens whose equality decides, where no number is drawn.
 * changed: the names of what changed p, if that is shown. mixed: v stands in p's place, and p is an outline.
 * @typedef {{ title: { after: string, now: string }, primed: boolean, outright: boolean, forks: boolean,
 *   rows: Row[], overlap: ?number, left: ?number, mode: string, cold: boolean, weight: ?number, weighs: boolean,
 *   framed: number[], same: boolean, changed: ?string[], mixed: boolean }} Figure
 */

/**
 * The figure at a node; null where nothing is known.
 * @returns {?Figure}
 */
export function figure(story, round, moment, focus) {
  const { extra, verdicts, path } = round;
  const isTargets = isTargetToken(round, moment, focus);
  const last = isTargets || isPlain(round, moment);
  const resampled = isTargets && extra.emission === 'resampled';
  const node = resampled ? extra.node : focus;
  const verdict = verdicts[node];
  const rule = ruleOf(moment.info, verdict);
  const numbered = rule.by === 'number';
  if (!last && (!verdict || stateOf(round, moment, focus) === null)) return null;
  const unguessed = last && !resampled;
  const view = unguessed ? { ...extra.view, left: 1 - extra.view.overlap } : viewAt(round, node);
  const family = unguessed ? NO_SIBLINGS : siblingsOf(round, moment, verdict, numbered);
  const known = { p: moment.order >= ORDER.verify && !family.waits, q: !unguessed };
  const both = known.p && known.q;
  const draws = moment.kind === 'residual' ? node === extra.node : resampled && !extra.zero_residual;
  const residual = both && numbered && view.left > 0 && draws;
  const mixed = known.p && Boolean(view.target);
  const outlined = known.p && !residual && !family.refused.length;
  const changed = outlined && !mixed && view.before ? view : null;
  const thrown = verdict && !isTargets && numbered && isThrown(round, moment, node);
  return {
    title: {
      after: before(story, round, unguessed ? (path.at(-1) ?? -1) : verdict.parent),
      now:
        nowThat(family, verdict, known.p) +
        heldBy(
          view.allowed,
          story.trace.info.vocab_size,
          !unguessed && isForced(verdict),
          words.figure.held,
        ) +
        (known.p && !unguessed ? coveredBy(view, words.figure.covered) : ''),
    },
    primed: known.p && family.refused.length > 0,
    outright: family.outright,
    forks: !isChain(round),
    rows: rule.rows(
      rowsOf(view, family, known, {
        drafted: known.q ? verdict.token : null,
        emitted: isTargets ? extra.token : null,
        u: thrown ? verdict.u : null,
        before: outlined && mixed ? view.target : changed?.before,
      }),
      view,
      known,
    ),
    changed: changed && namedIn(changed),
    mixed,
    overlap: both && !rule.noise ? view.overlap : null,
    left: both && !rule.noise ? view.left : null,
    mode: modeOf(known, residual, rule, view),
    cold: rule.cools && Boolean(view.raw),
    weight: view.weight ?? null,
    weighs: typeof verdict?.weight === 'number',
    ...framed(round, moment, rule, node, isTargets),
  };
}

function modeOf(known, residual, rule, view) {
  if (rule.noise && view.noise) return 'noise';
  if (!known.p) return 'q';
  if (!known.q) return 'p';
  return residual ? 'residual' : rule.mode;
}

/**
 * drafted, emitted: the tokens of the guess and of the target, or null; u: the guess's random number; before: what p
 * was, of each bar.
 */
function rowsOf({ bars, rest, weight = 1 }, family, known, { drafted, emitted, u, before: was }) {
  const both = known.p && known.q;
  const shares = ({ p, q, overlap, residual }) => ({
    p: known.p ? p : null,
    q: known.q ? q : null,
    overlap: both ? overlap : null,
    residual: both ? residual : null,
  });
  const size = ({ p, q, was: left, before }) =>
    Math.max(known.p ? p : 0, known.q && !(family.outright && known.p) ? q : 0, left ?? 0, before ?? 0);
  const all = was ? bars.map((bar, at) => ({ ...bar, before: was[at] })) : bars;
  const rows = (known.p ? remembered(all, family) : [...all])
    .sort((a, b) => size(b) - size(a) || a.token - b.token)
    .map((bar) => ({
      token: bar.token,
      label: show(bar.text),
      ...shares({ ...bar, overlap: Math.min(bar.p, bar.q) }),
      count: 1,
      drafted: bar.token === drafted,
      emitted: bar.token === emitted,
      focus: bar.token === (emitted ?? drafted),
      rest: false,
      dart: u !== null && bar.token === drafted ? u * bar.q : null,
      ...(was ? { before: bar.before } : {}),
      ...(family.order.size > 1
        ? { order: family.order.get(bar.token) ?? null, was: bar.was ?? null, gone: Boolean(bar.gone) }
        : {}),
    }));
  if (!rest.count) return rows;
  const others = { token: null, label: words.others({ many: count(rest.count) }), ...shares(rest) };
  const marks = { drafted: false, emitted: false, focus: false, rest: true, dart: null };
  if (was)
    marks.before = Math.max(
      0,
      was.reduce((sum, each) => sum - each, weight),
    );
  return [...rows, { ...others, count: rest.count, ...marks }];
}

const NO_SIBLINGS = { refused: [], waits: false, outright: false, order: new Map() };

/**
 * The siblings of a guess as the figure needs them: those refused before it, whether it waits for that,
 * whether it was chosen outright, and which sibling each token is.
 */
function siblingsOf(round, moment, { node, parent, law, weight, verdict }, numbered) {
  if (isChain(round)) return NO_SIBLINGS;
  const before = verdict === 'untested' || weight !== null || !numbered ? [] : elders(round, node);
  const all = childrenOf(round, parent);
  return {
    refused: before.map((each) => round.verdicts[each]),
    waits: before.some((each) => stateOf(round, moment, each) !== 'rejected'),
    outright: law === 'point' && numbered,
    order: new Map(all.map((each, at) => [round.verdicts[each].token, at + 1])),
  };
}

/**
 * The bars with what p was before siblings were refused; one that was chosen outright keeps its place,
 * struck out.
 */
function remembered(bars, { refused, outright }) {
  if (!refused.length) return [...bars];
  const was = new Map(refused[0].view.bars.map(({ token, p }) => [token, p]));
  const gone = outright ? refused.map(({ token, text }) => ({ token, text, p: 0, q: 0, residual: 0 })) : [];
  const all = [...bars.filter(({ token }) => !gone.some((each) => each.token === token)), ...gone];
  return all.map((bar) => ({ ...bar, was: was.get(bar.token), gone: gone.includes(bar) }));
}

/** What stands behind the title: which siblings are gone, or that the guess was chosen. */
function nowThat({ refused, outright }, verdict, scored) {
  if (scored && refused.length)
    return words.figure.nowThat({
      texts: refused
        .slice(0, 2)
        .map(({ text }) => words.quoted({ token: inSentence(text) }))
        .join(words.grammar.comma),
      more: Math.max(0, refused.length - 2),
      many: refused.length,
    });
  return outright ? words.figure.outright({ text: inSentence(verdict.text) }) : '';
}

/**
 * The two tokens to compare where no random number decides, and whether they are the same; null while there
 * is only one, which noise picked.
 */
function framed(round, moment, rule, node, isTargets) {
  const { extra, verdicts } = round;
  if (rule.noise && isTargets && extra.emission === 'bonus')
    return { framed: extra.view.noise ? [extra.token] : [], same: null };
  if (rule.noise && verdicts[node]?.view.noise && stateOf(round, moment, node) === 'draft')
    return { framed: [verdicts[node].token], same: null };
  const drawn = rule.by !== 'same' || (isTargets && extra.emission === 'bonus');
  const verdict = drawn || moment.order < ORDER.dart ? undefined : verdicts[node];
  const state = verdict && stateOf(round, moment, node);
  if (state === 'accepted') return { framed: [verdict.token], same: true };
  if (state !== 'rejected') return { framed: [], same: false };
  return { framed: [verdict.token, ...(extra ? [extra.token] : [])], same: false };
}

/** The text right before a guess: the last token of the branch it hangs on. */
function before(story, round, parent) {
  const last = parent >= 0 ? round.verdicts[parent].text : null;
  if (last !== null) return inSentence(last);
  const committed = story.text[round.position - 1];
  return committed ? committed.text.replace(/^·+(?=.)/u, '') : '';
}

/** A chance as one in so many. */
export function oneIn(share) {
  return count(Number((1 / share).toPrecision(2)));
}

/** A token and its share of a ruler; for a share too small to see, how rare it is. */
export function callout(text, share) {
  return words.ruler.call({
    text: inSentence(text),
    share: number(share),
    rare: share < THIN ? oneIn(share) : '',
  });
}

/** A share narrower than this is drawn wider than it is, on any screen. */
const THIN = 0.004;

/**
 * ruler.js: the ruler from 0 to 1 that a random number falls on. Pure: from the views a trace holds to
 * segments that sum to 1. A token stands where the engine drew it, as wide as it is.
 */

import { apart, inSentence, number, show } from '../../base/format.js';
import { ORDER, isSettled, isThrown, passedOver, stateOf } from '../../trace/moment.js';
import { ruleOf } from '../../rules/rules.js';
import { elders, keepChance, letterAt, viewAt } from '../../trace/chance.js';
import { callout, isTargetToken, isPlain } from './bars.js';
import { words } from '../words.js';
import { tell } from '../../words/words.js';

/** Views are rounded to six digits; less than this at the end of a ruler is no token. */
const ROUNDING = 1e-5;
/** A segment needs this share to have room for its name. */
const NAMED = 0.045;
/** Pixels that the pin under a number takes. */
const PIN = 7;

const none = (title) => ({
  kind: 'none',
  title,
  mass: 1,
  segments: [],
  dart: null,
  pin: null,
  scale: 1,
  ends: null,
  bracket: null,
  cover: null,
});

/**
 * The ruler at a node: { kind, title, mass, segments: [{ label, share, start, hit, refuse, role, token,
 * callout }], dart, pin, scale, ends, bracket, cover }. kind: `q`, `overlap`, `accept`, `residual`, `p` or `none`;
 * mass is how wide it was before it was stretched to 1; dart is where the number fell; pin: { at, value },
 * where p stands beside a threshold; scale: what the right end stands for; bracket: { was, times }, said
 * while it stretches; cover: { start, label }, the tokens without a segment of their own, if the number fell
 * among them: until then they are one.
 */
export function ruler(round, moment, focus) {
  const own = isTargetToken(round, moment, focus) ? round.extra.node : focus;
  const rule = ruleOf(moment.info, round.verdicts[own]);
  const { shown } = moment.info;
  const { kind } = moment;
  if (rule.by === 'same') return none('');
  const node = kind === 'residual' ? round.extra.node : focus;
  const verdict = round.verdicts[node];
  if (kind === 'residual' && focus === node) return left(viewAt(round, node), null, shown);
  if (isTargetToken(round, moment, focus)) return drawn(round, rule, shown);
  if (isPlain(round, moment)) return scored(round.extra, words.ruler.plain, null, shown);
  const state = verdict && stateOf(round, moment, node);
  if (!state) return none(moment.order < ORDER.verify ? '' : settledTitle(round, moment));
  if (kind === 'draft') {
    return {
      ...none(
        verdict.law === 'point'
          ? words.ruler.chosen({ reason: tell(verdict.source.words) })
          : words.ruler.draft,
      ),
      kind: 'q',
      ...law(verdict.view, 'q', 1, { ...verdict, u: verdict.draft_u }, shown, verdict.verdict),
      dart: verdict.draft_u,
      ends: ['0', '1'],
    };
  }
  if (state === 'untested')
    return none(words.ruler[(passedOver(round, node)?.kept ?? -1) >= 0 ? 'passed' : 'untested']);
  if (rule.ruler) return { ...none(''), ...rule.ruler(moment.info, verdict) };
  if (kind === 'adjust' && node === moment.slot) return adjusted(round, verdict, shown);
  if (waits(round, moment, node)) return none(words.ruler.sibling);
  const keep = keepChance(verdict);
  if (kind === 'verify' && !rule.weighs) {
    const { overlap } = verdict.view;
    return {
      ...none(words.ruler.overlap),
      kind: 'overlap',
      ends: ['0', '1'],
      segments: halves(
        overlap,
        words.ruler.accepts({ share: number(overlap) }),
        words.ruler.rejects({ share: number(1 - overlap) }),
        null,
      ),
    };
  }
  const thrown = isThrown(round, moment, node);
  return {
    ...none(
      keep < 1 || rule.weighs
        ? words.ruler.accept({ mark: thrown ? apart(verdict.u, keep)[1] : number(keep) })
        : words.ruler.always({ name: letterAt(round, node) }),
    ),
    kind: 'accept',
    segments: halves(keep, words.ruler.yes, words.ruler.no, thrown ? verdict.u : null),
    dart: thrown ? verdict.u : null,
    ends: ['0', '1'],
  };
}

/** True if a guess waits for siblings that are not rejected yet. */
export function waits(round, moment, node) {
  return (
    round.verdicts[node].weight === null &&
    elders(round, node).some((each) => stateOf(round, moment, each) !== 'rejected')
  );
}

/**
 * What a refused sibling left of p, stretched to fill the ruler; the guess to be tested against it is
 * framed.
 */
function adjusted(round, verdict, shown) {
  const mass = viewAt(round, elders(round, verdict.node).at(-1)).left;
  const { token, text, view } = verdict;
  const segments = law(view, 'p', 1, null, shown).segments.map((segment) =>
    segment.token === token ? { ...segment, hit: true } : segment,
  );
  return {
    ...none(words.ruler.adjusted({ text: inSentence(text) })),
    kind: 'p',
    segments,
    ends: ['0', '1'],
    bracket: { was: mass, times: 1 / mass },
  };
}

function settledTitle(round, moment) {
  if (!isSettled(moment)) return round.verdicts.length ? words.ruler.waits : '';
  return round.extra ? words.ruler.notReached : words.ruler.ended;
}

/** The ruler in two parts: below the mark, and above it. */
function halves(share, yes, no, u) {
  return [
    { label: yes, share, start: 0, hit: u !== null && u < share, refuse: false, role: 'accept' },
    {
      label: no,
      share: 1 - share,
      start: share,
      hit: u !== null && u >= share,
      refuse: true,
      role: 'reject',
    },
  ].filter((segment) => segment.share > 1e-9);
}

/**
 * What is left of p, stretched to fill the ruler; hit: the token drawn from it, null while nothing is
 * drawn.
 */
function left(view, hit, shown) {
  const mass = view.left;
  const ruled = {
    ...none(words.ruler.left({ name: letterOf(view) })),
    kind: 'residual',
    mass,
    ...law(view, 'residual', mass, hit, shown),
    ends: ['0', '1'],
  };
  return hit ? { ...ruled, dart: hit.u } : { ...ruled, bracket: { was: mass, times: 1 / mass } };
}

/** What a guess was tested against there: the target's p, or what a lossy rule mixed. */
const letterOf = (view) => (view.target ? 'v' : 'p');

/** A number as people read it; a loop that others wrote may not have told it. */
const told = (u) => (u === null ? `u (${words.untold})` : number(u));

/** The ruler that the target's own token was drawn on. */
function drawn(round, rule, shown) {
  const { extra } = round;
  if (extra.emission === 'resampled' && rule.by === 'threshold')
    return scored(extra, words.ruler.all({ u: told(extra.u), token: inSentence(extra.text) }), extra, shown);
  if (extra.emission === 'resampled' && !extra.zero_residual) {
    const view = viewAt(round, extra.node);
    return {
      ...left(view, extra, shown),
      title: words.ruler.residual({ name: letterOf(view), u: told(extra.u), token: inSentence(extra.text) }),
    };
  }
  const title = extra.emission !== 'bonus' ? 'equal' : round.verdicts.length ? 'bonus' : 'step';
  return scored(extra, words.ruler[title]({ u: told(extra.u), token: inSentence(extra.text) }), extra, shown);
}

/** All of p; hit: the token drawn from it, null while nothing is drawn. */
function scored({ view }, title, hit, shown) {
  return {
    ...none(title),
    kind: 'p',
    ...law(view, 'p', 1, hit, shown),
    dart: hit && hit.u,
    ends: ['0', '1'],
  };
}

/** No token without a bar of its own is taller than this. */
function tallestHidden({ bars }, { bars: most, tested, own }) {
  if (bars.length < most) return 0;
  const missed = bars
    .filter(({ residual }) => residual)
    .sort((a, b) => b.residual - a.residual)
    .slice(0, tested);
  const heights = bars.filter((bar) => !missed.includes(bar)).map(({ p, q }) => Math.max(p, q));
  return heights.sort((a, b) => a - b)[own] ?? 0;
}

/**
 * A distribution in the order it is drawn, { segments, cover }: its most probable tokens first, ties by id,
 * then all others as one segment, in which the drawn token stands at its own place, low to high, as wide as
 * it is. role: the bars' number that is drawn; shown: what of it has bars for sure.
 */
function law(view, role, total, hit, shown, verdict = 'accepted') {
  const mass = (bar) => bar[role];
  const least = Math.max(ROUNDING * total, role === 'residual' ? 0 : tallestHidden(view, shown));
  const top = view.bars
    .filter((bar) => mass(bar) > least)
    .sort((a, b) => mass(b) - mass(a) || a.token - b.token)
    .slice(0, verdict === 'untested' ? shown.untested : shown.tested);
  const segments = [];
  let start = 0;
  const add = (share, rest) => {
    if (share > ROUNDING || rest.hit)
      segments.push({ label: '', share, start, hit: false, refuse: false, role, ...rest });
    start += share;
  };
  for (const bar of top) {
    const share = mass(bar) / total;
    const isHit = bar.token === hit?.token;
    add(share, {
      label: share > NAMED ? show(bar.text) : '',
      token: bar.token,
      hit: isHit,
      ...(isHit ? { callout: callout(bar.text, share) } : {}),
    });
  }
  const labelled = (share) => (share > 3 * NAMED ? words.ruler.others : '');
  const others = (share) => add(share, { label: labelled(share), role: 'others', token: null });
  if (!hit || segments.some((segment) => segment.hit)) {
    others(Math.max(0, 1 - start));
    return { segments, cover: null };
  }
  const { low, high, text, token } = hit;
  const cover = { start, label: labelled(1 - start) };
  others(Math.max(0, low - start));
  add(high - low, {
    label: high - low > NAMED ? show(text) : '',
    token,
    hit: true,
    callout: callout(text, high - low),
  });
  others(Math.max(0, 1 - start));
  return { segments, cover };
}

/**
 * How far a label, `wide` pixels, moves from the middle of its segment so that the pin does not cover it;
 * null if it has no room.
 */
export function besidePin({ share, start }, dart, width, wide) {
  const [from, to, pin] = [start * width, (start + share) * width, dart * width];
  const middle = (from + to) / 2;
  if (dart === null || Math.abs(pin - middle) > (wide + PIN) / 2) return 0;
  const [left, right] = [pin - PIN / 2 - from, to - pin - PIN / 2];
  if (Math.max(left, right) < wide) return null;
  return (left > right ? from + left / 2 : to - right / 2) - middle;
}

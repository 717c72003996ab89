/**
 * draw-ruler.js: the ruler a random number falls on. A share is as wide as it is; what is too narrow to see
 * is framed five pixels wide, and the line under it says so.
 */

import { el, fill, portion, set, write } from '../../base/dom.js';
import { number, times } from '../../base/format.js';
import { hold, maths, rich } from './draw-words.js';
import { besidePin } from '../round/ruler.js';
import { words } from '../words.js';

const { look } = words;

/** Pixels of a frame around a segment too narrow to see. */
const FRAME = 5;

/** suppose(u) hears where a hand moves the number, letGo() that it lets go. */
export function rulerParts(want) {
  const title = el('p', { 'data-sv': 'ruler-title', 'aria-hidden': 'true' });
  const segments = el('div', { 'data-sv': 'segments' });
  const frame = el('i', { 'data-sv': 'frame' });
  const cover = el('span', { 'data-sv': 'cover' }, el('span'));
  const under = el(
    'div',
    { 'data-sv': 'ruler-under', 'aria-hidden': 'true' },
    el('span', { 'data-sv': 'bound' }, '0'),
    el('span', { 'data-sv': 'bound' }, '1'),
    el('i', { 'data-sv': 'tick' }),
    el('span', { 'data-sv': 'at' }),
    el('i', { 'data-sv': 'bracket' }),
    el('span', { 'data-sv': 'was' }),
    el('span', { 'data-sv': 'call' }),
  );
  const dart = el(
    'b',
    { 'data-sv': 'dart', 'aria-hidden': 'true' },
    el('span', { 'data-sv': 'dart-label' }, el('i', { 'data-sv': 'var' }, 'u'), el('span')),
    el('i', { 'data-sv': 'pin' }),
  );
  const hand = createHand(want);
  const rail = el('div', { 'data-sv': 'rail', 'aria-hidden': 'true' }, segments, cover, frame);
  const ruler = el('div', { 'data-sv': 'ruler', 'data-part': 'ruler' }, title, rail, under, dart, hand);
  return { ruler, rulerTitle: title, segments, cover, frame, rulerUnder: under, dart, hand };
}

/** An unseen slider over the ruler, its handle the number's pin. A finger lets go by leaving it, keys by Escape. */
function createHand({ suppose, letGo }) {
  const range = { type: 'range', min: 0, max: 1, step: 0.005 };
  const hand = el('input', { ...range, 'data-sv': 'hand', 'aria-label': words.hand.slider });
  hand.addEventListener('input', () => suppose(Math.min(0.999, Number(hand.value))));
  for (const end of ['pointerup', 'pointercancel', 'blur']) hand.addEventListener(end, letGo);
  return hand;
}

/** Writes the ruler; its labels are placed once they can be measured. */
export function drawRuler(parts, ruler, said) {
  const { kind, title, segments, dart, bracket } = ruler;
  const hit = hitOf(ruler);
  set(parts.ruler, {
    'data-kind': kind,
    'data-mass': ruler.mass ?? null,
    'data-found': Boolean(hit),
    hidden: kind === 'none' && !title,
  });
  set(parts.ruler, { 'data-moves': Boolean(ruler.moves) });
  set(parts.hand, { hidden: !ruler.moves, 'aria-valuetext': said });
  if (ruler.moves) parts.hand.value = dart;
  hold(parts.rulerTitle, title, () => maths(rich(title ?? '')));
  fill(
    parts.segments,
    segments,
    () => el('span', { dir: 'ltr' }, el('i'), el('span')),
    (node, segment) => {
      write(node.lastElementChild, segment.label ?? '');
      set(node, {
        style: `left: ${portion(segment.start)}; width: ${portion(segment.share)}`,
        'data-share': segment.share,
        'data-start': segment.start,
        'data-hit': Boolean(segment.hit),
        'data-refuse': Boolean(segment.refuse),
        'data-role': segment.role ?? null,
        'data-token-id': segment.token ?? null,
      });
    },
  );
  const { cover } = ruler;
  set(parts.cover, {
    hidden: !cover,
    style: cover && `left: ${portion(cover.start)}; width: ${portion(1 - cover.start)}`,
  });
  write(parts.cover.firstElementChild, cover?.label ?? '');
  const fell = dart ?? ruler.pin?.at ?? null;
  set(parts.dart, { 'data-u': dart, hidden: fell === null, style: `left: ${portion(fell ?? 0)}` });
  const [letter, value] = parts.dart.firstElementChild.children;
  write(letter, ruler.pin ? 'p' : 'u');
  write(value, ruler.pin?.value ?? (fell === null ? '' : number(fell)));
  const [, , tick, at, frame, was, call] = parts.rulerUnder.children;
  const mark = markOf(ruler);
  set(tick, { hidden: mark === null, style: `left: ${portion(mark ?? 0)}` });
  set(at, { hidden: mark === null });
  write(at, mark === null ? '' : number(mark * (ruler.scale ?? 1)));
  write(parts.rulerUnder.children[1], ruler.ends?.[1] ?? '');
  set(frame, { hidden: !bracket, style: `width: ${portion(bracket?.was ?? 0)}` });
  hold(was, bracket ?? null, () =>
    bracket
      ? [
          el('span', { 'data-long': true }, look.was({ mass: number(bracket.was) })),
          el('span', {}, look.stretched({ times: times(bracket.times) })),
        ]
      : [],
  );
  set(was, { hidden: !bracket });
  write(call, hit?.callout ?? '');
  set(call, { hidden: !hit?.callout });
}

/** Measures widths once all is written. */
export function measureRuler({ ruler, rulerTitle, rulerUnder, segments, dart }) {
  const [, , , at, , was, call] = rulerUnder.children;
  const title = document.createRange();
  title.selectNodeContents(rulerTitle);
  return {
    width: ruler.clientWidth,
    title: title.getBoundingClientRect().width,
    dart: dart.firstElementChild.offsetWidth,
    at: at.offsetWidth,
    was: was.offsetWidth,
    call: call.offsetWidth,
    labels: [...segments.children].map(({ lastElementChild: label }) => label.offsetWidth),
  };
}

/** Places the labels so that they cover nothing important. */
export function placeRuler(parts, ruler, size) {
  const { width } = size;
  const hit = hitOf(ruler);
  const shown = hit && Math.max(FRAME, hit.share * width);
  const px = (value) => `${value.toFixed(1)}px`;
  const centred = (share, wide) => Math.max(0, Math.min(width - wide, share * width - wide / 2));
  set(parts.frame, {
    hidden: !hit,
    'data-exact': hit ? hit.share * width >= FRAME : null,
    style: hit ? `left: ${px(centred(hit.start + hit.share / 2, shown))}; width: ${px(shown)}` : null,
  });
  const [low, high, , at, , was, call] = parts.rulerUnder.children;
  const mark = markOf(ruler);
  const callAt = hit?.callout ? centred(hit.start + hit.share / 2, size.call) : null;
  const atAt = mark === null ? null : centred(mark, size.at);
  const taken = [
    [callAt, size.call],
    [atAt, size.at],
  ].filter(([from]) => from !== null);
  set(at, { style: atAt === null ? null : `left: ${px(atAt)}` });
  set(call, { style: callAt === null ? null : `left: ${px(callAt)}` });
  const after = (ruler.bracket?.was ?? 0) * width + 8;
  set(was, {
    style: ruler.bracket ? (after + size.was < width ? `left: ${px(after)}` : 'right: 0px') : null,
  });
  const free = ruler.kind !== 'none' && !ruler.bracket && ruler.ends !== null;
  set(low, { hidden: !free || taken.some(([from]) => from < 16) });
  set(high, { hidden: !free || taken.some(([from, wide]) => from + wide > width - 16) });
  const label = parts.dart.firstElementChild;
  const dart = ruler.dart ?? ruler.pin?.at ?? null;
  const x = (dart ?? 0) * width;
  const shift = Math.max(size.dart / 2 - x, 0) - Math.max(x + size.dart / 2 - width, 0);
  set(label, { style: shift ? `margin-left: ${px(shift)}` : null });
  const [from, to] = [x + shift - size.dart / 2 - 12, x + shift + size.dart / 2 + 12];
  ruler.segments.forEach((segment, at) =>
    set(parts.segments.children[at].lastElementChild, {
      style: labelStyle(besidePin(segment, dart, width, size.labels[at])),
    }),
  );
  const covered = dart !== null && from < size.title;
  const right = covered && to + size.title < width;
  set(parts.rulerTitle, { 'data-side': right ? 'right' : null, 'data-unseen': covered && !right });
}

function labelStyle(shift) {
  if (shift === null) return 'visibility: hidden';
  return shift ? `translate: ${shift.toFixed(1)}px 0` : null;
}

/** The segment the number fell on; an acceptance test has no token to frame. */
function hitOf({ kind, segments }) {
  return kind === 'q' || kind === 'p' || kind === 'residual'
    ? (segments.find(({ hit }) => hit) ?? null)
    : null;
}

/** The mark where acceptance ends. */
function markOf({ kind, segments }) {
  if (kind !== 'accept' || segments.length < 2) return null;
  return segments[1].start;
}

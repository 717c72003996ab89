/**
 * guide.js: what leads through a run, one sentence at a time: the first minute, stills with all but one part dimmed.
 * It never starts by itself, and Esc leaves it wherever it is.
 */

import { set, write } from '../../base/dom.js';
import { createCaption, giveFocusBack, reach } from './caption.js';
import { stopsOf } from './guide-stops.js';
import { words } from '../words.js';

/** The selectors of the named parts. */
const PARTS = {
  plain: '[data-sv="clocks"] [data-lane="plain"]',
  spec: '[data-sv="clocks"] [data-lane="spec"]',
  lane: '[data-sv="lane"]',
  figure: '[data-sv="figure"]',
  ruler: '[data-sv="ruler"]',
  cache: '[data-sv="foot"]',
};
const WAYS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

/**
 * root: the stage. want: story() on stage; seek(at) shows a beat as a still, play(at) with its motion.
 * { start(step), stop(), on(), step(), key(event) }: it starts at a step, counted from 1; key says whether the event
 * was the guide's.
 */
export function createGuide(root, want) {
  const guide = { root, want, stops: [], now: -1, opener: null };
  guide.caption = createCaption(root, 'guide', words.guide.label, {
    skip: [words.guide.skip, () => stop(guide)],
    back: [words.guide.back, () => go(guide, -1)],
    next: [words.guide.next, () => go(guide, 1)],
  });
  return {
    start: (from = 1) => start(guide, from),
    stop: () => stop(guide),
    on: () => guide.now >= 0,
    step: () => (guide.now >= 0 ? guide.now + 1 : undefined),
    key: (event) => guide.now >= 0 && key(guide, event),
  };
}

function start(guide, from) {
  const story = guide.want.story();
  if (!story || guide.now >= 0) return;
  Object.assign(guide, { opener: document.activeElement, stops: stopsOf(story) });
  dim(guide.root, true);
  show(guide, Math.min(from, guide.stops.length) - 1);
}

/** Goes a still on or back; on from the last, the run's first round is there to be stepped through. */
function go(guide, way) {
  const { now, stops, want } = guide;
  if (now < 0) return;
  if (now + way < stops.length) {
    show(guide, Math.max(0, now + way));
    return;
  }
  stop(guide);
  want.seek(want.story().rounds[0].beat);
}

function show(guide, now) {
  const { root, want, caption, stops } = guide;
  guide.now = now;
  const [stop, last] = [stops[now], now === stops.length - 1];
  if (stop.moves) want.play(stop.at);
  else want.seek(stop.at);
  caption.step(words.guide.of({ at: now + 1, many: stops.length }), now, stops.length);
  caption.say(stop.say, stop.under);
  const { skip, back, next } = caption.buttons;
  write(next, last ? words.guide.step : words.guide.next);
  set(back, { hidden: now === 0 });
  set(skip, { hidden: last });
  const still = last ? 'last' : now ? 'round' : 'first';
  set(root, { 'data-guide': still });
  set(caption.node, { hidden: false, 'data-still': still });
  light(root, stop.lit);
  next.focus({ preventScroll: true });
}

function stop(guide) {
  const { root, caption, opener } = guide;
  if (guide.now < 0) return false;
  guide.now = -1;
  set(caption.node, { hidden: true });
  set(root, { 'data-guide': null });
  light(root, []);
  dim(root, false);
  giveFocusBack(root, opener);
  return true;
}

function key(guide, event) {
  const { now, stops } = guide;
  const way = WAYS[event.key];
  if (!way && event.key !== 'Escape') return !['Tab', 'Enter', ' '].includes(event.key);
  if (!way) stop(guide);
  else if (way < 0 || now < stops.length - 1) go(guide, way);
  event.preventDefault();
  return true;
}

/** Brightens the named parts, and no others. */
function light(root, names) {
  root.querySelectorAll('[data-lit-part]').forEach((part) => set(part, { 'data-lit-part': false }));
  for (const name of names)
    root.querySelectorAll(PARTS[name]).forEach((part) => set(part, { 'data-lit-part': true }));
}

/** Dims the page, or brightens it again. Dimmed parts take neither keys nor clicks. */
function dim(root, dimmed) {
  document.body.classList.toggle('sv-guided', dimmed);
  reach(root, !dimmed);
}

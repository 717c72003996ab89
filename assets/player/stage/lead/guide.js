/**
 * guide.js: what leads through a run, one sentence at a time: the first minute, six stills with all but one
 * part dimmed, and the tour, whose stops are completed by doing on the free stage. Neither ever starts by
 * itself, and Esc leaves either wherever it is.
 */

import { set, write } from '../../base/dom.js';
import { remember } from '../../base/memory.js';
import { createCaption, giveFocusBack, reach } from './caption.js';
import { stopsOf } from './guide-stops.js';
import { tourOf } from './tour-stops.js';
import { TOUR_STOPS, tourLeftAt } from '../round/tour-left.js';
import { words } from '../words.js';

/** The selectors of the named parts. */
const PARTS = {
  plain: '[data-sv="clocks"] [data-lane="plain"]',
  spec: '[data-sv="clocks"] [data-lane="spec"]',
  lane: '[data-sv="lane"], [data-sv="branches"]',
  figure: '[data-sv="figure"]',
  ruler: '[data-sv="ruler"]',
  text: '[data-sv="tape"]',
  cache: '[data-sv="kv"]',
  tabs: '[data-sv="tabs"]',
};
const WAYS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

/**
 * root: the stage. want: story() on stage; seek(at) shows a beat as a still, play(at) with its motion;
 * race() opens the race, where there is one; tour() starts the tour. { start(step, tour), stop(), on(), frees(),
 * key(event), step(), tour(), saw(at, tab), opened(verdict) }: it starts at a step, counted from 1, of the first minute
 * or of the tour; frees says that the stage is free meanwhile; key says whether the event was the guide's;
 * saw and opened hear what a person did; opened returns what gets the focus once the card is closed, or
 * null.
 */
export function createGuide(root, want) {
  const guide = { root, want, stops: [], now: -1, tour: false, done: false, opener: null };
  guide.caption = createCaption(root, 'guide', words.guide.label, {
    skip: [words.guide.skip, () => stop(guide)],
    back: [words.guide.back, () => go(guide, -1)],
    next: [words.guide.next, () => go(guide, 1)],
  });
  const step = (tour) => (guide.now >= 0 && guide.tour === tour ? guide.now + 1 : undefined);
  return {
    start: (from = 1, tour = false) => start(guide, from, tour),
    stop: () => stop(guide),
    on: () => guide.now >= 0,
    frees: () => guide.tour,
    step: () => step(false),
    tour: () => step(true),
    key: (event) => guide.now >= 0 && key(guide, event),
    saw(at, tab) {
      if (!step(true) || guide.done) return;
      const { to, opens } = guide.stops[guide.now];
      if (opens && opens === tab) finish(guide);
      else if (to !== undefined && at >= to) did(guide);
    },
    opened(verdict) {
      if (!step(true) || guide.stops[guide.now].card !== verdict) return null;
      did(guide);
      return guide.caption.buttons.next;
    },
  };
}

function start(guide, from, tour) {
  const story = guide.want.story();
  if (!story || guide.now >= 0) return;
  Object.assign(guide, {
    tour,
    opener: document.activeElement,
    stops: tour ? tourOf(story, Boolean(guide.want.race)) : stopsOf(story),
  });
  set(guide.caption.node, { 'aria-label': words[tour ? 'tour' : 'guide'].label });
  if (!tour) dim(guide.root, true);
  show(guide, Math.min(from, guide.stops.length) - 1);
}

function go(guide, way) {
  const { now, stops, tour, want } = guide;
  if (now < 0) return;
  if (now < stops.length - 1 || (tour && way < 0)) {
    show(guide, Math.max(0, now + way));
    return;
  }
  finish(guide); // both ways on from the last still leave the guide
  if (way < 0) want.seek(want.story().rounds[0].beat);
  else if (tour) want.race?.();
  else want.tour();
}

function show(guide, now) {
  const { root, want, caption, stops, tour } = guide;
  Object.assign(guide, { now, done: false });
  const stop = stops[now];
  if (tour) remember('tour', String(now + 1));
  if (stop.moves) want.play(stop.at);
  else want.seek(stop.at);
  caption.step(words.guide.of({ at: now + 1, many: stops.length }), now, stops.length);
  caption.say(stop.say, stop.under);
  writeNav(caption.buttons, now, stops.length, tour, Boolean(want.race));
  set(root, tour ? { 'data-tour': now + 1 } : { 'data-guide': now + 1 });
  set(caption.node, { hidden: false, 'data-still': tour ? null : now + 1 });
  ask(guide);
  light(root, stop.lit);
  caption.buttons.next.focus({ preventScroll: true });
}

/** Says what a stop of the tour wants done, and whether it is. */
function ask({ caption: { body, buttons }, stops, now, tour, done }) {
  write(body, tour ? (done ? words.tour.done : stops[now].deed) : '');
  set(body, { hidden: !tour, 'data-done': done, role: tour ? 'status' : null });
  set(buttons.next, { 'data-primary': !tour || done });
}

function did(guide) {
  guide.done = true;
  ask(guide);
  guide.caption.buttons.next.focus({ preventScroll: true });
}

/** Ends it for good: the next tour begins at its first stop. */
function finish(guide) {
  stop(guide);
  if (guide.tour) remember('tour', '0');
}

function stop(guide) {
  const { root, caption, tour, opener } = guide;
  if (guide.now < 0) return false;
  guide.now = -1;
  set(caption.node, { hidden: true });
  set(root, { 'data-guide': null, 'data-tour': null });
  light(root, []);
  if (!tour) dim(root, false);
  giveFocusBack(root, opener);
  return true;
}

function key(guide, event) {
  const { tour, now, stops } = guide;
  const way = WAYS[event.key];
  if (tour && (!way || event.key.startsWith('Arrow'))) return false;
  if (!way && event.key !== 'Escape') return !['Tab', 'Enter', ' '].includes(event.key);
  if (!way) stop(guide);
  else if (tour || way < 0 || now < stops.length - 1) go(guide, way);
  event.preventDefault();
  return true;
}

/** The first minute leads on to the tour, or to the free stage; races: whether the tour ends in a race. */
function writeNav({ skip, back, next }, now, many, tour, races) {
  const last = now === many - 1;
  const first = words.tour.offer({ stop: tourLeftAt(), many: TOUR_STOPS - (races ? 0 : 1) });
  write(skip, words[tour ? 'tour' : 'guide'][tour ? 'leave' : 'skip']);
  write(next, last ? (tour ? words.tour.finish : first) : words.guide.next);
  write(back, last && !tour ? words.guide.step : words.guide.back);
  set(back, { hidden: now === 0 });
  set(skip, { hidden: last && !tour });
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

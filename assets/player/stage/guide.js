/**
 * guide.js: the guided first minute. Six stills, one sentence each; the part it is about stays bright, the rest dims. It never
 * starts by itself, and Esc leaves it wherever it is.
 */

import { cover } from '../page/gradio.js';
import { el, fill, set, write } from '../base/dom.js';
import { stopsOf } from './guide-stops.js';
import { hold, maths } from './draw-words.js';
import { words } from './words.js';

/** The selectors of the named parts. */
const PARTS = { plain: '[data-sv="clocks"] [data-lane="plain"]', spec: '[data-sv="clocks"] [data-lane="spec"]', lane: '[data-sv="lane"]', figure: '[data-sv="figure"]', ruler: '[data-sv="ruler"]' };
/** The parts that cannot be used while the guide is on. */
const ASIDE = '[data-sv="head"], [data-sv="tape"], [data-sv="scene"], [data-sv="foot"]';
const WAYS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };

/**
 * root: the stage. want: story() on stage; seek(at) shows a beat as a still, play(at) with its motion; race() opens the race, where there is one.
 * { start(step), stop(), on(), key(event), step() }: it starts at a step, counted from 1; key says whether the event was the guide's.
 */
export function createGuide(root, want) {
  const { node, ...parts } = createCaption({ skip: () => stop(), back: () => go(-1), next: () => go(1) });
  root.querySelector('[data-sv="say"]').append(node);
  let [stops, now, opener] = [[], -1, null];

  function start(step = 1) {
    const story = want.story();
    if (!story || now >= 0) return;
    stops = stopsOf(story);
    opener = document.activeElement;
    dim(root);
    show(Math.min(step, stops.length) - 1);
  }

  function go(way) {
    if (now < 0) return;
    if (now < stops.length - 1) {
      show(Math.max(0, now + way));
      return;
    }
    stop(); // both ways on from the last still leave the guide
    if (way > 0 && want.race) want.race();
    else want.seek(want.story().rounds[0].beat);
  }

  function show(index) {
    now = index;
    const stop = stops[now];
    if (stop.moves) want.play(stop.at);
    else want.seek(stop.at);
    writeCaption(parts, stops, now, Boolean(want.race));
    set(root, { 'data-guide': now + 1 });
    set(node, { hidden: false, 'data-still': now + 1 });
    light(root, stop.lit);
    parts.next.focus({ preventScroll: true });
  }

  function stop() {
    if (now < 0) return false;
    now = -1;
    set(node, { hidden: true });
    brighten(root);
    giveFocusBack(root, opener);
    return true;
  }

  return {
    start, stop, on: () => now >= 0,
    step: () => (now >= 0 ? now + 1 : undefined),
    key(event) {
      if (now < 0) return false;
      const way = WAYS[event.key];
      if (!way && event.key !== 'Escape') return !['Tab', 'Enter', ' '].includes(event.key);
      if (!way) stop();
      else if (way < 0 || now < stops.length - 1) show(Math.max(0, now + way));
      event.preventDefault();
      return true;
    },
  };
}

/** Where the guide speaks: { node, says, under, count, dots, skip, back, next }. acts: what the last three do. */
function createCaption(acts) {
  const button = (name, attributes = {}) => {
    const node = el('button', { type: 'button', 'data-sv': `guide-${name}`, ...attributes }, words.guide[name]);
    node.addEventListener('click', acts[name]);
    return node;
  };
  const says = el('p', { 'data-sv': 'guide-says', role: 'heading', 'aria-level': 1 });
  const under = el('p', { 'data-sv': 'guide-under' });
  const [skip, back, next] = [button('skip'), button('back'), button('next', { 'data-primary': true })];
  const count = el('span', { 'data-sv': 'guide-count' });
  const dots = el('span', { 'data-sv': 'guide-dots', 'aria-hidden': 'true' });
  const nav = el('div', { 'data-sv': 'guide-nav' }, skip, back, next);
  const node = el('div', { 'data-sv': 'guide', role: 'group', 'aria-label': words.guide.label, hidden: true },
    el('div', { 'data-sv': 'guide-bar' }, count, dots), nav, el('div', { 'data-sv': 'guide-words', 'aria-live': 'polite' }, says, under));
  return { node, says, under, count, dots, skip, back, next };
}

/** races: whether the way on from the last still leads to the race. */
function writeCaption({ says, under, count, dots, skip, back, next }, stops, now, races) {
  const last = now === stops.length - 1;
  write(count, words.guide.of(now + 1, stops.length));
  fill(dots, stops, () => el('i'), (dot, _, at) => set(dot, { 'data-on': at <= now }));
  hold(says, stops[now].say, () => maths(stops[now].say));
  write(under, stops[now].under);
  write(next, last ? words.guide[races ? 'race' : 'step'] : words.guide.next);
  write(back, last ? words.guide.step : words.guide.back);
  set(back, { hidden: now === 0 || (last && !races) });
  set(skip, { hidden: last });
}

/** Brightens the named parts, and no others. */
function light(root, names) {
  root.querySelectorAll('[data-lit-part]').forEach((part) => set(part, { 'data-lit-part': false }));
  for (const name of names) root.querySelectorAll(PARTS[name]).forEach((part) => set(part, { 'data-lit-part': true }));
}

/** Dims the page. Dimmed parts take neither keys nor clicks. */
function dim(root) {
  document.body.classList.add('sv-guided');
  reach(root, false);
}

function brighten(root) {
  set(root, { 'data-guide': null });
  document.body.classList.remove('sv-guided');
  light(root, []);
  reach(root, true);
}

function giveFocusBack(root, opener) {
  const there = opener?.isConnected && opener.checkVisibility();
  (there ? opener : root.querySelector('[data-sv="play"]'))?.focus({ preventScroll: true });
}

function reach(root, free) {
  cover(!free);
  root.querySelectorAll(ASIDE).forEach((part) => { part.inert = !free; });
}

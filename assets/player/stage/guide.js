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
 * root: the stage. want: story() on stage; seek(at) shows a beat as a still, play(at) with its motion; race() opens the race, where there is one;
 * left() hears that the guide is over. { start(step), stop(), on(), key(event), step() }: it starts at a step, counted from 1; key says whether the event was the guide's.
 */
export function createGuide(root, want) {
  const says = el('p', { 'data-sv': 'guide-says', role: 'heading', 'aria-level': 1 });
  const under = el('p', { 'data-sv': 'guide-under' });
  const button = (name, act, attributes = {}) => {
    const node = el('button', { type: 'button', 'data-sv': `guide-${name}`, ...attributes }, words.guide[name]);
    node.addEventListener('click', act);
    return node;
  };
  const [skip, back, next] = [button('skip', () => stop()), button('back', () => go(-1)), button('next', () => go(1), { 'data-primary': true })];
  const count = el('span', { 'data-sv': 'guide-count' });
  const dots = el('span', { 'data-sv': 'guide-dots', 'aria-hidden': 'true' });
  const nav = el('div', { 'data-sv': 'guide-nav' }, skip, back, next);
  const node = el('div', { 'data-sv': 'guide', role: 'group', 'aria-label': words.guide.label, hidden: true },
    el('div', { 'data-sv': 'guide-bar' }, count, dots), nav, el('div', { 'data-sv': 'guide-words', 'aria-live': 'polite' }, says, under));
  root.querySelector('[data-sv="say"]').append(node);
  let [stops, now, opener] = [[], -1, null];

  function start(step = 1) {
    const story = want.story();
    if (!story || now >= 0) return;
    stops = stopsOf(story);
    opener = document.activeElement;
    document.body.classList.add('sv-guided');
    reach(false);
    show(Math.min(step, stops.length) - 1);
  }

  function go(way) {
    if (now < 0) return;
    if (now === stops.length - 1) end(way);
    else show(Math.max(0, now + way));
  }

  /** Both ways on from the last still leave the guide. */
  function end(way) {
    stop();
    if (way > 0 && want.race) want.race();
    else want.seek(want.story().rounds[0].beat);
  }

  function show(index) {
    now = index;
    const stop = stops[now];
    const last = now === stops.length - 1;
    if (stop.moves) want.play(stop.at);
    else want.seek(stop.at);
    write(count, words.guide.of(now + 1, stops.length));
    fill(dots, stops, () => el('i'), (dot, _, at) => set(dot, { 'data-on': at <= now }));
    hold(says, stop.say, () => maths(stop.say));
    write(under, stop.under);
    write(next, last ? words.guide[want.race ? 'race' : 'step'] : words.guide.next);
    write(back, last ? words.guide.step : words.guide.back);
    set(back, { hidden: now === 0 || (last && !want.race) });
    set(skip, { hidden: last });
    set(root, { 'data-guide': now + 1 });
    set(node, { hidden: false, 'data-still': now + 1 });
    light(stop.lit);
    next.focus({ preventScroll: true });
  }

  function stop() {
    if (now < 0) return false;
    now = -1;
    set(root, { 'data-guide': null });
    document.body.classList.remove('sv-guided');
    set(node, { hidden: true });
    light([]);
    reach(true);
    want.left?.();
    if (opener?.isConnected && opener.checkVisibility()) opener.focus({ preventScroll: true });
    else root.querySelector('[data-sv="play"]')?.focus({ preventScroll: true });
    return true;
  }

  function light(names) {
    root.querySelectorAll('[data-lit-part]').forEach((part) => set(part, { 'data-lit-part': false }));
    for (const name of names) root.querySelectorAll(PARTS[name]).forEach((part) => set(part, { 'data-lit-part': true }));
  }

  /** Dimmed parts take neither keys nor clicks. */
  function reach(free) {
    cover(!free);
    root.querySelectorAll(ASIDE).forEach((part) => { part.inert = !free; });
  }

  return {
    start,
    stop,
    on: () => now >= 0,
    step: () => (now >= 0 ? now + 1 : undefined),
    key(event) {
      if (now < 0) return false;
      if (event.key === 'Escape') stop();
      else if (event.key in WAYS) {
        if (now < stops.length - 1) show(Math.max(0, now + WAYS[event.key]));
        else if (WAYS[event.key] < 0) show(now - 1);
      } else return event.key !== 'Tab' && event.key !== 'Enter' && event.key !== ' ';
      event.preventDefault();
      return true;
    },
  };
}

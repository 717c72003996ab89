/**
 * motion-film.js: the few ways in which things move. Animations run over a stage that already shows the
 * still picture, and what flies is a ghost in its own layer. So the picture is the same whether a film
 * ends, is cut short or never starts.
 */

import { el, write } from '../../base/dom.js';
import { nodeAt } from '../draw/draw-lane.js';

export const EASE = 'cubic-bezier(.2, .8, .2, 1)';
export const FALL = 'cubic-bezier(.5, 0, .9, .5)';

/**
 * Frames that paint a colour over a node's own background. The background itself is never animated: in Chromium
 * 156 the tab ends when such an animation is gone while its element's style is computed.
 */
export const painted = (colour) => ({ boxShadow: `inset 0 0 0 99rem ${colour}` });

/**
 * A film over a layer; times are milliseconds at speed 1. { move, after, hide, appear, read, ghost, clone,
 * lay, start(pace), stop() }.
 */
export function createFilm(layer) {
  const reel = createReel();
  return {
    ...reel,
    ...createGhosts(layer, reel),
    stop() {
      reel.stop();
      layer.replaceChildren();
    },
  };
}

/** What a film runs, until it is stopped: animations and timers. */
function createReel() {
  const running = new Set();
  const timers = new Set();
  let speed = 1;

  function move(node, frames, { delay = 0, duration, easing = EASE, ...options }) {
    if (!node) return null;
    const animation = node.animate(frames, {
      delay: delay / speed,
      duration: duration / speed,
      easing,
      fill: 'backwards',
      ...options,
    });
    running.add(animation);
    animation.finished.then(
      () => running.delete(animation),
      () => running.delete(animation),
    );
    return animation;
  }

  function after(ms, act) {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms / speed);
    timers.add(timer);
  }

  return {
    move,
    after,
    /** Hides a node until a time. */
    hide: (node, until) =>
      move(node, [{ opacity: 0 }, { opacity: 0 }], { duration: until, easing: 'linear' }),
    appear: (node, delay, duration = 200) => move(node, [{ opacity: 0 }, {}], { delay, duration }),
    /** What a copy reads at each time: [[milliseconds, text], ...]. */
    read(node, stops) {
      write(node, stops[0][1]);
      for (const [at, text] of stops) after(at, () => write(node, text));
    },
    start(pace) {
      speed = pace;
    },
    stop() {
      running.forEach((animation) => animation.cancel());
      running.clear();
      timers.forEach(clearTimeout);
      timers.clear();
    },
  };
}

/** What flies in a layer over the stage, and leaves it in time. */
function createGhosts(layer, { move, hide, after }) {
  /** Puts a node into the layer at a box of the screen, gone after `until`. */
  function lay(node, { left, top, width, height }, until) {
    const home = layer.getBoundingClientRect();
    Object.assign(node.style, {
      position: 'absolute',
      left: `${left - home.left}px`,
      top: `${top - home.top}px`,
      width: `${width}px`,
      height: `${height}px`,
      margin: 0,
    });
    layer.append(node);
    after(until, () => node.remove());
    return node;
  }

  /** A coloured box that goes through boxes of the screen: [{ box, at }], at in milliseconds. */
  function ghost(stops, style, name = 'ghost', easing = EASE) {
    const home = layer.getBoundingClientRect();
    const end = stops.at(-1).at;
    const start = stops[0].at;
    const node = lay(el('i', { 'data-fly': name }), stops[0].box, end);
    Object.assign(node.style, style);
    const frames = stops.map(({ box, at, ease }) => ({
      left: `${box.left - home.left}px`,
      top: `${box.top - home.top}px`,
      width: `${box.width}px`,
      height: `${box.height}px`,
      offset: end > start ? (at - start) / (end - start) : 1,
      easing: ease ?? easing,
    }));
    if (start > 0) hide(node, start);
    move(node, frames, { delay: start, duration: Math.max(1, end - start), easing: 'linear', fill: 'both' });
    return node;
  }

  /** A copy of an element over the element, gone after `until`. */
  const clone = (node, until) => lay(node.cloneNode(true), node.getBoundingClientRect(), until);

  return { ghost, clone, lay };
}

/** The element of the node that a scene looks at. */
export function focusOf(parts, { tree }) {
  return nodeAt(parts, tree.focus);
}

/** The edges to a node. */
export function edgesTo({ edges }, index) {
  return edges.querySelectorAll(`[data-to="${index}"]`);
}

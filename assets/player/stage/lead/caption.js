/**
 * caption.js: what stands in the headline's place while the page leads: where in a row of steps it is, a
 * sentence, a shorter one under it, and the way on. The guide and the questions share it; one of them
 * is on at a time.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { cover } from '../../page/gradio.js';
import { hold, maths } from '../draw/draw-words.js';

/** The parts that cannot be used while the page leads alone. */
const ASIDE = '[data-sv="head"], [data-sv="tape"], [data-sv="scene"], [data-sv="foot"]';

/**
 * name: begins the names of its parts; label: what it is called; buttons: { name: [text, act] } in their
 * order, the last being the way on. { node, says, under, body, step(text, at, many), say(pieces, text),
 * buttons by name }. body is there for more.
 */
export function createCaption(root, name, label, buttons) {
  const part = (tag, id, attributes = {}, ...children) =>
    el(tag, { 'data-sv': `${name}-${id}`, class: `s-lead-${id}`, ...attributes }, ...children);
  const made = Object.fromEntries(
    Object.entries(buttons).map(([id, [text, act]]) => {
      const node = part('button', id, { type: 'button' }, text);
      node.addEventListener('click', act);
      return [id, node];
    }),
  );
  set(Object.values(made).at(-1), { 'data-primary': true });
  const [count, dots] = [part('span', 'count'), part('span', 'dots', { 'aria-hidden': 'true' })];
  const [says, under, body] = [
    part('p', 'says', { role: 'heading', 'aria-level': 1 }),
    part('p', 'under'),
    part('div', 'body'),
  ];
  const node = el(
    'div',
    { 'data-sv': name, class: 's-lead', role: 'group', 'aria-label': label, hidden: true },
    part('div', 'bar', {}, count, dots),
    part('div', 'nav', {}, ...Object.values(made)),
    part('div', 'words', { 'aria-live': 'polite' }, says, under),
    body,
  );
  root.querySelector('[data-sv="say"]').append(node);
  return {
    node,
    says,
    under,
    body,
    buttons: made,
    step(text, at, many) {
      write(count, text);
      fill(
        dots,
        Array.from({ length: many }),
        () => el('i'),
        (dot, _, place) => set(dot, { 'data-on': place <= at }),
      );
    },
    say(pieces, text) {
      hold(says, pieces, () => maths(pieces));
      write(under, text);
    },
  };
}

/** Puts the parts around the caption out of reach of keys and clicks, or back into it. */
export function reach(root, free) {
  cover(!free);
  root.querySelectorAll(ASIDE).forEach((part) => {
    part.inert = !free;
  });
}

/** Gives the focus to what had it before, or to the stage, whose keys step through the run, where that is gone. */
export function giveFocusBack(root, opener) {
  const there = opener?.isConnected && opener !== document.body && opener.checkVisibility();
  (there ? opener : root).focus({ preventScroll: true });
}

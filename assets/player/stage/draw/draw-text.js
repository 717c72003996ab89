/**
 * draw-text.js: a run's whole text, to be read: what was there before toned, code line by line. A box of it shows whole
 * lines only.
 */

import { el, set, write } from '../../base/dom.js';
import { words } from '../words.js';

/** A box that scrolls where the text is longer. */
export function textParts() {
  const [prompt, made, end] = ['prompt', 'made', 'end'].map((kind) => el('span', { 'data-part': kind }));
  const label = { role: 'region', 'aria-label': words.result.label, tabindex: 0 };
  const node = el('div', { 'data-sv': 'whole', dir: 'auto', ...label }, prompt, made, end);
  wholeLines(node);
  return { node, prompt, made, end };
}

/** text: see textOf; end: what is said after it, or null. */
export function drawText({ node, prompt, made, end }, text, said) {
  write(prompt, text.prompt);
  write(made, text.made);
  write(end, said ?? '');
  set(node, { 'data-code': text.code });
}

/** Has a box that was scrolled come to rest on a whole line. */
export function wholeLines(node) {
  node.addEventListener('scrollend', () => {
    const line = parseFloat(getComputedStyle(node).lineHeight);
    const rest = Math.round(node.scrollTop / line) * line;
    if (Math.abs(rest - node.scrollTop) > 1) node.scrollTop = rest;
  });
}

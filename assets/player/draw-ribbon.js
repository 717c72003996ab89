/**
 * draw-ribbon.js: the text so far, one element per token, and no more elements than a page can carry.
 */

import { along, el, set, write } from './dom.js';
import { words } from './words.js';

/** So many tokens are drawn; of a longer text the last ones, after a line that says how many stand before. */
const MOST = 1100;
const AHEAD = 1;
const painted = new WeakMap();

/** Makes the ribbon show text[0..upto) and the fresh tokens; tokens from `since` on are this round's. */
export function drawRibbon(ribbon, { text, upto, since, fresh, end }) {
  const total = upto + fresh.length;
  const first = Math.max(0, total - MOST);
  const many = total - first;
  if (!ribbon.firstElementChild) ribbon.append(el('span', { 'data-sv': 'earlier', role: 'listitem' }), el('span', { 'data-sv': 'end', role: 'listitem' }));
  const [earlier, last] = [ribbon.firstElementChild, ribbon.lastElementChild];
  write(earlier, first ? words.earlier(first) : '');
  set(earlier, { hidden: !first });
  write(last, end ?? '');
  set(last, { hidden: !end });
  while (ribbon.childElementCount > many + AHEAD + 1) last.previousElementSibling.remove();
  while (ribbon.childElementCount < many + AHEAD + 1) last.before(el('span', { 'data-sv': 'token', role: 'listitem', dir: 'ltr', tabindex: -1 }));
  let node = earlier.nextElementSibling;
  for (let index = first; index < total; index += 1) {
    paint(node, index < upto ? text[index] : fresh[index - upto], index >= since);
    node = node.nextElementSibling;
  }
}

/** The token an element of the ribbon shows, or undefined. */
export function shownBy(node) {
  return painted.get(node)?.token;
}

/** Moves the focus along the ribbon's tokens: into it from either end, then from token to token. */
export function walk(ribbon, direction) {
  const all = [...ribbon.querySelectorAll('[data-sv="token"]')];
  const here = all.indexOf(document.activeElement);
  const start = direction < 0 ? all.length - 1 : 0;
  (here < 0 ? all[start] : along(all, here, direction))?.focus();
}

function paint(node, token, isFresh) {
  const before = painted.get(node);
  if (before?.token === token && before.isFresh === isFresh) return;
  painted.set(node, { token, isFresh });
  node.textContent = token.text;
  set(node, { 'data-state': token.state, 'data-token-id': token.id, 'aria-label': token.state === 'prompt' ? null : token.label, 'data-fresh': isFresh });
}

/**
 * draw-ribbon.js: the text so far, one element per token, and no more elements than a page can carry.
 */

import { along, el, set, write } from '../base/dom.js';
import { words } from './words.js';

/** So many tokens are drawn; of a longer text the last ones, after a line that says how many stand before. */
const MOST = 1100;
const painted = new WeakMap();
/** The element of each token that stays: a jump in a long run moves elements and paints none. */
const homes = new WeakMap();

/** Makes the ribbon show text[0..upto) and the fresh tokens; tokens from `since` on are this round's. */
export function drawRibbon(ribbon, { text, upto, since, fresh, end }) {
  const total = upto + fresh.length;
  const first = Math.max(0, total - MOST);
  if (!ribbon.firstElementChild) ribbon.append(el('span', { 'data-sv': 'earlier', role: 'listitem' }), el('span', { 'data-sv': 'end', role: 'listitem' }));
  const [earlier, last] = [ribbon.firstElementChild, ribbon.lastElementChild];
  write(earlier, first ? words.earlier(first) : '');
  set(earlier, { hidden: !first });
  write(last, end ?? '');
  set(last, { hidden: !end });
  const focused = [...ribbon.children].indexOf(document.activeElement);
  const start = homes.get(text[first]);
  if (start?.parentNode === ribbon) clear(earlier, start);
  let next = earlier.nextElementSibling;
  for (let index = first; index < total; index += 1) {
    const token = index < upto ? text[index] : fresh[index - upto];
    const node = homes.get(token) ?? (next === last || isHome(next) ? el('span', { 'data-sv': 'token', role: 'listitem', dir: 'ltr', tabindex: -1 }) : next);
    if (node === next) next = node.nextElementSibling;
    else next.before(node);
    paint(node, token, index >= since);
    if (index < upto) homes.set(token, node);
  }
  clear(next.previousElementSibling, last);
  if (focused > 0 && !ribbon.contains(document.activeElement)) ribbon.children[Math.min(focused, ribbon.childElementCount - 2)].focus({ preventScroll: true });
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

/** Takes away what stands between two elements. */
function clear(from, to) {
  while (from.nextElementSibling !== to) from.nextElementSibling.remove();
}

function isHome(node) {
  return homes.get(shownBy(node)) === node;
}

function paint(node, token, isFresh) {
  const before = painted.get(node);
  if (before?.token === token && before.isFresh === isFresh) return;
  painted.set(node, { token, isFresh });
  node.textContent = token.text;
  set(node, { 'data-state': token.state, 'data-token-id': token.id, 'aria-label': token.state === 'prompt' ? null : token.label, 'data-fresh': isFresh });
}

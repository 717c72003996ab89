/**
 * menu.js: a menu under the button that opens it: arrow keys walk it, Escape, Tab and a click elsewhere close it.
 */

import { along, set } from '../base/dom.js';

/** node: the menu, whose buttons are its items; opener(): its button. { toggle(), close() }: close says whether it was open. */
export function createMenu(root, node, opener) {
  set(node, { role: 'menu', hidden: true });
  root.append(node);
  node.addEventListener('keydown', (event) => {
    const items = [...node.querySelectorAll('button')];
    const at = items.indexOf(document.activeElement);
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const end = { Home: -Infinity, End: Infinity }[event.key];
    if (event.key === 'Escape') close();
    else if (way) items[(at + way + items.length) % items.length].focus();
    else if (end) along(items, at, end).focus();
    else if (event.key !== 'Tab' && event.key !== 'Enter' && event.key !== ' ') return;
    event.stopPropagation();
    if (event.key === 'Tab') close();
    if (way || end) event.preventDefault();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!node.hidden && !node.contains(target) && !opener().contains(target)) close(false);
  });

  function close(back = true) {
    if (node.hidden) return false;
    set(node, { hidden: true });
    set(opener(), { 'aria-expanded': 'false' });
    if (back) opener().focus();
    return true;
  }

  return {
    close,
    toggle() {
      if (close()) return;
      set(node, { hidden: false });
      set(opener(), { 'aria-expanded': 'true' });
      (node.querySelector('[aria-checked="true"]') ?? node.querySelector('button')).focus();
    },
  };
}

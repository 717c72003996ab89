/**
 * menu.js: a menu under the button that opens it: arrow keys walk it, to the other column too, a letter
 * finds the next item that begins with it; Escape, Tab and a click elsewhere close it.
 */

import { along, set } from '../base/dom.js';

/**
 * node: the menu, whose buttons are its items; opener(): its button.
 * @returns {{toggle: () => void, close: (back?: boolean) => boolean}} close says whether it was open; back:
 * whether the focus goes back to the button
 */
export function createMenu(root, node, opener) {
  set(node, { role: 'menu', hidden: true });
  root.append(node);
  node.addEventListener('keydown', (event) => {
    const items = [...node.querySelectorAll('button')];
    const at = items.indexOf(document.activeElement);
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const aside = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const end = { Home: -Infinity, End: Infinity }[event.key];
    const letter =
      event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === 'Escape') close();
    else if (way) items[(at + way + items.length) % items.length].focus();
    else if (aside) beside(items, at, aside).focus();
    else if (end) along(items, at, end).focus();
    else if (letter)
      (lettered([...items.slice(at + 1), ...items.slice(0, at)], event.key) ?? items[at]).focus();
    else if (event.key !== 'Tab' && event.key !== 'Enter' && event.key !== ' ') return;
    event.stopPropagation();
    if (event.key === 'Tab') close();
    if (way || aside || end || letter) event.preventDefault();
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

/** The item that is nearest in the next column to one side, itself where there is none. */
function beside(items, at, way) {
  const box = items[at].getBoundingClientRect();
  const far = (item) => Math.abs(item.getBoundingClientRect().top - box.top);
  const there = items.filter((item) => way * (item.getBoundingClientRect().left - box.left) > box.width / 2);
  return (
    there.reduce((nearest, item) => (nearest && far(nearest) <= far(item) ? nearest : item), null) ??
    items[at]
  );
}

function lettered(items, letter) {
  return items.find(({ textContent }) => textContent.trim().toLowerCase().startsWith(letter.toLowerCase()));
}

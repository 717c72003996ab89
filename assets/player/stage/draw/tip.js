/**
 * tip.js: a tip over a cell of a strip, for the pointer and for the keys, that says what the cell holds.
 */

import { el, set, write } from '../../base/dom.js';

/**
 * The tip inside `home`, which holds the strips; returns draw(titleOf), titleOf(cell) naming a cell of the
 * scene on show.
 */
export function createTip(home) {
  const tip = el('div', { 'data-sv': 'tip', role: 'tooltip', hidden: true });
  let pointed = null; // the cell pointed at, or the strip with the focus
  let titleOf = null;
  home.append(tip);
  const point = (at) => (at || !pointed?.matches('[data-sv="cells"]')) && tell(at);
  for (const kind of ['pointermove', 'pointerdown']) {
    // not pointerover: closing the tip brings one, and it would open again
    home.addEventListener(kind, ({ target }) => target !== tip && point(target.closest('[data-cell]')));
  }
  home.addEventListener('pointerleave', () => point(null));
  home.addEventListener(
    'mousedown',
    (event) => event.target.matches('[data-cell]') && event.preventDefault(),
  ); // a click must not move the focus
  home.addEventListener('focusin', ({ target }) => tell(target.closest('[data-sv="cells"]')));
  home.addEventListener('focusout', () => tell(null));
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || tip.hidden) return;
      event.stopPropagation();
      tell(null);
    },
    { capture: true },
  );

  function tell(source) {
    pointed = source;
    const cell = source?.querySelector('[data-here]') ?? source;
    const { cell: kind, at } = cell?.dataset ?? {};
    set(tip, { hidden: !kind || !cell.isConnected });
    if (tip.hidden) return;
    write(tip, titleOf({ kind, at: Number(at) }));
    const [box, around] = [cell.getBoundingClientRect(), home.getBoundingClientRect()];
    const left = Math.max(0, Math.min(box.left - around.left, around.width - tip.offsetWidth));
    set(tip, { style: `left: ${left}px; bottom: ${around.bottom - box.top}px` });
  }

  return (titles) => {
    titleOf = titles;
    if (pointed) tell(pointed);
  };
}

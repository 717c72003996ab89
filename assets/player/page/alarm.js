/**
 * alarm.js: the alert that says what went wrong. One button mends it, the other closes it.
 */

import { PRESSES, mend } from './gradio.js';
import { button, el, set } from '../base/dom.js';
import { fieldOf } from './widgets.js';
import { words } from '../words/words.js';

/**
 * box: the alert. In show, offer is the button's text, '' for none, and act what it does; place, if any, is
 * the box of the field that it concerns.
 * @returns {{show: (text: string, offer: string, act: () => void, place?: DOMRect) => void,
 * refuse: (reason: object) => void, hide: () => boolean}} hide says whether there was one
 */
export function createAlarm(box) {
  function hide() {
    const there = !box.hidden;
    set(box, { hidden: true });
    return there;
  }

  function show(text, offer, act, place = null) {
    const offered = offer ? [button({}, act, offer)] : [];
    box.replaceChildren(el('span', {}, text), ...offered, button({ 'aria-label': words.dismiss }, hide, '×'));
    const right = place?.left > window.innerWidth / 2; // there is no room to the right of it
    set(box, {
      hidden: false,
      'data-end': right,
      'data-under': Boolean(place?.width) && !right,
      style: place ? `--under: ${Math.max(12, place.left)}px` : null,
    });
  }

  return {
    show,
    hide,
    /**
     * Shows why there is no run, or no more of it, under the field it concerns, with a value to run with
     * instead.
     */
    refuse({ text, field, value }) {
      const place = fieldOf(field)?.getBoundingClientRect();
      if (value === null || !fieldOf(field)) show(text, words.retry, PRESSES.run, place);
      else show(text, words.mend({ value }), () => mend(field, value), place);
      fieldOf(field)?.focus({ preventScroll: true });
    },
  };
}

/**
 * present.js: the stage alone, large, for an audience: full screen where the browser allows it, over the
 * page where not.
 */

import { cover, isDark, toggleDark } from './gradio.js';
import { el, set, write } from '../base/dom.js';
import { words } from '../words/words.js';

/**
 * Rooms are bright, so presenting starts light; leaving brings back what was. redraw(): the stage has another
 * size.
 * @returns {{enter: () => void, leave: () => void, on: () => boolean, blank: () => void, notes: () => void,
 * note: (text: () => string) => void}}
 */
export function createPresenter(root, switches, redraw) {
  const line = el('p', { 'data-sv': 'notes', hidden: true });
  let dark = false;
  let opener = null;
  root.append(line);
  const is = (name) => root.hasAttribute(`data-${name}`);
  document.addEventListener('fullscreenchange', () => {
    if (!document.fullscreenElement) leave();
  });

  function enter() {
    if (is('present')) return;
    dark = isDark();
    opener = document.activeElement;
    toggleDark(false, false);
    set(root, { 'data-present': true });
    document.documentElement.toggleAttribute('data-sv-presents', true);
    cover(true);
    // refused: the style sheet covers the window
    root.requestFullscreen?.().then(() => (is('present') ? redraw() : document.exitFullscreen()), redraw);
    root.focus();
    redraw();
  }

  function leave() {
    if (!is('present')) return;
    document.documentElement.toggleAttribute('data-sv-presents', false);
    set(root, { 'data-present': false, 'data-blank': false, 'data-notes': false });
    set(line, { hidden: true });
    set(switches.notes, { 'aria-pressed': 'false' });
    cover(false);
    toggleDark(dark, false);
    opener?.focus();
    if (document.fullscreenElement) document.exitFullscreen();
    redraw();
  }

  return {
    enter,
    leave,
    on: () => is('present'),
    blank: () => set(root, { 'data-blank': words.blank }),
    notes() {
      set(root, { 'data-notes': !is('notes') });
      set(switches.notes, { 'aria-pressed': String(is('notes')) });
      set(line, { hidden: !is('notes') });
      redraw();
    },
    note(text) {
      if (is('notes')) write(line, text());
    },
  };
}

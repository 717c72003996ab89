/**
 * wait.js: how far a long job is, what came of it, and the button that calls it off.
 */

import { el, set, write } from '../../base/dom.js';
import { clean } from '../../base/format.js';
import { words } from './words.js';

/** start and cancel: the job's buttons. { node, busy(text, share), idle(text) }; share is null before anything is done. */
export function createWait(start, cancel) {
  const progress = el('progress', { max: 1, 'aria-label': words.compare.progress, hidden: true });
  const note = el('p', { role: 'status', 'data-sv': 'compare-note' });
  set(cancel, { hidden: true });

  function running(yes) {
    if (!yes && document.activeElement === cancel) start.focus();
    [cancel, progress].forEach((part) => set(part, { hidden: !yes }));
  }

  return {
    node: el('div', { 'data-sv': 'compare-wait' }, progress, note),
    busy(text, share) {
      running(true);
      set(progress, { value: share });
      write(note, text);
    },
    idle(text) {
      running(false);
      write(note, clean(text));
    },
  };
}

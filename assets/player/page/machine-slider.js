/**
 * machine-slider.js: the slider from the machine that measured to a large model on a GPU, see trace/machine.js.
 */

import { el, set, write } from '../base/dom.js';
import { words } from '../words/words.js';

/** { node, share(): 0 where it was measured, 1 on the large machine, reset(), say(live) }; changed() hears a move. */
export function createMachine(changed) {
  const texts = words.clocks.machine;
  const input = el('input', { type: 'range', min: 0, max: 100, value: 0, 'aria-label': texts.label });
  const value = el('output', { 'data-sv': 'machine-value' });
  input.addEventListener('input', changed);
  const ends = [texts.here, texts.large].map((text) => el('span', {}, text));
  return {
    node: el('div', { 'data-sv': 'machine', hidden: true }, ends[0], input, ends[1], value),
    share: () => Number(input.value) / 100,
    reset: () => (input.value = 0),
    say(live) {
      const at = { 0: 'here', 100: 'large' }[input.value] ?? 'between';
      const text = texts.value({ at, live });
      write(value, text);
      set(input, { 'aria-valuetext': text });
    },
  };
}

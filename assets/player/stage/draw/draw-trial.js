/**
 * draw-trial.js: the line under a tree: the siblings under test.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { createChip, paintChip } from './draw-chip.js';
import { hold, maths } from './draw-words.js';
import { words } from '../words.js';

const { look } = words;

const UNTESTED = { after: '', tries: [], before: 0, more: 0, none: '' };

export function trialParts() {
  const spans = ['after', 'passed', 'tries', 'further', 'drafters'];
  return {
    trial: el('div', { 'data-sv': 'trial' }, ...spans.map((name) => el('span', { 'data-sv': name }))),
  };
}

/**
 * Siblings in the order they are tried, where a click looks at one; and whose letter is whose, where
 * several drafters guess.
 */
export function drawTrial({ trial }, { trial: tested, drafters }) {
  set(trial, { hidden: !tested });
  // what is hidden would keep an older test
  const { after, tries, before, more, none } = tested ?? UNTESTED;
  const [where, passed, list, further, legend] = trial.children;
  hold(where, [after, none], () => [look.afterWord, el('b', {}, words.quoted({ token: after })), none]);
  write(passed, before ? look.triedBefore({ many: before }) : '');
  write(further, more ? look.triedMore({ many: more }) : '');
  fill(
    list,
    tries,
    () => el('span', { 'data-sv': 'try' }, el('i'), createChip(), el('b')),
    (item, { node, turn, text, state, says, now }) => {
      const [order, chip, value] = item.children;
      set(item, { 'data-try': node, 'data-now': now });
      write(order, turn);
      paintChip(chip, text, state);
      hold(value, says, () => maths(says));
    },
  );
  fill(
    legend,
    drafters,
    () => el('span', {}, el('i', { 'data-sv': 'who-letter' }), el('span')),
    (item, [letter, who]) => {
      write(item.firstElementChild, letter);
      write(item.lastElementChild, who);
    },
  );
}

/**
 * tab-slots.js: the bar that says how often the guesses of the run on stage were accepted, place by place.
 */

import { count, percent } from '../../base/format.js';
import { createChart } from '../../page/chart.js';
import { isChain } from '../../trace/timeline.js';
import { createFold } from '../head.js';
import { acceptedOf } from './sums-slots.js';
import { slotsFigure } from './figures-why.js';
import { words } from '../words.js';

/** A part of labs.js that asks nothing. */
export function createSlots() {
  const texts = words.speed.slots;
  const chart = createChart('slots');
  const fold = createFold('slots', texts.title);
  fold.body.append(chart.node);
  let seen = ''; // the run as last drawn, and how long it was
  return {
    node: fold.node,
    look({ trace: { run, rounds } }) {
      if (seen === `${run} ${rounds.length}`) return;
      seen = `${run} ${rounds.length}`;
      const { all, slots } = acceptedOf(rounds);
      const { part, whole, value } = all;
      const forks = rounds.some((round) => !isChain(round));
      fold.answer(
        value === null
          ? texts.none
          : texts.answer({ forks, share: percent(value), accepted: count(part), tested: count(whole) }),
      );
      chart.draw(slotsFigure(slots));
    },
    onReport: () => {},
    open: () => {},
    drop: () => {},
  };
}

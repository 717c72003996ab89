/**
 * tab-training.js: how the heads learned to guess, and what EAGLE's own outputs fed back are worth: from
 * the card of the built-in pair. It stands there only for runs in which those heads draft.
 */

import { createChart } from '../../page/chart.js';
import { el, fill, set, write } from '../../base/dom.js';
import { feedbackFigure, learnedFigure } from './figures-training.js';
import { words } from '../words.js';

/**
 * A part of the lab, see labs.js. training(): Promise of the card's { kind: { overlap: notes }, feedback },
 * or of null.
 */
export function createTraining({ training }) {
  const texts = words.training;
  const [learned, feedback] = ['training', 'feedback'].map(createChart);
  const kinds = el('div', { 'data-sv': 'training-kinds', role: 'group', 'aria-label': texts.choose });
  const node = el(
    'section',
    { 'data-sv': 'card', 'data-card': 'training', 'aria-label': texts.title, hidden: true },
    el('h3', {}, texts.title),
    el('p', {}, texts.about),
    kinds,
    el('div', { 'data-sv': 'training-charts' }, learned.node, feedback.node),
  );
  let card = null;
  let run = null; // the run that the choice of a head goes by
  let chosen = null;
  training().then((found) => {
    card = found;
    draw();
  });

  function draw() {
    const { heads, config } = run?.info ?? {};
    const own = Boolean(card && heads && config.pair === 'embedded' && !config.params.head);
    set(node, { hidden: !own });
    if (!own) return;
    const all = Object.keys(card).filter((kind) => card[kind].overlap?.length);
    fill(
      kinds,
      all,
      () => {
        const button = el('button', { type: 'button' });
        button.addEventListener('click', () => {
          chosen = button.textContent;
          draw();
        });
        return button;
      },
      (button, kind) => {
        write(button, kind);
        set(button, { 'aria-pressed': String(kind === chosen) });
      },
    );
    learned.draw(all.includes(chosen) ? learnedFigure(chosen, card[chosen].overlap) : null);
    feedback.draw(card.feedback ? feedbackFigure(card.feedback) : null);
  }

  return {
    node,
    look({ trace }) {
      if (run !== trace) chosen = trace.info.config.drafter;
      run = trace;
      draw();
    },
    hear: () => {},
    open: () => {},
    drop: () => {},
  };
}

/**
 * tab-training.js: how the heads learned to guess, and what EAGLE's own outputs fed back are worth: from
 * the card of the built-in pair. It stands there only for runs in which those heads draft.
 */

import { button, el, fill, set, write } from '../../base/dom.js';
import { feedbackFigure, learnedFigure } from './figures-training.js';
import { createCard, createCharts } from '../parts.js';
import { words } from '../words.js';

/**
 * A part of the lab, see labs.js. training(): Promise of the card's { kind: { overlap: notes }, feedback },
 * or of null.
 */
export function createTraining({ training }) {
  const texts = words.training;
  const { training: learned, feedback } = createCharts('training', 'feedback');
  const kinds = el('div', { 'data-sv': 'training-kinds', role: 'group', 'aria-label': texts.choose });
  const node = createCard(
    'training',
    texts.title,
    el('h3', {}, texts.title),
    el('p', {}, texts.about),
    kinds,
    el('div', { 'data-sv': 'training-charts' }, learned.node, feedback.node),
  );
  let card = null;
  let run = null; // the run that the choice of a head goes by
  let chosen = null;
  set(node, { hidden: true });
  training().then((published) => {
    card = published;
    draw();
  });

  function createPick() {
    const pick = button({}, () => {
      chosen = pick.textContent;
      draw();
    });
    return pick;
  }

  function draw() {
    const { heads, config } = run?.info ?? {};
    const isBuiltIn = Boolean(card && heads && config.pair === 'embedded' && !config.params.head);
    set(node, { hidden: !isBuiltIn });
    if (!isBuiltIn) return;
    const all = Object.keys(card).filter((kind) => card[kind].overlap?.length);
    fill(kinds, all, createPick, (pick, kind) => {
      write(pick, kind);
      set(pick, { 'aria-pressed': String(kind === chosen) });
    });
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
    onReport: () => {},
    open: () => {},
    drop: () => {},
  };
}

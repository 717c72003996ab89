/**
 * tab-rule.js: asks what another γ rule would have done in the run on stage, and draws it beside the run's
 * own γ.
 */

import { tell } from '../../words/words.js';
import { createChart } from '../../page/chart.js';
import { el, set, write } from '../../base/dom.js';
import { ghostFigure, rulesBut } from '../../stage/round/gammas.js';
import { createCard } from '../parts.js';
import { words } from '../words.js';

/**
 * A part of the lab, see labs.js; what it finds becomes the story's `ghost`, for which redraw() draws the
 * lanes again.
 */
export function createOtherRule({ ask, stop, rules, redraw }) {
  const texts = words.ghost;
  const chart = createChart('another-rule');
  const choice = el('select', { 'data-sv': 'ghost-rule', 'aria-label': texts.title });
  const note = el('p', { role: 'status', 'data-sv': 'ghost-note' });
  const node = createCard(
    'ghost',
    texts.title,
    el('h3', {}, texts.title),
    el('p', {}, texts.about),
    el('div', { 'data-sv': 'ghost-ask' }, choice, note),
    chart.node,
  );
  let story = null;
  let offered = null; // the run whose rule is left out of the choice
  choice.addEventListener('change', () => {
    haunt(null);
    if (!choice.value) {
      stop();
      return write(note, '');
    }
    ask({ run: story.trace.run, job: 'rule', name: choice.value });
    return write(note, texts.waiting);
  });

  function haunt(ghost) {
    story.ghost = ghost;
    chart.draw(ghost && ghostFigure(story.trace.rounds, ghost, story.trace.info.controller));
    redraw();
  }

  return {
    node,
    look(onStage) {
      story = onStage;
      if (offered === story.trace.run) return;
      offered = story.trace.run;
      const others = rulesBut(rules, story.trace.info.controller);
      const none = story.trace.info.controller === 'none';
      choice.disabled = none;
      write(note, none ? texts.noLength : '');
      choice.replaceChildren(
        el('option', { value: '' }, texts.none),
        ...others.map(({ name }) => el('option', { value: name }, name)),
      );
    },
    onReport({ asked, error }) {
      write(note, error === undefined ? '' : texts.refused({ reason: tell(error) }));
      set(note, { 'data-refused': error !== undefined });
      if (asked) haunt({ name: choice.value, asked });
    },
    open() {
      offered = null;
      chart.draw(null);
      write(note, '');
    },
    drop: (text) => write(note, text),
  };
}

/**
 * draw-strategies.js: the card that holds plain decoding, a fixed γ and an adaptive one against each other.
 */

import { createChart } from '../../page/chart.js';
import { summaryOf } from '../../page/methods.js';
import { el, set, write } from '../../base/dom.js';
import { FIRST, LAPS, TOKENS, whole } from './sums-strategies.js';
import { strategiesFigure } from './figures.js';
import { hasNoLength } from '../../base/lengths.js';
import { plainName } from '../../base/format.js';
import { words } from '../words.js';

/**
 * rules: entries of the γ rules; measure() asks. { node, begin(config), rule(): the adaptive one chosen,
 * draw(plan, cells, rule, record): record is whose cells they are, if not measured here }.
 */
export function createStrategies(rules, measure) {
  const texts = words.compare.strategies;
  const adaptive = rules.filter(({ name }) => name !== 'fixed');
  const rule = el(
    'select',
    { 'data-sv': 'strategy-rule' },
    ...adaptive.map(({ name }) =>
      el('option', { value: name, title: summaryOf(name), selected: name === FIRST }, plainName(name)),
    ),
  );
  const start = el('button', { type: 'button', 'data-sv': 'strategy-start' }, texts.start);
  const [about, nothing, chart] = [
    el('p', { 'data-sv': 'compare-about' }),
    el('p', { 'data-sv': 'compare-nothing' }, texts.nothing),
    createChart('strategies'),
  ];
  const whose = el('p', { 'data-sv': 'compare-about' });
  start.addEventListener('click', measure);
  return {
    node: el(
      'section',
      { 'data-sv': 'card', 'data-card': 'strategies', 'aria-label': texts.title },
      el('div', { 'data-sv': 'heading' }, el('h3', {}, texts.title)),
      about,
      el('div', { 'data-sv': 'compare-ways' }, el('label', {}, el('span', {}, texts.rule), rule), start),
      nothing,
      chart.node,
      whose,
    ),
    rule: () => rule.value,
    begin({ drafter }) {
      const none = hasNoLength(drafter);
      write(
        about,
        none ? words.ghost.noLength : texts.about({ drafter, tokens: TOKENS, laps: String(LAPS) }),
      );
      set(start, { disabled: none });
    },
    draw(plan, cells, chosen, record = null) {
      const laps = whole(cells);
      set(nothing, { hidden: laps > 0 });
      write(whose, !laps ? '' : record ? words.head.machine(record) : texts.here);
      chart.draw(laps ? strategiesFigure(plan, cells, chosen) : null);
    },
  };
}

/**
 * draw-strategies.js: the card that holds plain decoding, a fixed γ and an adaptive one against each other.
 */

import { createChart } from '../../page/chart.js';
import { el, set } from '../../base/dom.js';
import { FIRST, LAPS, TOKENS, figureOf, whole } from './strategies.js';
import { createWait } from './wait.js';
import { words } from './words.js';

/**
 * rules: entries of the γ rules; want: { start(), cancel() }. { node, begin(config), rule(): the adaptive one chosen, wait:
 * see wait.js, draw(plan, cells, rule) }.
 */
export function createStrategies(rules, want) {
  const texts = words.compare.strategies;
  const adaptive = rules.filter(({ name }) => name !== 'fixed');
  const rule = el('select', { 'data-sv': 'strategy-rule' }, ...adaptive.map(({ name, summary }) => el('option', { value: name, title: summary, selected: name === FIRST }, words.compare.name(name))));
  const start = el('button', { type: 'button', 'data-sv': 'strategy-start' }, texts.start);
  const cancel = el('button', { type: 'button', 'data-sv': 'strategy-cancel' }, words.compare.cancel);
  const wait = createWait(start, cancel);
  const [about, nothing, chart] = [el('p', { 'data-sv': 'compare-about' }), el('p', { 'data-sv': 'compare-nothing' }, texts.nothing), createChart('strategies')];
  start.addEventListener('click', want.start);
  cancel.addEventListener('click', want.cancel);
  return {
    node: el('section', { 'data-sv': 'card', 'data-card': 'strategies', 'aria-label': texts.title },
      el('div', { 'data-sv': 'heading' }, el('h2', {}, texts.title)), about,
      el('div', { 'data-sv': 'compare-ways' }, el('label', {}, el('span', {}, texts.rule), rule), start, cancel), wait.node, nothing, chart.node),
    rule: () => rule.value,
    wait,
    begin: ({ drafter }) => { about.textContent = texts.about(drafter, TOKENS, String(LAPS)); },
    draw(plan, cells, chosen) {
      const laps = whole(cells);
      set(nothing, { hidden: laps > 0 });
      chart.draw(laps ? figureOf(plan, cells, chosen) : null);
    },
  };
}

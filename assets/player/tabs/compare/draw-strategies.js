/**
 * draw-strategies.js: the card that holds plain decoding, a fixed γ and an adaptive one against each other.
 */

import { createChart } from '../../page/chart.js';
import { button, el, set, write } from '../../base/dom.js';
import { FIRST, LAPS, TOKENS, planOf, wholeLaps } from './sums-strategies.js';
import { strategiesFigure } from './figures.js';
import { hasNoLength } from '../../base/lengths.js';
import { plainName } from '../../base/format.js';
import { createCard, createHeading, labelled, paragraphs, pluginSelect } from '../parts.js';
import { words } from '../words.js';

/**
 * rules: entries of the γ rules; measure() asks. { node, begin(config), clear(), open(record), job(run) }: job is what
 * tab.js has measured with the adaptive rule that is chosen.
 */
export function createStrategies(rules, measure) {
  const texts = words.compare.strategies;
  const adaptive = rules.filter(({ name }) => name !== 'fixed');
  const rule = pluginSelect({ 'data-sv': 'strategy-rule' }, adaptive, plainName, FIRST);
  const start = button({ 'data-sv': 'strategy-start' }, measure, texts.start);
  const [about, nothing, source] = paragraphs('compare-about', 'compare-nothing', 'compare-about');
  const chart = createChart('strategies');
  write(nothing, texts.nothing);
  const controls = el('div', { 'data-sv': 'compare-ways' }, labelled(texts.rule, rule), start);
  const parts = [createHeading(texts.title), about, controls, nothing, chart.node, source];
  const node = createCard('strategies', texts.title, ...parts);

  /** record: whose cells they are, if not measured here. */
  function draw(plan, cells, chosen, record = null) {
    const laps = wholeLaps(cells);
    set(nothing, { hidden: laps > 0 });
    write(source, !laps ? '' : record ? words.head.machine(record) : texts.here);
    chart.draw(laps ? strategiesFigure(plan, cells, chosen) : null);
  }

  return {
    node,
    begin({ drafter }) {
      const none = hasNoLength(drafter);
      write(
        about,
        none ? words.ghost.noLength : texts.about({ drafter, tokens: TOKENS, laps: String(LAPS) }),
      );
      set(start, { disabled: none });
    },
    clear: () => draw([], [], ''),
    open(record) {
      const cells = record.answers.strategies.map(({ cell }) => cell);
      draw(planOf(record.config, FIRST), cells, FIRST, record);
    },
    /** A sweep over γ rules: its cells are drawn when all are there. */
    job({ run, info: { config } }) {
      const chosen = rule.value;
      const plan = planOf(config, chosen);
      return {
        question: { run, job: 'sweep', over: plan.map(({ changes }) => changes) },
        card: node,
        onReport: ({ done, of }) => texts.done({ done: String(done), of: String(of) }),
        end: (cells) => cells.length && draw(plan, cells, chosen),
      };
    },
  };
}

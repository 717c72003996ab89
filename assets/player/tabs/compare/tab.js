/**
 * comparing.js: the tab that holds configurations against each other: lanes of one prompt, and a fixed γ against one that
 * adapts. One question at a time: either card's gives way to the other's.
 */

import { LONGEST, changesOf, letter, measured, written } from './compare.js';
import { createSetup } from './compare-setup.js';
import { createComparison } from './draw-compare.js';
import { createStrategies } from './draw-strategies.js';
import { el, set } from '../../base/dom.js';
import { traceOf } from '../../trace/feed.js';
import { planOf } from './strategies.js';
import { storyOf } from '../../trace/story.js';
import { words } from './words.js';

/** Messages a lane's recording has at most: its head, a round a token, its end. */
const MESSAGES = LONGEST + 2;

/** A part of labs.js; its port has the entries of the γ rules, the drafters and the acceptance rules. */
export function createComparing({ ask, stop, fetch, rules, drafters, acceptance }) {
  const texts = words.compare;
  const setup = createSetup({ drafter: drafters, gamma_rule: rules, rule: acceptance }, { start: compare, cancel: () => drop(texts.cancelled) });
  const strategies = createStrategies(rules, { start: measure, cancel: () => drop(texts.strategies.cancelled) });
  const comparison = createComparison();
  const empty = el('p', { 'data-sv': 'compare-nothing' }, texts.empty);
  const cards = [setup, comparison, strategies].map(({ node }) => node);
  const node = el('div', { 'data-sv': 'compare' }, empty, ...cards);
  let run = null; // the run on stage that the cards were set up from: { name, config }
  let lanes = null; // the lanes on show
  let busy = null; // who is being answered: what waits for it, and what hears a report
  show();

  function show() {
    set(empty, { hidden: run !== null });
    cards.forEach((card) => set(card, { hidden: run === null }));
  }

  function want(asked, over, job) {
    drop(texts.gaveWay);
    busy = asked;
    ask({ run: run.name, job, over });
    busy.wait.busy(texts.waiting, null);
  }

  function drop(text) {
    if (!busy) return;
    stop();
    settle(text);
  }

  function settle(text) {
    const { wait, ended } = busy;
    busy = null;
    wait.idle(text);
    ended();
  }

  function compare() {
    const { lanes: chosen, shared } = setup.read();
    const asked = {
      lanes: chosen.map((lane, index) => ({ letter: letter(index), lane, tokens: null, cells: null, cost: null, refused: null })),
      fetching: 0,
      ended: false,
    };
    const draw = () => asked === lanes && comparison.draw(asked.lanes, asked.ended && !asked.fetching);
    want({
      wait: setup.wait,
      async hear({ done, of, lane: name, cells, refused = null }) {
        setup.wait.busy(texts.done(String(done), String(of)), done / of);
        asked.fetching += 1;
        const messages = refused === null ? await fetch({ run: name, start: 0, stop: MESSAGES }) : [];
        asked.fetching -= 1;
        const found = messages.length && { tokens: written(storyOf(traceOf(name, messages))), cells, cost: measured(cells) };
        Object.assign(asked.lanes[done - 1], found || { refused: refused ?? texts.lost });
        draw();
      },
      ended() {
        asked.ended = true;
        draw();
      },
    }, chosen.map((lane) => changesOf(lane, run.config, shared)), 'lanes');
    lanes = asked;
    draw();
    comparison.node.scrollIntoView({ block: 'nearest' });
  }

  function measure() {
    const [rule, cells] = [strategies.rule(), []];
    const plan = planOf(run.config, rule);
    want({
      wait: strategies.wait,
      hear({ done, of, cell }) {
        strategies.wait.busy(texts.strategies.done(String(done), String(of)), done / of);
        cells.push(cell);
        strategies.draw(plan, cells, rule);
      },
      ended() {},
    }, plan.map(({ changes }) => changes), 'sweep');
    strategies.draw(plan, cells, rule);
  }

  return {
    node,
    look({ trace }) {
      if (run?.name === trace.run) return;
      run = { name: trace.run, config: trace.info.config };
      setup.begin(run.config);
      strategies.begin(run.config);
      show();
    },
    hear(report) {
      if ('done' in report) busy.hear(report);
      else settle(report.error === undefined ? '' : texts.refused(report.error));
    },
    open() {
      [setup, strategies].forEach(({ wait }) => wait.idle(''));
      [run, lanes, busy] = [null, null, null];
      comparison.draw([], true);
      strategies.draw([], [], '');
      show();
    },
    drop(text) {
      if (busy) settle(text);
    },
  };
}

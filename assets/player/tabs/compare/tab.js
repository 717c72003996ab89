/**
 * tab.js: Compare. Configurations beside each other: lanes of one prompt, and a fixed γ beside an adaptive
 * one. It opens on lanes that were measured before. Only one question is open at a time; a new one from
 * either card replaces it.
 */

import { tell } from '../../words/words.js';
import { createLanes } from './lanes.js';
import { createSetup } from './draw-setup.js';
import { createHead } from '../head.js';
import { createStrategies } from './draw-strategies.js';
import { set } from '../../base/dom.js';
import { FIRST, planOf } from './sums-strategies.js';
import { words } from './words.js';

/** A part of labs.js; its port has the entries of the γ rules, the drafters and the acceptance rules. */
export function createComparing({ ask, stop, recorded, rules, drafters, acceptance }) {
  const texts = words.compare;
  const head = createHead({ measure: compare, cancel: () => question.drop(texts.cancelled) });
  const setup = createSetup({ drafter: drafters, gamma_rule: rules, rule: acceptance }, compare);
  const strategies = createStrategies(rules, measure);
  const lanes = createLanes(head);
  const question = createQuestion(head, ask, stop);
  // the trace on stage that the cards were set up from; what was measured before
  let [run, record] = [null, null];
  head.ask(texts.question);
  head.body.append(lanes.node, setup.node, strategies.node);
  recorded.then((found) => {
    record = found;
    if (run && !lanes.any()) open();
  });
  empty();

  function empty() {
    lanes.clear();
    strategies.draw([], [], '');
    head.answer('', '');
    head.from('none', null, null, texts.nothing);
  }

  /** Opens on what was measured before. */
  function open() {
    if (!record || !run) return;
    lanes.open(record);
    head.from('recorded', record, run);
    strategies.draw(
      planOf(record.config, FIRST),
      record.answers.strategies.map(({ cell }) => cell),
      FIRST,
      record,
    );
  }

  function compare() {
    if (!run) return;
    question.want(run, lanes.question(run, setup.read()));
    // how far it is, and what ends it, stand there
    head.node.firstElementChild.scrollIntoView({ block: 'nearest' });
  }

  function measure() {
    if (run) question.want(run, sweepQuestion(head, strategies, run.info.config));
  }

  return {
    node: head.node,
    look({ trace }) {
      if (run?.run === trace.run) return;
      run = trace;
      setup.begin(run.info.config);
      strategies.begin(run.info.config);
      if (!lanes.any()) open();
    },
    hear: question.hear,
    open() {
      question.settle('');
      head.idle('');
      run = null;
      empty();
    },
    drop: question.settle,
  };
}

/** What a sweep over γ rules asks: its cells are drawn when all are there. */
function sweepQuestion(head, strategies, config) {
  const [rule, cells] = [strategies.rule(), []];
  const plan = planOf(config, rule);
  return {
    job: 'sweep',
    over: plan.map(({ changes }) => changes),
    card: strategies.node,
    hear({ done, of, cell }) {
      head.busy(words.compare.strategies.done(String(done), String(of)), done / of);
      cells.push(cell);
    },
    ended: () => cells.length && strategies.draw(plan, cells, rule),
  };
}

/**
 * The one question under way. { want(run, what), hear(report), drop(text), settle(text) }: what is { job,
 * over, card, hear(report), ended() }, drop calls it off and settle only ends it.
 */
function createQuestion(head, ask, stop) {
  const texts = words.compare;
  let asked = null;

  function settle(text) {
    if (!asked) return;
    const { card, ended } = asked;
    asked = null;
    set(card, { 'data-stale': false });
    head.idle(text);
    ended();
  }

  function drop(text) {
    if (!asked) return;
    stop();
    settle(text);
  }

  return {
    want(run, what) {
      drop(texts.gaveWay);
      asked = what;
      ask({ run: run.run, job: asked.job, over: asked.over });
      set(asked.card, { 'data-stale': true });
      head.busy(texts.waiting, null);
    },
    hear(report) {
      if ('done' in report) asked.hear(report);
      else settle(report.error === undefined ? '' : texts.refused(tell(report.error)));
    },
    drop,
    settle,
  };
}

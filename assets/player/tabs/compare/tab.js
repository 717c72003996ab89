/**
 * tab.js: Compare. Configurations beside each other: lanes of one prompt, and a fixed γ beside an adaptive
 * one. It opens on lanes that were measured before. Only one question is open at a time; a new one from
 * either card replaces it.
 */

import { tell } from '../../words/words.js';
import { createLanes } from './lanes.js';
import { createSetup } from './draw-setup.js';
import { createHead } from '../head.js';
import { createMeasuring } from '../measuring.js';
import { createStrategies } from './draw-strategies.js';
import { set } from '../../base/dom.js';
import { FIRST, planOf } from './sums-strategies.js';
import { words } from '../words.js';

/** A part of labs.js; its port has the entries of the γ rules, the drafters and the acceptance rules. */
export function createComparing({ ask, stop, recorded, rules, drafters, acceptance }) {
  const texts = words.compare;
  const head = createHead({ measure: compare, cancel: () => measuring.cancel() });
  const setup = createSetup({ drafter: drafters, gamma_rule: rules, rule: acceptance }, compare);
  const strategies = createStrategies(rules, measure);
  const lanes = createLanes(head);
  const measuring = createMeasuring(
    { ask, stop },
    {
      busy: head.busy,
      idle: head.idle,
      progress: (job, report) => [job.took(report), report.done / report.of],
      over,
    },
  );
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

  /** A new question replaces the one under way. */
  function want(job) {
    if (measuring.busy()) measuring.cancel(texts.gaveWay);
    set(job.card, { 'data-stale': true });
    measuring.start([{ ...job, waits: texts.waiting }]);
  }

  function over({ card, ended }, { cells, error }, cancelled) {
    set(card, { 'data-stale': false });
    ended(cells);
    if (cancelled) return texts.cancelled;
    return error === undefined ? '' : texts.refused({ reason: tell(error) });
  }

  function compare() {
    if (!run) return;
    want(lanes.job(run, setup.read()));
    // how far it is, and what ends it, stand there
    head.node.firstElementChild.scrollIntoView({ block: 'nearest' });
  }

  function measure() {
    if (run) want(sweepJob(strategies, run));
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
    hear: measuring.hear,
    open() {
      measuring.settle('');
      run = null;
      empty();
    },
    drop: measuring.settle,
  };
}

/** A sweep over γ rules: its cells are drawn when all are there. */
function sweepJob(strategies, { run, info }) {
  const rule = strategies.rule();
  const plan = planOf(info.config, rule);
  return {
    question: { run, job: 'sweep', over: plan.map(({ changes }) => changes) },
    card: strategies.node,
    took: ({ done, of }) => words.compare.strategies.done({ done: String(done), of: String(of) }),
    ended: (cells) => cells.length && strategies.draw(plan, cells, rule),
  };
}

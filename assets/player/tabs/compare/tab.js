/**
 * tab.js: Compare. Configurations beside each other: lanes of one prompt, and a fixed γ beside an adaptive
 * one. It opens on lanes that were measured before. Only one question is open at a time; a new one from
 * either card replaces it.
 */

import { tell } from '../../words/words.js';
import { createLanes } from './lanes.js';
import { createSetup } from './draw-setup.js';
import { createMeasuringHead } from '../head.js';
import { createStrategies } from './draw-strategies.js';
import { set } from '../../base/dom.js';
import { words } from '../words.js';

/** A part of labs.js; its port has the entries of the γ rules, the drafters and the acceptance rules. */
export function createComparing({ ask, stop, recorded, rules, drafters, acceptance }) {
  const on = { measure: compare, progress, over };
  const { head, measuring } = createMeasuringHead({ ask, stop }, words.compare.question, on);
  const setup = createSetup({ drafter: drafters, gamma_rule: rules, rule: acceptance }, compare);
  const strategies = createStrategies(rules, () => run && start(strategies.job(run)));
  const lanes = createLanes(head);
  let run = null; // the trace on stage that the cards were set up from
  let record = null; // what was measured before
  head.body.append(lanes.node, setup.node, strategies.node);
  recorded.then((lab) => {
    record = lab;
    openRecord();
  });
  empty();

  function empty() {
    [lanes, strategies].forEach((card) => card.clear());
    head.answer('', '');
    head.from('none', words.compare.nothing);
  }

  /** Shows what was measured before, where no lanes are on show. */
  function openRecord() {
    if (!record || !run || lanes.any()) return;
    [lanes, strategies].forEach((card) => card.open(record));
    head.fromRecord(record, run);
  }

  /** A new question replaces the one under way. */
  function start(job) {
    if (measuring.busy()) measuring.cancel(words.compare.gaveWay);
    set(job.card, { 'data-stale': true });
    measuring.start([{ ...job, waits: words.compare.waiting }]);
  }

  function compare() {
    if (!run) return;
    start(lanes.job(run, setup.read()));
    // how far it is, and what ends it, stand there
    head.node.firstElementChild.scrollIntoView({ block: 'nearest' });
  }

  return {
    node: head.node,
    look({ trace }) {
      if (run?.run === trace.run) return;
      run = trace;
      [setup, strategies].forEach((card) => card.begin(run.info.config));
      openRecord();
    },
    onReport: measuring.onReport,
    open() {
      measuring.settle('');
      run = null;
      empty();
    },
    drop: measuring.settle,
  };
}

function progress(job, report) {
  return [job.onReport(report), report.done / report.of];
}

function over({ card, end }, { cells, error }, cancelled) {
  const texts = words.compare;
  set(card, { 'data-stale': false });
  end(cells);
  if (cancelled) return texts.cancelled;
  return error === undefined ? '' : texts.refused({ reason: tell(error) });
}

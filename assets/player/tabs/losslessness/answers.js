/**
 * answers.js: asks the server for samples and shows what it finds. Only a report on the last question is
 * shown.
 */

import { tell } from '../../words/words.js';
import { set } from '../../base/dom.js';
import { count } from '../../base/format.js';
import { createJob } from '../../page/job.js';
import { explainRefusal } from '../../page/refusal.js';
import { runName } from '../head.js';
import { createFinding } from './draw-finding.js';
import { answerOf, modelSummary } from './figures.js';
import { words } from '../words.js';

/**
 * head and question: the tab's. { node, clear(lossy), show(finding, trace, record), ask(what, text),
 * onReport(text, trace), drop(text), broke() }: record is what the finding was recorded in, if it was; its
 * lossy says under what rule.
 */
export function createAnswers({ prove, leave }, head, question) {
  const texts = words.finding;
  const job = createJob(prove, leave, Math.random().toString(36).slice(2));
  const shown = createShown(head, question);
  let asked = {};

  function settle(text) {
    set(head.node, { 'data-stale': false });
    head.idle(text);
  }

  return {
    node: shown.node,
    show: shown.finding,
    clear: shown.clear,
    ask(what, text) {
      job.start(what);
      asked = what;
      head.busy(text, null);
      [head, shown].forEach(({ node }) => set(node, { 'data-stale': true }));
    },
    onReport(text, trace) {
      const report = job.onReport(JSON.parse(text));
      if (!report) return;
      const { done, of, error, finding, equality, checked, cells } = report;
      if (done === undefined) settle(error === undefined ? '' : refusalOf(error, asked.model));
      else head.busy(progressOf(report), done / of);
      if (cells?.length) shown.drawing(cells, asked);
      if (finding) shown.finding(finding, trace);
      if (equality) shown.equality(equality, trace);
      if (checked) shown.model(checked, done !== undefined, trace);
    },
    drop(text) {
      job.cancel();
      settle(text);
    },
    broke: () => job.cancel() && head.idle(texts.broke),
  };
}

/**
 * What was found last, and the answer in the tab's head: { node, finding(finding, trace, record),
 * drawing(cells, asked), equality(equality, trace), model(lines, left, trace), clear(lossy) }: drawing shows the
 * samples so far, left says whether more lines come.
 */
function createShown(head, question) {
  const texts = words.finding;
  const result = createFinding();
  const fromThisRun = (config) => head.from('here', texts.hereOf({ run: runName(config) }));
  return {
    node: result.node,
    finding(finding, trace, record = null) {
      const { config } = record ?? trace.info;
      const bug = question.bug(finding.bug);
      result.finding(finding, config, bug, record ? Boolean(record.lossy) : isLossy(trace));
      set(head.node, { 'data-stale': false });
      head.answer(...answerOf(finding));
      if (record) head.fromRecord(record, trace);
      else fromThisRun(config);
      question.sabotaged(bug !== null);
    },
    drawing(cells, what) {
      head.answer('', '');
      result.drawing({ cells, ...what });
    },
    equality(equality, { info: { config } }) {
      result.equality(equality);
      head.answer(...equalityAnswer(equality));
      fromThisRun(config);
    },
    model(lines, left, { info: { config, target } }) {
      const { large, sentence, kind } = modelSummary(lines);
      result.model(lines, left ? '' : sentence, kind);
      head.answer(...(left ? ['', ''] : [large, texts.model.answer({ target: tell(target) }), kind]));
      fromThisRun(config);
    },
    clear(lossy) {
      result.clear(lossy);
      head.answer('', '');
      head.from('none', lossy ? texts.lossy.nothing : texts.nothing);
      question.sabotaged(false);
    },
  };
}

function equalityAnswer({ differs, tokens, tie }) {
  const { yes, no, equality } = words.finding;
  if (differs === null) return [yes, equality.answerSame({ tokens: count(tokens) }), 'same'];
  const at = count(differs + 1);
  return tie ? [yes, equality.answerTie({ at }), 'same'] : [no, equality.answerOther({ at }), 'different'];
}

/** True if the rule of a run is; null is no run. */
export function isLossy(trace) {
  return trace !== null && !trace.info.traits.lossless;
}

function progressOf({ done, of, checked }) {
  const [texts, many] = [words.finding, { done: count(done), of: count(of) }];
  return checked ? texts.model.done(many) : texts.done({ ...many, n: many.of });
}

/** Why nothing was drawn, or not all checked; a field of the question is called as the page calls it. */
function refusalOf(line, checks = false) {
  const { text, field } = explainRefusal(line);
  const { refused, model } = words.finding;
  return field ? text : (checks ? model : { refused }).refused({ reason: tell(line) });
}

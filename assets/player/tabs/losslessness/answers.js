/**
 * answers.js: asks the server for samples and shows what it finds. Only a report on the last question is
 * shown.
 */

import { saidAll, tell } from '../../words/words.js';
import { set } from '../../base/dom.js';
import { count } from '../../base/format.js';
import { createJob } from '../../page/job.js';
import { explainRefusal } from '../../page/refusal.js';
import { runName } from '../head.js';
import { createFinding } from './draw-finding.js';
import { answerOf } from './figures.js';
import { words } from '../words.js';

/**
 * head and question: the tab's. { node, clear(lossy), show(finding, trace, record), ask(what, text),
 * hear(text, trace), drop(text), broke() }: record is what the finding was recorded in, if it was; its
 * lossy says under what rule.
 */
export function createAnswers({ prove, leave }, head, question) {
  const texts = words.finding;
  const job = createJob(prove, leave, Math.random().toString(36).slice(2));
  const result = createFinding();

  function show(finding, trace, record = null) {
    const { config } = record ?? trace.info;
    const bug = question.bug(finding.bug);
    set(head.node, { 'data-stale': false });
    result.finding(finding, config, bug, record ? Boolean(record.lossy) : isLossy(trace));
    head.answer(...answerOf(finding));
    if (record) head.from('recorded', record, trace);
    else head.from('here', null, trace, texts.hereOf({ run: runName(config) }));
    question.asked(bug ? bug.title : '');
  }

  function showEquality(equality, trace) {
    result.equality(equality);
    const { answerSame, answerOther } = texts.equality;
    if (equality.differs === null) head.answer(count(equality.tokens), answerSame);
    else head.answer(...saidAll(answerOther, { at: equality.differs + 1 }), 'different');
    head.from('here', null, trace, texts.hereOf({ run: runName(trace.info.config) }));
  }

  function arrive({ error, finding, equality }, trace) {
    settle(error === undefined ? '' : refusalOf(error));
    if (finding) show(finding, trace);
    if (equality) showEquality(equality, trace);
  }

  function settle(text) {
    set(head.node, { 'data-stale': false });
    head.idle(text);
  }

  return {
    node: result.node,
    show,
    clear(lossy) {
      result.clear(lossy);
      head.answer('', '');
      head.from('none', null, null, lossy ? texts.lossy.nothing : texts.nothing);
      question.asked('');
    },
    /** Asks the server, and greys what is shown. */
    ask(what, text) {
      job.start(what);
      head.busy(text, null);
      set(head.node, { 'data-stale': true });
      result.stale();
    },
    hear(text, trace) {
      const report = job.hear(JSON.parse(text));
      if (report?.done !== undefined)
        head.busy(texts.done({ done: count(report.done), n: count(report.of) }), report.done / report.of);
      else if (report) arrive(report, trace);
    },
    drop(text) {
      job.cancel();
      settle(text);
    },
    broke: () => job.cancel() && head.idle(texts.broke),
  };
}

/** Whether the rule of a run is; null is no run. */
export function isLossy(trace) {
  return trace !== null && !trace.info.traits.lossless;
}

/** Why nothing was drawn; a field of the question is called as the page calls it. */
function refusalOf(line) {
  const { text, field } = explainRefusal(line);
  return field ? text : words.finding.refused({ reason: tell(line) });
}

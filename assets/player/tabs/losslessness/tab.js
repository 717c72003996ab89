/**
 * tab.js: Is it exact? The real rule plays thousands of rounds, and the tab compares what comes out with
 * the target's distribution. A bug can be planted in the rule. The tab opens on samples that were recorded
 * before.
 */

import { el, set, write } from '../../base/dom.js';
import { createAnswers, isLossy } from './answers.js';
import { mountProof } from './draw-proof.js';
import { createHead } from '../head.js';
import { lawsAt, positionOf } from './sums-here.js';
import { momentOf } from '../../trace/moment.js';
import { modelLines } from '../../trace/tried.js';
import { createQuestion } from './draw-question.js';
import { paragraphs } from '../parts.js';
import { words } from '../words.js';

/**
 * port: { prove(question), leave(ask), recordedLab(name), proofs: what may be asked }. { node, look(story,
 * at, slot), onReport(text), open(), drop(), broke() }: look says which beat and slot are on stage, onReport takes
 * the text of a "proof" remark, open makes room for another run, drop stops asking, broke hears that the
 * engine did.
 */
export function createLosslessness({ prove, leave, recordedLab, proofs }) {
  const texts = words.finding;
  const head = createHead(texts.question, { measure: draw, cancel: () => answers.drop(texts.cancelled) });
  const account = el('div', { 'data-sv': 'card', 'data-card': 'proof' });
  const compare = () => ask({ whole: true }, texts.equality.asked);
  const check = () => ask({ model: true }, texts.model.asked);
  const why = () => account.scrollIntoView({ block: 'start' });
  const question = createQuestion(proofs, { draw, changed, compare, check, why });
  const answers = createAnswers({ prove, leave }, head, question);
  const recorded = createRecorded(recordedLab, question, answers);
  const proof = mountProof(account);
  let [trace, position] = [null, 0]; // what is on stage
  let queried = false; // whether something was asked of this run
  const [tried] = paragraphs('tried');
  head.body.append(answers.node, question.node, tried, account);
  answers.clear(false);

  function ask(what, text) {
    if (!trace) return;
    queried = true;
    answers.ask({ run: trace.run, ...what }, text);
  }

  function draw() {
    const { place, ...what } = question.read();
    ask({ position: place === 'here' ? position : 0, ...what }, texts.waiting);
  }

  /** The question changed: a recorded finding answers it, else the server draws. */
  function changed() {
    if (queried || !recorded.answer(trace)) draw();
  }

  /** Opens on what was drawn before, if this tab has nothing newer. */
  function openRecord() {
    if (!queried) recorded.open(trace);
  }

  function look(story, at, slot) {
    const beat = story.beats[at];
    const isNew = trace?.run !== story.trace.run;
    trace = story.trace;
    position = positionOf(story, beat.round, slot);
    question.setPosition(position);
    describe(trace, { head, question, tried, account });
    proof.show(lawsAt(trace.rounds[beat.round], momentOf(trace, beat), slot));
    recorded.load(openRecord);
    if (isNew) openRecord();
  }

  function open() {
    answers.drop('');
    answers.clear(isLossy(trace));
    [trace, queried] = [null, false];
  }

  const onReport = (text) => answers.onReport(text, trace);
  const drop = () => answers.drop('');
  return { node: head.node, look, onReport, open, drop, broke: answers.broke };
}

/** Says of a run what it was tried for, and what can be asked of it. */
function describe(trace, { head, question, tried, account }) {
  write(tried, modelLines(trace.info).join('\n'));
  question.comparable(trace.info.traits.plain_text);
  set(account, { hidden: isLossy(trace) });
  if (trace.file) head.idle(words.finding.refused({ reason: words.file.unanswerable }));
}

/**
 * The recorded findings, one of them of a lossy rule: { load(ready), open(trace), answer(trace) }: answer
 * says whether one of them answers the question.
 */
function createRecorded(recordedLab, question, answers) {
  let record; // undefined until it is asked for, null until it has arrived
  return {
    async load(ready) {
      if (record !== undefined) return;
      record = null;
      record = await recordedLab('losslessness');
      ready();
    },
    open(trace) {
      const lossy = isLossy(trace);
      if (lossy) answers.clear(true);
      if (!record) return;
      const { finding, config = record.config } = record.answers[lossy ? 'lossy' : ''][0];
      if (lossy && config.rule !== trace.info.rule) return;
      question.set(finding);
      answers.show(finding, trace, { ...record, config, lossy });
    },
    answer(trace) {
      const { place, ...what } = question.read();
      const known = !isLossy(trace) && place !== 'here' && record?.answers[what.bug]?.[0].finding;
      if (!known || ['law', 'n', 'seed'].some((name) => known[name] !== what[name])) return false;
      answers.show(known, trace, record);
      return true;
    },
  };
}

/**
 * tab.js: Is it exact? The tab that has the rule itself play thousands of rounds and holds what came out against the target's
 * distribution, with bugs to plant. It opens on samples that were drawn before; the server draws others and reports how far
 * it got; only reports on what was last asked are shown.
 */

import { el, set } from '../../base/dom.js';
import { mountProof } from './draw-proof.js';
import { createFinding } from './draw-finding.js';
import { answerOf } from './figures.js';
import { createHead, runName } from '../head.js';
import { count } from '../../base/format.js';
import { lawsAt, positionOf } from './sums-here.js';
import { createJob } from '../../page/job.js';
import { momentOf } from '../../trace/moment.js';
import { createQuestion } from './draw-question.js';
import { explainRefusal } from '../../page/refusal.js';
import { words } from './words.js';

/**
 * port: { prove(question), leave(ask), recordedLab(name), proofs: what may be asked }. { node, look(story, at, slot), hear(text),
 * open(), drop(), broke() }: look says which beat and slot are on stage, hear takes the text of a "proof" remark, open makes
 * room for another run, drop stops asking, broke hears that the engine did.
 */
export function createLosslessness({ prove, leave, recordedLab, proofs }) {
  const texts = words.finding;
  const job = createJob(prove, leave, Math.random().toString(36).slice(2));
  const head = createHead({ measure: draw, cancel: () => drop(texts.cancelled) });
  const question = createQuestion(proofs, { draw, changed, compare: () => ask({ whole: true }, texts.equality.asked), why });
  const result = createFinding();
  const account = el('div', { 'data-sv': 'card', 'data-card': 'proof' });
  const proof = mountProof(account);
  const { node } = head;
  let trace = null;
  let here = 0;
  let record = null; // the recorded findings, once they have arrived
  let wanted = false; // whether the page asked for them
  let own = false; // whether this tab has a finding of this run
  head.body.append(result.node, question.node, account);
  head.ask(texts.question);
  clear();

  function isLossy() {
    return trace !== null && !trace.info.traits.lossless;
  }

  function clear() {
    own = false;
    result.clear(isLossy());
    head.answer('', '');
    head.from('none', null, null, isLossy() ? texts.lossy.nothing : texts.nothing);
    question.asked('');
  }

  /** Asks the server, and greys what is shown. */
  function ask(what, text) {
    if (!trace) return;
    own = true;
    job.start({ run: trace.run, ...what });
    head.busy(text, null);
    set(node, { 'data-stale': true });
    result.stale();
  }

  function draw() {
    const { place, ...what } = question.read();
    ask({ position: place === 'here' ? here : 0, ...what }, texts.waiting);
  }

  /** The question changed: a recorded finding answers it, else the server draws. */
  function changed() {
    const { place, ...what } = question.read();
    const known = !own && !isLossy() && place !== 'here' && record?.answers[what.bug]?.[0].finding;
    if (known && ['law', 'n', 'seed'].every((name) => known[name] === what[name])) show(known, record.config, 'recorded');
    else draw();
  }

  function show(finding, config, from) {
    const bug = question.bug(finding.bug);
    set(node, { 'data-stale': false });
    result.finding(finding, config, bug, from === 'here' && isLossy());
    head.answer(...answerOf(finding));
    if (from === 'recorded') head.from(from, record, trace);
    else head.from(from, null, trace, words.finding.hereOf(runName(config)));
    question.asked(bug ? bug.title : '');
  }

  /** Opens on what was drawn before, if this tab has nothing newer. */
  function opens() {
    const finding = record?.answers[''][0].finding;
    if (own) return;
    if (isLossy()) clear(); // what was recorded is of a lossless rule
    if (!finding || isLossy()) return;
    question.set(finding);
    show(finding, record.config, 'recorded');
  }

  /** Scrolls to the proof. */
  function why() {
    account.scrollIntoView({ block: 'start' });
  }

  function drop(text) {
    job.cancel();
    set(node, { 'data-stale': false });
    head.idle(text);
  }

  return {
    node,
    look(story, at, slot) {
      const beat = story.beats[at];
      const anew = trace?.run !== story.trace.run;
      trace = story.trace;
      here = positionOf(story, beat.round, slot);
      question.here(here);
      question.comparable(trace.info.traits.plain_text);
      set(account, { hidden: isLossy() });
      if (trace.file) head.idle(texts.refused(words.file.unanswerable));
      proof.show(lawsAt(trace.rounds[beat.round], momentOf(trace, beat), slot));
      if (!wanted) {
        wanted = true;
        recordedLab('losslessness').then((found) => {
          record = found;
          opens();
        });
      } else if (anew) opens();
    },
    hear(text) {
      const report = job.hear(JSON.parse(text));
      if (!report) return;
      const { done, of, error, finding, equality } = report;
      if (done !== undefined) {
        head.busy(texts.done(count(done), count(of)), done / of);
        return;
      }
      head.idle(error === undefined ? '' : refusalOf(error));
      set(node, { 'data-stale': false });
      if (finding) show(finding, trace.info.config, 'here');
      if (equality) {
        result.equality(equality);
        head.answer(...texts.equality.answer(equality.differs, count(equality.tokens)));
        head.from('here', null, trace, texts.hereOf(runName(trace.info.config)));
      }
    },
    open() {
      drop('');
      clear();
      trace = null;
    },
    drop: () => drop(''),
    broke() {
      if (job.cancel()) head.idle(texts.broke);
    },
  };
}

/** Why nothing was drawn; a field of the question is called as the page calls it. */
function refusalOf(line) {
  const { text, field } = explainRefusal(line);
  return field ? text : words.finding.refused(line);
}

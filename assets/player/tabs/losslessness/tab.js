/**
 * losslessness.js: the tab that samples the rule and holds the shares against the target's law, with bugs to plant. The
 * server draws and reports how far it got; only reports on what was last asked are shown.
 */

import { el } from '../../base/dom.js';
import { mountProof } from './draw-proof.js';
import { createResult } from './draw-finding.js';
import { comparable } from './finding.js';
import { count } from '../../base/format.js';
import { lawsAt, positionOf } from './here.js';
import { createInquiry } from '../../page/inquiry.js';
import { momentOf } from '../../trace/moment.js';
import { createQuestion } from './question.js';
import { words } from './words.js';

/**
 * port: { prove(question), leave(ask), proofs: what may be asked }. { node, look(story, at, slot), hear(text), open(),
 * drop(), broke() }: look says which beat and slot are on stage, hear takes the text of a "proof" remark, open clears the table
 * for another run, drop stops asking, broke hears that the engine did.
 */
export function createLosslessness({ prove, leave, proofs }) {
  const inquiry = createInquiry(prove, leave, Math.random().toString(36).slice(2));
  const question = createQuestion(proofs, {
    draw,
    compare: () => ask({ whole: true }, words.finding.equality.asked),
    cancel: () => drop(words.finding.cancelled),
    why,
  });
  const result = createResult();
  const account = el('div', { 'data-sv': 'card', 'data-card': 'proof' });
  const proof = mountProof(account);
  const node = el('div', { 'data-sv': 'losslessness' }, question.node, result.node, account);
  let trace = null;
  let here = 0;

  function ask(what, text) {
    if (!trace) return;
    inquiry.want({ run: trace.run, ...what });
    question.busy(text, null);
    result.stale();
  }

  function draw() {
    const { place, ...what } = question.read();
    ask({ position: place === 'here' ? here : 0, ...what }, words.finding.waiting);
  }

  /** Scrolls to the proof, but not the page where the tab scrolls by itself. */
  function why() {
    if (node.scrollHeight > node.clientHeight) node.scrollTop = account.offsetTop - question.node.offsetTop;
    else account.scrollIntoView();
  }

  function drop(text) {
    inquiry.drop();
    question.idle(text);
  }

  return {
    node,
    look(story, at, slot) {
      const beat = story.beats[at];
      trace = story.trace;
      here = positionOf(story, beat.round, slot);
      question.here(here);
      question.comparable(comparable(trace.info.config));
      if (trace.file) question.idle(words.finding.refused(words.file.unanswerable));
      proof.show(lawsAt(trace.rounds[beat.round], momentOf(trace, beat), slot));
    },
    hear(text) {
      const report = inquiry.hear(JSON.parse(text));
      if (!report) return;
      const { done, of, error, finding, equality } = report;
      if (done !== undefined) {
        question.busy(words.finding.done(count(done), count(of)), done / of);
        return;
      }
      question.idle(error === undefined ? '' : words.finding.refused(error));
      if (finding) result.finding(finding, trace.info.config, question.bug(finding.bug));
      if (equality) result.equality(equality);
    },
    open() {
      drop('');
      result.clear();
    },
    drop: () => drop(''),
    broke() {
      if (inquiry.drop()) question.idle(words.finding.broke);
    },
  };
}

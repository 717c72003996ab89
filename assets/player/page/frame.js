/**
 * frame.js: the parts of the page around the stage: who guesses and who decides, what the run on stage is, where refusals
 * are said, the panel of a round and the foot.
 */

import { el, set, write } from '../base/dom.js';
import { clean } from '../base/format.js';
import { words } from './words.js';

/** Fills root. Returns { head, who, pill, ahead, meanwhile, refusal, round, foot, name(info) }. */
export function createFrame(root) {
  const part = (name, tag = 'div', attributes = {}, ...children) => el(tag, { 'data-sv': name, ...attributes }, ...children);
  const [draft, target] = ['draft', 'target'].map((who) => el('span', { 'data-who': who }, el('b', {}, words.who[who]), ' ', el('span')));
  const parts = {
    pill: part('pill', 'span', { role: 'status' }),
    ahead: part('ahead', 'span', { hidden: true }),
    meanwhile: part('meanwhile', 'button', { type: 'button', hidden: true }, words.meanwhile),
    refusal: part('refusal', 'div', { role: 'alert', hidden: true }),
    round: part('round'),
    foot: part('foot'),
  };
  parts.who = part('who', 'div', {}, draft, target, parts.pill, parts.ahead, parts.meanwhile);
  parts.head = part('head', 'header', {}, parts.who);
  root.replaceChildren(parts.head, parts.refusal, parts.round, parts.foot);
  return {
    ...parts,
    /** Names the two models of the run on stage. */
    name(info) {
      write(draft.lastElementChild, clean(info.draft));
      write(target.lastElementChild, clean(info.target));
      set(draft, { title: info.draft });
      set(target, { title: info.target });
    },
  };
}

/**
 * conversation.js: has the next prompt follow on the run on stage, or begin a conversation. It is beside what is
 * said of that run, and is there only where the pair that runs are made with chats.
 */

import { button, el, set, write } from '../base/dom.js';
import { turnsOf } from '../trace/turns.js';
import { words } from '../words/words.js';
import { focusPrompt } from './gradio.js';
import { byId, earlierNow, fieldOf, follow, heedChat, isNext, writePrompt } from './widgets.js';

const texts = words.conversation;

/** Puts it before a node. trace(): that of the run on stage. Returns { show() }, for when something else is there. */
export function createConversation(before, trace) {
  const turn = el('span');
  const go = button({ title: texts.goTitle }, () => next(said()), texts.go);
  const fresh = button({ title: texts.freshTitle }, () => next([]), texts.fresh);
  const node = el('span', { 'data-sv': 'conversation', hidden: true }, turn, go, fresh);
  before.before(node);

  /** The turns that a prompt could follow on. */
  function said() {
    const shown = trace();
    return shown && isNext(shown.info.config) ? turnsOf(shown) : null;
  }

  /** Has the next prompt follow on these turns; a prompt that was one of them is not asked again. */
  function next(turns) {
    follow(turns);
    if (turns.length) writePrompt('');
    show();
    focusPrompt();
  }

  function show() {
    const [now, next] = [earlierNow(), said()];
    const open = next !== null && JSON.stringify(next) !== JSON.stringify(now);
    write(turn, now.length ? texts.turn({ turn: now.length / 2 + 1 }) : '');
    set(fieldOf('prompt'), { placeholder: now.length > 0 && texts.ask });
    set(turn, { hidden: !now.length });
    set(fresh, { hidden: !now.length });
    set(go, { hidden: !open });
    set(node, { hidden: !open && !now.length });
  }

  byId('sv-drawer').addEventListener('change', () => {
    heedChat();
    show();
  });
  return { show };
}

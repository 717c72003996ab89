/**
 * conversation.js: has the next prompt follow on the run on stage, or begin a conversation. It is beside what is
 * said of that run, and is there only where the pair that runs are made with chats.
 */

import { button, el, set, write } from '../base/dom.js';
import { turnsOf } from '../trace/turns.js';
import { words } from '../words/words.js';
import { focusPrompt } from './gradio.js';
import { byId, chats, earlierNow, follow, heedChat, pairNow, writePrompt } from './widgets.js';

const texts = words.conversation;

/** Puts it before a node. trace(): that of the run on stage. Returns { show() }, for when something else is there. */
export function createConversation(before, trace) {
  const turn = el('span');
  const go = button({ title: texts.goTitle }, goOn, texts.go);
  const fresh = button({ title: texts.freshTitle }, begin, texts.fresh);
  const node = el('span', { 'data-sv': 'conversation', hidden: true }, turn, go, fresh);
  before.before(node);

  /** The turns that a prompt could follow on. */
  function said() {
    const shown = trace();
    return shown && chats() && shown.info.config.pair === pairNow() ? turnsOf(shown) : null;
  }

  function goOn() {
    follow(said());
    writePrompt('');
    show();
    focusPrompt();
  }

  function begin() {
    follow([]);
    show();
    focusPrompt();
  }

  function show() {
    const [now, next] = [earlierNow(), said()];
    const open = next !== null && JSON.stringify(next) !== JSON.stringify(now);
    write(turn, now.length ? texts.turn({ turn: now.length / 2 + 1 }) : '');
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

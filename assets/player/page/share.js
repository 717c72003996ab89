/**
 * share.js: the menu that keeps the run on stage: its trace as a file, and a file of somebody else's.
 */

import { el, write } from '../base/dom.js';
import { createMenu } from './menu.js';
import { words } from './words.js';

const texts = words.share;

/** save(run) is the trace as JSON, by promise; open() asks for a file; trace() is the one on stage. { toggle(), close() }. */
export function createShare(root, { save, open, trace }) {
  const item = (name, act) => {
    const [title, note] = texts[name];
    const node = el('button', { type: 'button', role: 'menuitem', 'data-share': name }, el('b', {}, title), el('small', {}, note));
    node.addEventListener('click', act);
    return node;
  };
  const said = el('p', { role: 'status' });
  const menu = createMenu(root, el('div', { 'data-sv': 'share', 'aria-label': texts.label }, item('download', download), item('open', () => {
    menu.close();
    open();
  }), said), () => document.getElementById('sv-share'));

  async function download() {
    const shown = trace();
    if (!shown) return write(said, texts.none);
    write(said, texts.waiting);
    const text = await save(shown.run).catch(() => null);
    if (!text) return write(said, texts.failed);
    const { prompt, drafter } = shown.info.config;
    const name = `specviz-${drafter}-${prompt.slice(0, 24).replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').toLowerCase() || 'run'}.json`;
    const link = el('a', { href: URL.createObjectURL(new Blob([text], { type: 'application/json' })), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
    return write(said, texts.done(name));
  }

  return {
    close: menu.close,
    toggle() {
      write(said, '');
      menu.toggle();
    },
  };
}

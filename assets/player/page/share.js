/**
 * share.js: the menu that keeps the run on stage: its trace as a file, and a file of somebody else's.
 */

import { el, set, write } from '../base/dom.js';
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
  const menu = el('div', { 'data-sv': 'share', role: 'menu', 'aria-label': texts.label, hidden: true }, item('download', download), item('open', () => {
    close();
    open();
  }), said);
  root.append(menu);
  const opener = () => document.getElementById('sv-share');
  menu.addEventListener('keydown', (event) => {
    const items = [...menu.querySelectorAll('button')];
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    else if (way) items[(items.indexOf(document.activeElement) + way + items.length) % items.length].focus();
    else if (event.key !== 'Tab' && event.key !== 'Enter' && event.key !== ' ') return;
    event.stopPropagation();
    if (event.key === 'Tab') close();
    if (way) event.preventDefault();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!menu.hidden && !menu.contains(target) && !opener().contains(target)) close(false);
  });

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

  function close(back = true) {
    if (menu.hidden) return false;
    set(menu, { hidden: true });
    set(opener(), { 'aria-expanded': 'false' });
    if (back) opener().focus();
    return true;
  }

  return {
    close,
    toggle() {
      if (close()) return;
      write(said, '');
      set(menu, { hidden: false });
      set(opener(), { 'aria-expanded': 'true' });
      menu.querySelector('button').focus();
    },
  };
}

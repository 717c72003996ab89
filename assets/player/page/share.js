/**
 * share.js: the menu that hands on the run on stage: a link to it, its trace as a file, and a file of somebody else's.
 */

import { el, set, write } from '../base/dom.js';
import { createMenu } from './menu.js';
import { words } from './words.js';

const texts = words.share;

/** link() is the address of what is on stage and save(run) a trace as JSON, by promise; open() asks for a file; trace() is the one on stage. { toggle(), close() }. */
export function createShare(root, { link, save, open, trace }) {
  const item = (name, act) => {
    const [title, note] = texts[name];
    const node = el('button', { type: 'button', role: 'menuitem', 'data-share': name }, el('b', {}, title), el('small', {}, note));
    node.addEventListener('click', act);
    return node;
  };
  const said = el('p', { role: 'status' });
  const address = el('input', { readonly: true, hidden: true, 'aria-label': texts.byHand });
  const menu = createMenu(root, el('div', { 'data-sv': 'share', 'aria-label': texts.label }, item('link', copyLink), item('download', download), item('open', () => {
    menu.close();
    open();
  }), said, address), () => document.getElementById('sv-share'));

  async function copyLink() {
    if (!trace()) return write(said, texts.none);
    const text = await link();
    const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    write(said, copied ? texts.copied : texts.byHand);
    if (copied) return set(address, { hidden: true });
    address.value = text; // over plain HTTP there is no clipboard
    set(address, { hidden: false });
    address.focus();
    return address.select();
  }

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
      set(address, { hidden: true });
      menu.toggle();
    },
  };
}

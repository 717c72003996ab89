/**
 * reader.js: the whole text so far over the page, to be read and copied.
 */

import { button, el, toClipboard, write } from '../../base/dom.js';
import { drawText, textParts } from '../draw/draw-text.js';
import { textOf } from '../round/text.js';
import { words } from '../words.js';

/** { open(ribbon) }: the text of a scene. */
export function createReader(root) {
  const says = words.result;
  const text = textParts();
  const copy = button({ 'data-primary': '' }, copyAll, says.copy);
  const closing = button({}, () => dialog.close(), words.close);
  const dialog = el(
    'dialog',
    { 'data-sv': 'reader', 'aria-label': says.label },
    el('header', {}, el('h2', {}, says.label), copy, closing),
    text.node,
  );
  root.append(dialog);

  async function copyAll() {
    const copied = await toClipboard(text.prompt.textContent + text.made.textContent);
    write(copy, copied ? says.copied : says.byHand);
    if (!copied) getSelection().selectAllChildren(text.node);
  }

  return {
    open({ text: shown, upto, fresh, end }) {
      drawText(text, textOf([...shown.slice(0, upto), ...fresh]), end);
      write(copy, says.copy);
      dialog.showModal();
    },
  };
}

/**
 * lesson.js: what a class needs of the run on stage, in a dialog: a link that asks, locks or leaves out, as
 * a QR code too; a worksheet to print; a second screen that follows this one.
 */

import { el, set, svg, toClipboard, write } from '../base/dom.js';
import { qr } from '../base/qr.js';
import { words } from '../words/words.js';

const texts = words.lesson;
/** Light modules around a code. */
const QUIET = 4;
/** Names of a computer for itself. */
const LOCAL = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;

/**
 * link({ quiz, hide }): a promise of an address without the run itself, where there is one; print(): prints
 * a worksheet, and returns why not; second(): opens a second screen, where there can be one. { open() }.
 */
export function createLesson(root, { link, print, second }) {
  const close = el('button', { type: 'button' }, words.help.close);
  const quiz = el(
    'select',
    {},
    ...Object.entries(texts.asks).map(([value, text]) => el('option', { value }, text)),
  );
  const boxes = Object.entries(texts.hides).map(([name, text]) => [
    name,
    el('input', { type: 'checkbox' }),
    text,
  ]);
  const code = el('div', { 'data-sv': 'lesson-code' });
  const address = el('textarea', { readonly: true, rows: 3, 'aria-label': texts.address });
  const said = el('p', { role: 'status' });
  const local = el('p', { 'data-sv': 'lesson-local', hidden: true }, texts.local);
  const button = (text, act) => {
    const node = el('button', { type: 'button' }, text);
    node.addEventListener('click', act);
    return node;
  };
  const copying = button(texts.copy, async () => {
    address.select();
    write(said, (await toClipboard(address.value)) ? words.share.copied : texts.byHand);
  });
  const choices = el(
    'div',
    { 'data-sv': 'lesson-choices' },
    el('label', {}, texts.opens, quiz),
    ...boxes.map(([, box, text]) => el('label', {}, box, text)),
    address,
    local,
    el('div', { 'data-sv': 'lesson-acts' }, copying),
  );
  const dialog = el(
    'dialog',
    { 'data-sv': 'lesson', 'aria-label': texts.title },
    el('div', { 'data-sv': 'help-head' }, el('h2', {}, texts.title), close),
    el('div', { 'data-sv': 'lesson-parts', hidden: !link }, code, choices),
    el(
      'div',
      { 'data-sv': 'lesson-acts' },
      button(texts.print, () => write(said, print())),
      ...(second ? [button(texts.second, second)] : []),
    ),
    said,
  );
  root.append(dialog);
  close.addEventListener('click', () => dialog.close());
  choices.addEventListener('change', draw);

  async function draw() {
    if (!link) return;
    const hide = boxes.filter(([, box]) => box.checked).map(([name]) => name);
    address.value = await link({ hide, quiz: quiz.value === 'place' ? undefined : quiz.value });
    set(local, { hidden: !LOCAL.test(new URL(address.value).hostname) });
    const rows = qr(address.value);
    code.replaceChildren(rows ? picture(rows) : el('p', {}, texts.long));
    set(code, { role: rows ? 'img' : null, 'aria-label': rows ? texts.code : null });
  }

  return {
    open() {
      write(said, '');
      dialog.showModal();
      draw();
    },
  };
}

/** A code as a drawing, dark on light whatever the theme, as readers want it. */
function picture(rows) {
  const size = rows.length + 2 * QUIET;
  const dark = rows
    .map((row, y) => row.map((cell, x) => (cell ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')).join(''))
    .join('');
  return svg(
    'svg',
    { viewBox: `0 0 ${size} ${size}`, 'shape-rendering': 'crispEdges' },
    svg('path', { d: `M0 0h${size}v${size}h-${size}z`, fill: '#fff' }),
    svg('path', { d: dark, fill: '#000' }),
  );
}

/**
 * lesson.js: what a class needs of the run on stage, in a dialog: a link that asks, locks or leaves out, as
 * a QR code too; Present; a second screen that follows this one; a frame for another page.
 */

import { button, el, quoted, set, svg, toClipboard, write } from '../base/dom.js';
import { qr } from '../base/qr.js';
import { createDialog } from './panels.js';
import { words } from '../words/words.js';

const texts = words.lesson;
/** Light modules around a code. */
const QUIET = 4;
/** Names of a computer for itself. */
const LOCAL = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;

/**
 * link({ quiz, hide, embed }): a promise of an address without the run itself, where there is one; present();
 * second(): opens a second screen, where there can be one.
 * @returns {{open: () => void}}
 */
export function createLesson(root, { link, present, second }) {
  const said = el('p', { role: 'status' });
  const { node, draw } = createLink(said, link);
  const embed = async () => {
    const copied = await toClipboard(frameOf(await link({ embed: true })));
    write(said, copied ? texts.embedded : texts.byHand);
  };
  const acts = [
    button({}, () => [dialog.close(), present()], texts.present),
    ...(second ? [button({}, second, texts.second)] : []),
    ...(link ? [button({}, embed, texts.embed)] : []),
  ];
  const parts = [...(link ? [node] : []), el('div', { 'data-sv': 'lesson-acts' }, ...acts), said];
  const dialog = createDialog('lesson', texts.title, ...parts);
  root.append(dialog);
  return {
    open() {
      write(said, '');
      dialog.showModal();
      if (link) draw();
    },
  };
}

/** The link, what it opens and leaves out, and its code. */
function createLink(said, link) {
  const option = ([value, text]) => el('option', { value }, text);
  const quiz = el('select', {}, ...Object.entries(texts.asks).map(option));
  const boxes = Object.keys(texts.hides).map((name) => [name, el('input', { type: 'checkbox' })]);
  const code = el('div', { 'data-sv': 'lesson-code' });
  const address = el('textarea', { readonly: true, rows: 3, 'aria-label': texts.address });
  const local = el('p', { 'data-sv': 'lesson-local', hidden: true }, texts.local);
  const copy = async () => {
    address.select();
    write(said, (await toClipboard(address.value)) ? words.share.copied : texts.byHand);
  };
  const choices = el(
    'div',
    { 'data-sv': 'lesson-choices' },
    el('label', {}, texts.opens, quiz),
    ...boxes.map(([name, box]) => el('label', {}, box, texts.hides[name])),
    address,
    local,
    el('div', { 'data-sv': 'lesson-acts' }, button({}, copy, texts.copy)),
  );
  choices.addEventListener('change', draw);

  async function draw() {
    const hide = boxes.filter(([, box]) => box.checked).map(([name]) => name);
    address.value = await link({ hide, quiz: quiz.value === 'place' ? undefined : quiz.value });
    set(local, { hidden: !LOCAL.test(new URL(address.value).hostname) });
    const rows = qr(address.value);
    code.replaceChildren(rows ? picture(rows) : el('p', {}, texts.long));
    set(code, { role: rows ? 'img' : null, 'aria-label': rows ? texts.code : null });
  }

  return { node: el('div', { 'data-sv': 'lesson-parts' }, code, choices), draw };
}

/** A frame that shows the round alone. */
function frameOf(address) {
  return `<iframe src="${quoted(address)}" title="specviz" style="width: 100%; height: 640px; border: 0"></iframe>`;
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

/**
 * panels.js: what opens over the stage: the card that says why, and the help. Esc closes either and gives
 * the focus back.
 */

import { button, el, set, toClipboard, write } from '../base/dom.js';
import { words } from '../words/words.js';

/** Pixels from the stage's top where there is no scene in sight. */
const TOP = 60;

/** A dialog of the browser's own, with its title and a button that closes it. */
export function createDialog(name, title, ...children) {
  const closing = button({}, () => dialog.close(), words.close);
  const dialog = el(
    'dialog',
    { 'data-sv': name, 'aria-label': title },
    el('div', { 'data-sv': 'help-head' }, el('h2', {}, title), closing),
    ...children,
  );
  return dialog;
}

/**
 * The why-card, which opens where the panes do, beside what it explains. showToken(at) is asked to show a
 * token in the figure; redraw() hears that the stage has become narrower or wider.
 * @returns {{why: (card, anchor) => void, close: () => boolean}}
 * close: whether there was one to close
 */
export function createCard(root, showToken, redraw) {
  let [opener, at] = [null, null];
  const text = [el('h2'), el('p', { 'data-sv': 'why-line' }), el('p'), el('p', { 'data-sv': 'why-source' })];
  const chip = el('span', { 'data-sv': 'chip', dir: 'ltr' });
  const act = (name, run, text = words.card[name]) => button({ 'data-sv': `why-${name}` }, run, text);
  const show = act('show', () => {
    close();
    showToken(at);
  });
  const copying = act('copy', async () => (await copied(text)) && write(copying, words.card.copied));
  const buttons = el('div', { 'data-sv': 'why-buttons' }, show, copying, act('close', close, words.close));
  const look = { 'data-sv': 'why', role: 'dialog', tabindex: -1, hidden: true };
  const node = el('div', look, chip, ...text, buttons);
  root.append(node);
  node.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') close();
  });

  function close() {
    if (node.hidden) return false;
    set(node, { hidden: true });
    set(root, { 'data-why': null });
    redraw();
    opener?.focus();
    return true;
  }

  function open(heading, { token, state, at: place, line, sentence, source }, anchor) {
    [opener, at] = [anchor, place];
    write(chip, token ?? '');
    set(chip, { 'data-look': token === null ? 'empty' : state });
    text.forEach((part, index) => say(part, [heading, line, sentence, source][index]));
    write(copying, words.card.copy);
    set(show, { hidden: !at });
    set(node, { 'aria-label': heading, hidden: false, style: `--top: ${topOf(root)}px` });
    set(root, { 'data-why': true });
    redraw();
    node.focus();
  }

  return {
    why: (card, anchor) =>
      open(card.token === null ? words.card.empty : words.card.title(card), card, anchor),
    close,
  };
}

/** True if a text in parts is on the clipboard; else it is selected, to be copied by hand. */
async function copied(parts) {
  const said = parts.map(({ textContent }) => textContent).filter(Boolean);
  const isThere = await toClipboard(said.join('\n'));
  const [first, last] = [parts[0], parts.at(-1)];
  if (!isThere) getSelection().setBaseAndExtent(first, 0, last, last.childNodes.length);
  return isThere;
}

function say(part, said) {
  write(part, said);
  set(part, { hidden: !said });
}

function topOf(root) {
  const scene = root.querySelector('[data-sv="scene"]');
  if (!scene.checkVisibility()) return TOP;
  return scene.getBoundingClientRect().top - root.getBoundingClientRect().top;
}

/**
 * The help: states and keys. more: what leads on from it.
 * @returns {{open: () => void, letters: () => boolean}} letters: whether letter keys act
 */
export function createHelp(root, ...more) {
  const { help } = words;
  const terms = ([{ text: term }, says]) => [el('dt', {}, term), el('dd', {}, says)];
  const states = Object.entries(words.states).map(([state, word]) =>
    el('span', { 'data-sv': 'chip', 'data-look': state }, word),
  );
  const letters = el('input', { type: 'checkbox', checked: true });
  const dialog = createDialog(
    'help',
    help.title,
    ...more,
    el('p', {}, help.states),
    el('div', { 'data-sv': 'help-states' }, ...states),
    el('p', {}, help.note),
    el('label', { 'data-sv': 'letters' }, letters, help.letters),
    el('dl', { 'data-sv': 'keys' }, ...help.keys.flatMap(terms)),
  );
  root.append(dialog);
  more.forEach((link) => link.addEventListener('click', () => dialog.close()));
  return { open: () => dialog.showModal(), letters: () => letters.checked };
}

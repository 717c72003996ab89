/**
 * panels.js: the help, which opens over the stage, and dialogs like it.
 */

import { button, el } from '../base/dom.js';
import { words } from '../words/words.js';

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

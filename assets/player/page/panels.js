/**
 * panels.js: what opens over the stage: the card that says why, and the help. Esc closes either and gives the focus back.
 */

import { copy } from './gradio.js';
import { el, set, write } from '../base/dom.js';
import { words } from './words.js';
import { STATES } from '../base/words.js';

/** The why-card: { why(card, anchor), topic(name, anchor), close() }, the last saying whether there was one to close. onShow(at) is asked to show a token in the figure. */
export function createCard(root, onShow) {
  const [title, chip, line, sentence, source] = [el('h2'), el('span', { 'data-sv': 'chip', dir: 'ltr' }), el('p', { 'data-sv': 'why-line' }), el('p'), el('p', { 'data-sv': 'why-source' })];
  const button = (name) => el('button', { type: 'button', 'data-sv': `why-${name}` }, words.why[name]);
  const [show, copying, closing] = ['show', 'copy', 'close'].map(button);
  const node = el('div', { 'data-sv': 'why', role: 'dialog', tabindex: -1, hidden: true }, chip, title, line, sentence, source, el('div', { 'data-sv': 'why-buttons' }, show, copying, closing));
  let opener = null;
  let at = null;
  root.append(node);
  const close = () => {
    if (node.hidden) return false;
    set(node, { hidden: true });
    opener?.focus();
    return true;
  };
  closing.addEventListener('click', close);
  show.addEventListener('click', () => {
    close();
    onShow(at);
  });
  copying.addEventListener('click', () => copy([title, line, sentence, source].map(({ textContent }) => textContent).filter(Boolean).join('\n'), copying, words.why.copied));
  node.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') close();
  });

  function open(heading, card, anchor) {
    opener = anchor;
    at = card.at;
    write(title, heading);
    write(chip, card.token ?? '');
    set(chip, { 'data-look': card.token === null ? 'empty' : card.state });
    [[line, card.line], [sentence, card.sentence], [source, card.source]].forEach(([place, text]) => {
      write(place, text);
      set(place, { hidden: !text });
    });
    write(copying, words.why.copy);
    set(copying, { hidden: !navigator.clipboard });
    set(show, { hidden: !at });
    set(node, { 'aria-label': heading, hidden: false });
    const [box, home, size] = [anchor.getBoundingClientRect(), root.getBoundingClientRect(), node.getBoundingClientRect()];
    const left = Math.max(8, Math.min(box.left - home.left, home.width - size.width - 8));
    const below = box.bottom - home.top + 8;
    const top = below + size.height < home.height ? below : Math.max(8, box.top - home.top - size.height - 8);
    set(node, { style: `left: ${left}px; top: ${top}px` });
    node.focus();
  }

  return {
    why: (card, anchor) => open(words.why.title(card.token, card.word), card, anchor),
    topic: (name, anchor) => open(words.topics[name][0], { token: null, state: 'empty', line: '', sentence: words.topics[name][1], source: '', at: null }, anchor),
    close,
  };
}

/** The help: states, keys and the questions people ask, in a dialog of the browser's own. letters(): whether they act. */
export function createHelp(root) {
  const { help } = words;
  const states = Object.entries(STATES).map(([state, word]) => el('span', { 'data-sv': 'chip', 'data-look': state }, word));
  const keys = help.keys.flatMap(([name, what]) => [el('dt', {}, name), el('dd', {}, what)]);
  const questions = Object.values(words.topics).flatMap(([asked, answer]) => [el('dt', {}, asked), el('dd', {}, answer)]);
  const closing = el('button', { type: 'button' }, help.close);
  const letters = el('input', { type: 'checkbox', checked: true });
  const dialog = el('dialog', { 'data-sv': 'help', 'aria-label': help.title }, el('div', { 'data-sv': 'help-head' }, el('h2', {}, help.title), closing),
    el('p', {}, help.states), el('div', { 'data-sv': 'help-states' }, ...states), el('p', {}, help.note), el('label', { 'data-sv': 'letters' }, letters, help.letters), el('dl', { 'data-sv': 'keys' }, ...keys),
    el('h2', {}, help.questions), el('dl', { 'data-sv': 'questions' }, ...questions));
  closing.addEventListener('click', () => dialog.close());
  root.append(dialog);
  return { open: () => dialog.showModal(), letters: () => letters.checked };
}

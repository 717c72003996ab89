/**
 * panels.js: what opens over the stage: the card that says why, and the help. Esc closes either and gives
 * the focus back.
 */

import { el, set, toClipboard, write } from '../base/dom.js';
import { words } from '../words/words.js';

/**
 * The why-card, which stands where the panes do, beside what it explains: { why(card, anchor), topic(name,
 * anchor), close() }, the last saying whether there was one to close. onShow(at) is asked to show a token
 * in the figure; redraw() hears that the stage has become narrower or wider.
 */
export function createCard(root, onShow, redraw) {
  const [title, chip, line, sentence, source] = [
    el('h2'),
    el('span', { 'data-sv': 'chip', dir: 'ltr' }),
    el('p', { 'data-sv': 'why-line' }),
    el('p'),
    el('p', { 'data-sv': 'why-source' }),
  ];
  const button = (name) => el('button', { type: 'button', 'data-sv': `why-${name}` }, words.card[name]);
  const [show, copying, closing] = ['show', 'copy', 'close'].map(button);
  const node = el(
    'div',
    { 'data-sv': 'why', role: 'dialog', tabindex: -1, hidden: true },
    chip,
    title,
    line,
    sentence,
    source,
    el('div', { 'data-sv': 'why-buttons' }, show, copying, closing),
  );
  let opener = null;
  let at = null;
  root.append(node);
  const close = () => {
    if (node.hidden) return false;
    set(node, { hidden: true });
    set(root, { 'data-why': null });
    redraw();
    opener?.focus();
    return true;
  };
  closing.addEventListener('click', close);
  show.addEventListener('click', () => {
    close();
    onShow(at);
  });
  copying.addEventListener('click', async () => {
    const said = [title, line, sentence, source].map(({ textContent }) => textContent).filter(Boolean);
    if (await toClipboard(said.join('\n'))) write(copying, words.card.copied);
    else getSelection().setBaseAndExtent(title, 0, source, source.childNodes.length); // to be copied by hand
  });
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
    [
      [line, card.line],
      [sentence, card.sentence],
      [source, card.source],
    ].forEach(([place, text]) => {
      write(place, text);
      set(place, { hidden: !text });
    });
    write(copying, words.card.copy);
    set(show, { hidden: !at });
    set(node, { 'aria-label': heading, hidden: false });
    const scene = root.querySelector('[data-sv="scene"]');
    const top = scene.checkVisibility()
      ? scene.getBoundingClientRect().top - root.getBoundingClientRect().top
      : 60;
    set(node, { style: `--top: ${top}px` });
    set(root, { 'data-why': true });
    redraw();
    node.focus();
  }

  return {
    why: (card, anchor) =>
      open(card.token === null ? words.card.empty : words.card.title(card), card, anchor),
    topic: (name, anchor) =>
      open(
        words.topics[name][0],
        { token: null, state: 'empty', line: '', sentence: words.topics[name][1], source: '', at: null },
        anchor,
      ),
    close,
  };
}

/**
 * The help: states, keys and the questions people ask, in a dialog of the browser's own. letters(): whether
 * they act.
 */
export function createHelp(root) {
  const { help } = words;
  const states = Object.entries(words.states).map(([state, word]) =>
    el('span', { 'data-sv': 'chip', 'data-look': state }, word),
  );
  const keys = help.keys.flatMap(([{ text: name }, what]) => [el('dt', {}, name), el('dd', {}, what)]);
  const questions = Object.values(words.topics).flatMap(([{ text: question }, answer]) => [
    el('dt', {}, question),
    el('dd', {}, answer),
  ]);
  const closing = el('button', { type: 'button' }, help.close);
  const letters = el('input', { type: 'checkbox', checked: true });
  const dialog = el(
    'dialog',
    { 'data-sv': 'help', 'aria-label': help.title },
    el('div', { 'data-sv': 'help-head' }, el('h2', {}, help.title), closing),
    el('p', {}, help.states),
    el('div', { 'data-sv': 'help-states' }, ...states),
    el('p', {}, help.note),
    el('label', { 'data-sv': 'letters' }, letters, help.letters),
    el('dl', { 'data-sv': 'keys' }, ...keys),
    el('h2', {}, help.questions),
    el('dl', { 'data-sv': 'questions' }, ...questions),
  );
  closing.addEventListener('click', () => dialog.close());
  root.append(dialog);
  return { open: () => dialog.showModal(), letters: () => letters.checked };
}

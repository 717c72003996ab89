/**
 * card.js: the card of a token, which stands where the panes do, beside what it explains. Esc closes it and gives the
 * focus back.
 */

import { button, el, fill, set, toClipboard, write } from '../../base/dom.js';
import { createEntry, paintEntry } from '../draw/draw-sum.js';
import { writeMaths } from '../draw/draw-words.js';
import { asText } from '../round/why.js';
import { words } from '../words.js';

/** Pixels from the stage's top where there is no scene in sight. */
const TOP = 60;

/**
 * showToken(at) is asked to show a token in the figure; redraw() hears that the stage has become narrower or wider.
 * @returns {{why: (card, anchor) => void, close: () => boolean}}
 * close: whether there was one to close
 */
export function createCard(root, showToken, redraw) {
  let [opener, card] = [null, null];
  const heading = el('h2');
  const says = el('div', { 'data-sv': 'why-says' });
  const terms = el('div', { 'data-sv': 'why-terms' });
  const [note, source] = [el('p'), el('p', { 'data-sv': 'why-source' })];
  const body = el('div', { 'data-sv': 'why-body' }, heading, says, terms, note, source);
  const chip = el('span', { 'data-sv': 'chip', dir: 'ltr' });
  const act = (name, run, text = words.card[name]) => button({ 'data-sv': `why-${name}` }, run, text);
  const show = act('show', () => {
    close();
    showToken(card.at);
  });
  const copying = act('copy', async () => {
    if (await toClipboard(`${heading.textContent}\n${asText(card)}`)) write(copying, words.card.copied);
    else getSelection().selectAllChildren(body); // to be copied by hand
  });
  const buttons = el('div', { 'data-sv': 'why-buttons' }, show, copying, act('close', close, words.close));
  const look = { 'data-sv': 'why', role: 'dialog', tabindex: -1, hidden: true };
  const node = el('div', look, chip, body, buttons);
  root.append(node);
  node.addEventListener('keydown', (event) => {
    const steps = ['Home', 'End', 'ArrowLeft', 'ArrowRight'].includes(event.key); // the stage takes them
    if (!steps) event.stopPropagation();
    if (steps || event.key === 'Escape') close();
  });

  function close() {
    if (node.hidden) return false;
    set(node, { hidden: true });
    terms.replaceChildren();
    set(root, { 'data-why': null });
    redraw();
    opener?.focus();
    return true;
  }

  function open(title, shown, anchor) {
    [opener, card] = [anchor, shown];
    write(chip, card.token ?? '');
    set(chip, { 'data-look': card.token === null ? 'empty' : card.state });
    write(heading, title);
    fill(says, card.says, () => el('p'), writeMaths);
    fill(terms, card.sum, createEntry, paintEntry);
    [note, source].forEach((part, at) => write(part, [card.note, card.source][at]));
    for (const part of [says, terms, note, source]) set(part, { hidden: !part.textContent });
    write(copying, words.card.copy);
    set(show, { hidden: !card.at });
    set(node, { 'aria-label': title, hidden: false, style: `--top: ${topOf(root)}px` });
    set(root, { 'data-why': true });
    redraw();
    node.focus();
  }

  return {
    why: (shown, anchor) =>
      open(shown.token === null ? words.card.empty : words.card.title(shown), shown, anchor),
    close,
  };
}

function topOf(root) {
  const scene = root.querySelector('[data-sv="scene"]');
  if (!scene.checkVisibility()) return TOP;
  return scene.getBoundingClientRect().top - root.getBoundingClientRect().top;
}

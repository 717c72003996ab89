/**
 * examples.js: the recorded runs that show most, a list in the drawer. One that is chosen takes the stage, and
 * every setting is its own.
 */

import { button, el } from '../base/dom.js';
import { putDrawerAway } from './gradio.js';
import { words } from '../words/words.js';

/** Their names, in the order of the list. */
const SHOWN = [
  'tale-small-model',
  'chat-json',
  'chat-code',
  'chat-question',
  'chat-summary',
  'tale-bigram',
  'code-suffix',
  'tale-small-tree',
  'tale-small-model-shared-noise',
  'tale-hybrid',
  'chat-window',
  'digits-small-model',
];

/**
 * shipped: the names of the recorded runs; unread: a line for each that could not be read; given: the names of
 * those that the page was opened with; open(name) puts one on stage.
 */
export function createExamples({ shipped, unread, given }, open) {
  const { title, items } = words.examples;
  const there = SHOWN.filter((name) => shipped.includes(name));
  return el(
    'div',
    { 'data-sv': 'examples', role: 'group', 'aria-label': title },
    el('h3', {}, title),
    ...given.map((name) => createExample(name, [{ text: name }, ''], () => [putDrawerAway(), open(name)])),
    ...there.map((name) => createExample(name, items[name], () => [putDrawerAway(), open(name)])),
    ...unread.map((line) => el('p', {}, line)),
  );
}

function createExample(name, [{ text: title }, shows], act) {
  return button({ 'data-example': name }, act, el('b', {}, title), el('small', {}, shows));
}

/**
 * draw-worksheet.js: a worksheet as two pages to print: the first with blanks, the second with what belongs
 * there.
 */

import { el, portion } from '../../base/dom.js';
import { worksheetOf } from './worksheet.js';
import { words } from '../words.js';
import { tell } from '../../words/words.js';

const says = words.sheet;

/** Prints the worksheet of a round; returns why not, '' if it does. */
export function printWorksheet(story, round) {
  const sheet = worksheetOf(story, round);
  if (!sheet) return says.none;
  const { draft, target, recorded } = story.trace.info;
  const foot = says.foot({ target: tell(target), draft: tell(draft), recorded: recorded.slice(0, 10) });
  const node = el(
    'div',
    { 'data-sv': 'sheet' },
    createPage(sheet, foot, false),
    createPage(sheet, foot, true),
  );
  document.querySelector('[data-sv="sheet"]')?.remove();
  document.body.append(node);
  window.addEventListener('afterprint', () => node.remove(), { once: true });
  window.print();
  return '';
}

/** One page; solved: with the answers. */
function createPage({ about, guesses, parts }, foot, solved) {
  const head = el(
    'header',
    {},
    el('h1', {}, solved ? says.answers : says.title),
    el('p', {}, about),
    ...(solved ? [] : [el('p', {}, `${says.name} `, blank('wide'))]),
  );
  const sections = parts.flatMap(({ title, text, items }, at) => [
    el('h2', {}, `${at + 1}  ${title}`),
    ...(text ? [el('p', {}, text)] : []),
    ...(at === 0
      ? [el('div', { class: 's-sheet-guesses' }, ...guesses.map((guess) => createGuess(guess, solved)))]
      : []),
    ...(items.length
      ? [
          el(
            'ol',
            {},
            ...items.map(([question, answer]) =>
              el(
                'li',
                {},
                question,
                ' ',
                solved ? el('b', {}, answer) : blank(answer.length > 20 ? 'lines' : ''),
              ),
            ),
          ),
        ]
      : []),
  ]);
  return el('section', {}, head, ...sections, el('footer', {}, foot));
}

/** A guess: what is given, a bar from 0 to 1, and what to fill in. */
function createGuess({ text, given, blank: open, mark, u }, solved) {
  const at = (share, name) =>
    solved && share !== null ? [el('i', { class: `s-sheet-${name}`, style: `left: ${portion(share)}` })] : [];
  return el(
    'div',
    {},
    el('b', { dir: 'ltr' }, words.quoted({ token: text })),
    ...given.map((line) => el('span', {}, line)),
    el('div', { class: 's-sheet-bar' }, ...at(mark, 'mark'), ...at(u, 'u')),
    ...open.map(([label, answer]) =>
      el('span', {}, says.blank({ label }), solved ? el('b', {}, answer) : blank('')),
    ),
  );
}

function blank(kind) {
  return el('span', { class: 's-sheet-blank', 'data-kind': kind || null });
}

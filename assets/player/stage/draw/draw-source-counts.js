/**
 * draw-source-counts.js: the tables that guesses were counted in, a row a follower, or a row a context.
 */

import { el, fill, portion, set, write } from '../../base/dom.js';
import { writeToken } from './draw-words.js';

/** A place for rows, and a text below them. { rows }. */
export function listed({ node, made }, tag, name, text) {
  if (!made.rows) node.append((made.rows = el(tag, { 'data-sv': name })), (made.text = el('p')));
  write(made.text, text);
  return made;
}

/** What followed the last token, and how often. */
export function drawPairs(home, { rows, others }) {
  const made = listed(home, 'ol', 'counted', others);
  fill(
    made.rows,
    rows,
    () => el('li', {}, el('i'), el('span', { dir: 'ltr' }), el('span', {}, el('i')), el('b')),
    ({ children: [mark, token, bar, times] }, { text, times: many, share, guess }) => {
      set(mark, { hidden: !guess, 'data-late': guess });
      writeToken(token, text);
      set(bar.firstElementChild, { style: `width: ${portion(share)}` });
      write(times, many);
    },
  );
}

/** The contexts, the longest first: what followed each, and how much of q it supplies. */
export function drawPhrases(home, { rows, rest }) {
  const made = listed(home, 'ol', 'contexts', rest);
  fill(
    made.rows,
    rows,
    () => el('li', {}, el('div'), el('span'), el('div'), el('span', {}, el('i')), el('b')),
    (row, { context, known, says, share, percent, followers, main }) => {
      const [tokens, seen, after, bar, part] = row.children;
      set(row, { 'data-known': known, 'data-main': Boolean(main) });
      fill(tokens, context, () => el('span', { dir: 'ltr' }), writeToken);
      write(seen, says);
      fill(
        after,
        followers,
        () => el('span', {}, el('i'), el('span', { dir: 'ltr' }), el('b')),
        ({ children: [mark, token, times] }, item) => {
          set(mark, { hidden: !item.guess, 'data-late': item.guess });
          writeToken(token, item.text);
          write(times, item.times);
        },
      );
      set(bar, { hidden: !known });
      set(bar.firstElementChild, { style: `width: ${portion(share)}` });
      write(part, percent);
    },
  );
}

/**
 * draw-source-models.js: the models that guesses come from: layers beside layers, a ladder with an exit,
 * weights on two rulers, what updates moved, and who guessed for whom.
 */

import { el, fill, portion, set, svg, write } from '../../base/dom.js';
import { listed } from './draw-source-counts.js';
import { writeToken } from './draw-words.js';

/** A block for each layer of the small model, and of the target. */
export function drawLayers({ node, made }, { rows }) {
  if (!made.rows) {
    made.rows = el('div', { 'data-sv': 'stacks' });
    node.append(made.rows);
  }
  const most = Math.max(...rows.map(({ layers }) => layers));
  fill(
    made.rows,
    rows,
    () => el('div', {}, el('b'), el('div', { 'aria-hidden': 'true' }), el('span'), el('span')),
    (row, { kind, name, layers, says, ms }) => {
      const [label, blocks, about, time] = row.children;
      set(row, { 'data-kind': kind });
      write(label, name);
      set(blocks, { style: `--layers: ${most}` });
      fill(
        blocks,
        Array.from({ length: layers }),
        () => el('i'),
        () => {},
      );
      write(about, says);
      write(time, ms);
    },
  );
}

/** The layers from left to right as rungs; the guess hangs on the one it was read at. */
export function drawLadder({ node, made }, { layers, read, whole, guess, reads, goes }) {
  if (!made.rungs) {
    made.rungs = el('div', { 'data-sv': 'ladder', 'aria-hidden': 'true' });
    made.chip = el('b', { 'data-sv': 'ladder-guess', 'data-late': '', dir: 'ltr' });
    made.reads = el('p', { 'data-kind': 'draft' });
    made.goes = el('p', { 'data-kind': 'target' });
    made.under = el('div', { 'data-sv': 'ladder-under' }, made.reads, made.goes);
    node.append(made.rungs, made.under);
    made.exit = el('div', { 'data-sv': 'ladder-exit', 'aria-hidden': 'true' }, el('i'), made.chip);
  }
  fill(
    made.rungs,
    Array.from({ length: layers }, (_, at) => at + 1),
    () => el('span', {}, el('i')),
    (rung, number) => {
      const part = number <= read ? 'draft' : 'target';
      set(rung, { 'data-kind': part, 'data-again': whole && part === 'draft', 'data-read': number === read });
      set(rung.firstElementChild, { 'data-number': number });
    },
  );
  const at = made.rungs.children[read - 1];
  if (made.exit.parentElement !== at) at.append(made.exit);
  writeToken(made.chip, guess);
  write(made.reads, reads);
  write(made.goes, goes);
}

/** Height of the picture of two rulers, and where their lines lie. */
const HIGH = 100;
const [FULL, EIGHT] = [24, 76];

/** Each weight on a ruler without marks, and the mark of the other ruler that it goes to. */
export function drawRulers({ node, made }, { full, eight, edge, pairs, says }) {
  if (!made.picture) {
    made.picture = svg('svg', { 'aria-hidden': 'true', preserveAspectRatio: 'none', 'data-late': '' });
    made.names = el('div', { 'data-sv': 'rulers-names' }, el('span'), el('span'));
    made.says = el('p');
    node.append(el('div', { 'data-sv': 'rulers' }, made.names, made.picture), made.says);
  }
  write(made.says, says);
  [full, eight].forEach((text, at) => write(made.names.children[at], text));
  set(made.picture, { viewBox: `${-edge} 0 ${2 * edge} ${HIGH}` });
  const marks = Array.from({ length: 2 * Math.floor(edge) + 1 }, (_, at) => at - Math.floor(edge));
  const paths = [
    ['full', `M${-edge} ${FULL}H${edge}`],
    ['eight', `M${-edge} ${EIGHT}H${edge}`],
    ['mark', marks.map((at) => `M${at} ${EIGHT}v14`).join('')],
    ['goes', pairs.map(([exact, step]) => `M${exact} ${FULL}L${step} ${EIGHT}`).join('')],
    ['weight', pairs.map(([exact]) => `M${exact} ${FULL - 14}v14`).join('')],
    ['rounded', pairs.map(([, step]) => `M${step} ${EIGHT}v14`).join('')],
  ];
  fill(
    made.picture,
    paths,
    () => svg('path', { 'vector-effect': 'non-scaling-stroke' }),
    (path, [kind, d]) => set(path, { 'data-kind': kind, d }),
  );
}

/** For each of the last updates: q before, q after, and p, which it was moved towards. */
export function drawLearned(home, { note, rows }) {
  const made = listed(home, 'div', 'learned', note);
  fill(
    made.rows,
    rows,
    () =>
      el(
        'div',
        {},
        el('b', { dir: 'ltr' }),
        ...['before', 'after', 'p'].map((kind) =>
          el('span', { 'data-kind': kind }, el('span', {}, el('i')), el('span')),
        ),
      ),
    (row, { text, bars, before, after, p, now }) => {
      const [token, ...parts] = row.children;
      set(row, { 'data-now': now });
      writeToken(token, text);
      [before, after, p].forEach((value, at) => {
        set(parts[at].firstElementChild.firstElementChild, { style: `width: ${portion(bars[at])}` });
        write(parts[at].lastElementChild, value);
      });
    },
  );
}

/** A column for each place: the cheap drafter's guess, what the small model made of it, and in which pass. */
export function drawStages({ node, made }, { who, judge, places, cells, glyphs }) {
  if (!made.rows) {
    made.rows = [0, 1].map(() => el('div', { 'data-sv': 'stages' }, el('b'), el('div')));
    node.append(...made.rows);
  }
  [who, judge].forEach((name, at) => write(made.rows[at].firstElementChild, name));
  const [cheap, small] = made.rows.map(({ lastElementChild: line }) => line);
  [cheap, small].forEach((line) => set(line, { style: `--places: ${places}` }));
  fill(
    cheap,
    cells,
    () => el('span', { dir: 'ltr' }),
    (cell, { inner, kind, focus }) => {
      writeToken(cell, inner);
      set(cell, { 'data-stage': kind, 'data-focus': focus, title: inner || null });
    },
  );
  fill(
    small,
    cells,
    () => el('span', {}, el('i', { 'aria-hidden': 'true' }), el('span', { dir: 'ltr' }), el('small')),
    (cell, { text, kind, focus, pass }) => {
      const [glyph, token, number] = cell.children;
      set(cell, { 'data-stage': kind, 'data-focus': focus, title: glyphs[kind] });
      set(glyph, { 'data-glyph': kind });
      writeToken(token, text);
      write(number, pass === null ? '' : glyphs.pass({ pass }));
    },
  );
}

/**
 * draw-source-heads.js: heads on the target and what each of them reads: one state that all of them share,
 * a state that a step imagined, or a block of blanks.
 */

import { el, fill, portion, set, svg, write } from '../../base/dom.js';
import { hold, maths, writeToken } from './draw-words.js';

/** Height of half a bar of a state, in units of its picture. */
const HALF = 10;

const token = () => el('span', { dir: 'ltr' });

/** A state on the left, and a wire from it to each head; a head that is fed has the guesses before it. */
export function drawFan({ node, made }, { state, rows }) {
  if (!made.rows) {
    made.state = el('p', { 'data-sv': 'state' });
    made.wires = svg('svg', { 'data-sv': 'wires', 'aria-hidden': 'true', preserveAspectRatio: 'none' });
    made.rows = el('ol', { 'data-sv': 'head-rows' });
    node.append(made.state, made.wires, made.rows);
  }
  hold(made.state, state, () => maths(state));
  set(made.wires, { viewBox: `0 0 10 ${2 * rows.length}` });
  fill(
    made.wires,
    rows,
    () => svg('path', { fill: 'none', 'vector-effect': 'non-scaling-stroke' }),
    (wire, { focus }, at) =>
      set(wire, {
        d: `M0 ${rows.length}C5 ${rows.length} 5 ${2 * at + 1} 10 ${2 * at + 1}`,
        'data-focus': focus,
      }),
  );
  fill(
    made.rows,
    rows,
    () => el('li', {}, el('span', { 'data-sv': 'fed' }), el('b'), createBest()),
    (row, { name, focus, fed, best, note }) => {
      const [told, label, rated] = row.children;
      set(row, { 'data-focus': focus });
      set(told, { hidden: fed === null });
      fill(told, fed ?? [], token, writeToken);
      write(label, name);
      paintBest(rated, best, note);
    },
  );
}

/** Steps, each with the state that it imagined; the target's own lies after it once that is known. */
export function drawImagined({ node, made }, { key, into, rows }) {
  if (!made.rows) {
    made.key = el('p');
    made.rows = el('ol', { 'data-sv': 'steps' });
    node.append(made.rows, made.key);
  }
  hold(made.key, key, () => maths(key));
  fill(
    made.rows,
    rows,
    () =>
      el(
        'li',
        {},
        el('b'),
        el('span', { 'data-sv': 'read' }, el('i', { 'aria-hidden': 'true' }), token()),
        el(
          'span',
          { 'data-sv': 'imagined' },
          svg('svg', { 'aria-hidden': 'true', preserveAspectRatio: 'none' }),
          el('small'),
        ),
        createBest(),
      ),
    (row, { name, focus, reads, token: text, cosine, best, note, ...states }) => {
      const [label, both, { children: pair }, rated] = row.children;
      const read = both.children;
      set(row, { 'data-focus': focus });
      set(both, { 'data-into': into || null });
      write(label, name);
      set(read[0], { 'data-mark': reads });
      writeToken(read[1], text);
      paintStates(pair[0], states);
      write(pair[1], cosine);
      paintBest(rated, best, note);
    },
  );
}

/** Numbers of a state as bars: the target's filled, the imagined one's outlined. */
function paintStates(picture, states) {
  const kinds = ['true', 'own'].filter((kind) => states[kind]);
  set(picture, { viewBox: `0 0 ${states.own?.length ?? 1} ${2 * HALF}` });
  fill(
    picture,
    kinds,
    () => svg('path', { 'vector-effect': 'non-scaling-stroke' }),
    (path, kind) => {
      const inset = kind === 'true' ? 0.3 : 0.1;
      const bar = (share, at) =>
        `M${at + inset} ${HALF}V${(HALF * (1 - share)).toFixed(2)}H${at + 1 - inset}V${HALF}Z`;
      set(path, { 'data-kind': kind, d: states[kind].map(bar).join('') });
    },
  );
}

/** The states so far, the last token, then blanks side by side, each with what it holds under it. */
export function drawBlanks({ node, made }, { states, pending, columns, more, pass }) {
  if (!made.columns) {
    made.states = el('p', { 'data-sv': 'state' });
    made.pending = token();
    made.columns = el('ol', { 'data-sv': 'blanks' });
    made.more = el('p');
    made.pass = el('p');
    node.append(made.states, made.pending, made.columns, made.more, made.pass);
  }
  hold(made.states, states, () => maths(states));
  writeToken(made.pending, pending);
  write(made.more, more);
  write(made.pass, pass);
  fill(
    made.columns,
    columns,
    () => el('li', {}, el('b'), createBest()),
    (column, { name, focus, best, note }) => {
      set(column, { 'data-focus': focus });
      write(column.firstElementChild, name);
      paintBest(column.lastElementChild, best, note);
    },
  );
}

const createBest = () => el('span', { 'data-sv': 'best' }, el('span'), el('small'));

/** What is rated highest, each as a bar of its q; the guess is framed. */
function paintBest({ children: [list, under] }, best, note) {
  write(under, note);
  fill(
    list,
    best,
    () =>
      el(
        'span',
        {},
        el('i', { 'aria-hidden': 'true' }),
        el('u', { 'aria-hidden': 'true' }),
        token(),
        el('b'),
      ),
    (item, { text, q, share, guess, late, far }) => {
      const [frame, bar, name, value] = item.children;
      set(item, { 'data-guess': guess, 'data-late': far && late, 'data-far': far });
      set(frame, { hidden: !guess, 'data-late': late && !far, 'data-frame': '' });
      set(bar, { style: `width: ${portion(share)}`, hidden: q === '' });
      writeToken(name, text);
      write(value, q);
    },
  );
}

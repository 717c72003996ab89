/**
 * vocabulary.js: the figure's last row, opened: every token of the vocabulary at one slot, to be searched.
 * The server decodes the run again for it and answers when it can; only an answer to what was last asked is
 * shown.
 */

import { tell } from '../../words/words.js';
import { createLatest } from './latest.js';
import { button, el, fill, set, svg, write } from '../../base/dom.js';
import { count, number, show } from '../../base/format.js';
import { lawsOf } from '../round/bars.js';
import { FRAME, SIZE, rankPlot, scatterPlot } from './plots.js';
import { words } from '../words.js';

/** Milliseconds without a keystroke before a search is sent. */
const TYPED = 250;
/** The longest search the server accepts, in letters. */
const LONGEST = 50;

/**
 * @typedef {object} Vocabulary
 * @property {(trace: object, round: number, slot: number) => void} open
 * @property {(text: string, run: string) => void} onAnswer text is that of a "row" remark
 * @property {() => void} onBroken none will come
 * @property {() => void} close
 */

/**
 * ask({ run, round, slot, find }) asks the page.
 * @returns {Vocabulary}
 */
export function createVocabulary(root, ask) {
  const texts = words.vocabulary;
  const parts = createDialog();
  const { dialog, title, search, status, toggle, tokens } = parts;
  const question = createLatest(ask);
  const stopTimer = afterTyping(search, look);
  // alone: whether a guess is tested by p and q there
  const state = { slot: null, alone: true, answer: null, raw: false };
  root.append(dialog);
  dialog.addEventListener('close', () => {
    stopTimer();
    question.drop();
  });
  toggle.addEventListener('click', () => draw(parts, Object.assign(state, { raw: !state.raw })));

  function look() {
    write(status, texts.waiting);
    question.want({ ...state.slot, find: search.value });
  }

  return {
    open({ run, info, rounds }, round, slot) {
      const { verdicts } = rounds[round];
      const guess = verdicts[slot];
      write(title, guess ? texts.title({ token: show(guess.text) }) : texts.own);
      set(dialog, { 'aria-label': title.textContent });
      search.value = '';
      set(tokens, { hidden: true });
      dialog.showModal();
      state.slot = { run, round, slot };
      state.raw = false;
      state.alone =
        info.traits.rolls === 'dice' && !info.ensemble && verdicts.every(({ weight }) => weight === null);
      look();
    },
    onAnswer(text, run) {
      const answer = question.receive({ run, ...JSON.parse(text) });
      if (!answer) return;
      set(tokens, { hidden: Boolean(answer.error) });
      if (answer.error) write(status, tell(answer.error));
      else draw(parts, Object.assign(state, { answer }));
    },
    onBroken() {
      question.drop();
      write(status, texts.broke);
    },
    close: () => dialog.close(),
  };
}

function createDialog() {
  const texts = words.vocabulary;
  const title = el('h2');
  const closing = button({}, () => dialog.close(), texts.close);
  const search = el('input', {
    type: 'search',
    maxlength: LONGEST,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const status = el('p', { role: 'status' });
  const toggle = el('button', { type: 'button', 'data-sv': 'raw' }, texts.raw);
  const note = el('p');
  const choice = el('div', {}, toggle, note);
  const plots = el('div', { 'data-sv': 'plots' });
  const rows = el('tbody');
  const heads = Object.values(texts.columns).map((name) => el('th', { scope: 'col' }, name));
  const tokens = el(
    'div',
    { hidden: true },
    choice,
    plots,
    el('table', { 'aria-label': texts.table }, el('thead', {}, el('tr', {}, ...heads)), rows),
  );
  const dialog = el(
    'dialog',
    { 'data-sv': 'vocabulary' },
    el('div', { 'data-sv': 'vocabulary-head' }, title, closing),
    el('label', {}, el('span', {}, texts.find), search),
    status,
    tokens,
  );
  mindKeys(dialog);
  return { dialog, title, search, status, toggle, note, choice, plots, rows, tokens };
}

function mindKeys(dialog) {
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.preventDefault(); // a search field would only empty itself
    dialog.close();
  });
}

/** Acts once nobody has typed for a moment. Returns what calls that off. */
function afterTyping(search, act) {
  let typing = 0;
  search.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(act, TYPED);
  });
  return () => clearTimeout(typing);
}

/**
 * answer: the tokens that were found. raw: whether to show the distributions before sampling changes them.
 */
function draw({ status, choice, toggle, note, plots, rows }, { answer, raw, alone }) {
  const texts = words.vocabulary;
  const laws = lawsOf(answer, raw, alone);
  write(status, texts.shown({ rows: count(laws.rows.length), count: count(answer.count) }));
  set(choice, { hidden: !answer.raw });
  set(toggle, { 'aria-pressed': String(raw) });
  write(note, raw ? texts.rawNote : texts.decided);
  plots.replaceChildren(...figures(laws));
  fill(rows, laws.rows, createRow, paintRow);
}

function createRow() {
  return el('tr', {}, el('th', { scope: 'row', dir: 'ltr' }), ...Array.from({ length: 4 }, () => el('td')));
}

function paintRow(node, [token, text, p, q, keep]) {
  set(node, { 'data-token-id': token, 'data-p': p, 'data-q': q });
  [show(text), String(token), number(p), number(q), number(keep)].forEach((value, index) =>
    write(node.children[index], value),
  );
}

/** Both plots with their captions; without a q there is nothing to compare. */
function figures({ rows, ranks }) {
  const figure = (name, caption, plot) =>
    el('figure', { 'data-sv': name }, el('figcaption', {}, caption), plot);
  const ranked = figure('ranks', words.vocabulary.ranks, rankChart(rankPlot(ranks)));
  if (!ranks.q) return [ranked, el('p', {}, words.vocabulary.noScatter)];
  return [ranked, figure('scatter', words.vocabulary.scatter, scatterChart(scatterPlot(rows)))];
}

function rankChart(plot) {
  return chart(
    plot,
    plot.lines.flatMap(({ kind, points, at: [x, y] }) => [
      svg('polyline', { 'data-kind': kind, points: points.join(' ') }),
      svg('text', { 'data-kind': kind, x, y, 'text-anchor': 'middle' }, kind),
    ]),
  );
}

function scatterChart(plot) {
  const [[x1, y1], [x2, y2]] = plot.diagonal;
  const points = plot.points.map(({ token, x, y, title }) =>
    svg('circle', { 'data-token-id': token, cx: x, cy: y, r: 3 }, svg('title', {}, title)),
  );
  return chart(plot, [
    svg('line', { 'data-kind': 'diagonal', x1, y1, x2, y2 }),
    svg('text', { x: x2 - 22, y: y2 + 8, 'text-anchor': 'end' }, words.vocabulary.diagonal),
    ...points,
  ]);
}

/** What both plots have: lines at the ticks, their numbers, and the names of the axes. */
function chart({ label, names: [across, up], ticks }, marks) {
  const { left, right, top, bottom } = FRAME;
  const rule = (place) => svg('line', { 'data-kind': 'tick', ...place });
  const note = (x, y, anchor, text) => svg('text', { x, y, 'text-anchor': anchor }, text);
  return svg(
    'svg',
    { viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: 'img', 'aria-label': label },
    ...ticks.x.flatMap(([x, text]) => [
      rule({ x1: x, x2: x, y1: top, y2: bottom }),
      note(x, bottom + 18, 'middle', text),
    ]),
    ...ticks.y.flatMap(([y, text]) => [
      rule({ x1: left, x2: right, y1: y, y2: y }),
      note(left - 6, y + 5, 'end', text),
    ]),
    note(right, SIZE.height - 5, 'end', across),
    note(4, 14, 'start', up),
    ...marks,
  );
}

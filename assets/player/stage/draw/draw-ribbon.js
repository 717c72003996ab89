/**
 * draw-ribbon.js: the text so far, one element per token, and no more elements than a page can carry, in
 * whole lines. It reads as text, code line by line; what wrote a token is a line under it, and the newest
 * round is tinted in brackets. What the prompt's chat template put there is folded to a button that
 * opens it.
 */

import { along, el, set, write } from '../../base/dom.js';
import { count, readable } from '../../base/format.js';
import { ORDER, isJoined } from '../../trace/moment.js';
import { piecesOf } from '../round/pieces.js';
import { wholeLines } from './draw-text.js';
import { words } from '../words.js';

const { look } = words;

/** The most pieces drawn; of a longer text the last ones, after a line that says how many tokens come before. */
const MOST = 72;
/** The first piece drawn moves on by this many at once, so that most steps leave all elements as they are. */
const PAGE = 12;
const painted = new WeakMap();
/** Where the open folds of a text begin. */
const opened = new WeakMap();

/**
 * The tape's elements: redraw() is called when a fold opens or closes, readAll() by a click beside the tokens
 * or by Enter.
 */
export function tapeParts(redraw, readAll) {
  const ribbon = el(
    'div',
    { 'data-sv': 'ribbon', role: 'list', 'aria-label': look.tape, tabindex: 0 },
    el('span', { 'data-sv': 'earlier', role: 'listitem' }),
    el('span', { 'data-sv': 'end', role: 'listitem' }),
  );
  const lines = el('div', { 'data-sv': 'lines', title: look.readAll }, ribbon);
  const tape = el('section', { 'data-sv': 'tape', 'data-part': 'ribbon', 'aria-label': look.tape }, lines);
  wholeLines(lines);
  ribbon.addEventListener('keydown', ({ key, target }) => key === 'Enter' && target === ribbon && readAll());
  lines.addEventListener('click', ({ target }) => {
    const fold = target.closest('[data-sv="fold"]');
    if (!fold) {
      if (!target.closest('[data-sv="token"]')) readAll();
      return;
    }
    const { folds, at } = painted.get(fold);
    if (!folds.delete(at)) folds.add(at);
    redraw();
    fold.scrollIntoView({ block: 'nearest' });
  });
  return { tape, lines, ribbon };
}

/**
 * Makes the ribbon show the text of a scene: a round's tokens come in when it ends, and are in brackets
 * until the next does. The first screen shows how the text begins.
 */
export function drawRibbon(
  ribbon,
  { kind, round, ribbon: { text, upto, since: begun, fresh: coming, end, code, copied } },
) {
  const over = isJoined({ order: ORDER[kind] });
  const fresh = over ? coming : coming.filter(({ at }) => at?.round !== round);
  const since = kind === 'rest' ? Infinity : over ? begun : newest(text, upto);
  const total = upto + fresh.length;
  if (!opened.has(text)) opened.set(text, new Set());
  const folds = opened.get(text);
  const pieces = piecesOf([...text.slice(0, upto), ...fresh], folds, MOST, kind === 'rest' ? 0 : PAGE);
  const [earlier, last] = [ribbon.firstElementChild, ribbon.lastElementChild];
  const before = pieces[0]?.at;
  write(earlier, before ? look.earlier({ many: count(before) }) : '');
  set(earlier, { hidden: !before });
  write(last, end ?? '');
  set(last, { hidden: !end });
  while (ribbon.childElementCount > pieces.length + 2) {
    const gone = last.previousElementSibling;
    // else the focus would leave the text
    if (gone.contains(document.activeElement))
      focusable(gone.previousElementSibling).focus({ preventScroll: true });
    gone.remove();
  }
  set(ribbon, { 'data-code': code });
  let node = earlier;
  for (const piece of pieces) {
    node = elementFor(piece, node.nextElementSibling, last);
    const { at } = piece;
    const behind = 'end' in piece ? piece.end : at + 1;
    if ('token' in piece) paint(node, piece.token, at < since ? null : freshness(at, since, total), code);
    else paintFold(node, piece, folds);
    set(node, { 'data-copied': copied !== null && at < copied[1] && behind > copied[0] });
  }
}

function focusable(node) {
  return node.querySelector('button') ?? node;
}

/** The element in a piece's place: the one that is there, if it is of its kind. */
function elementFor(piece, there, last) {
  const kind = piece.token ? 'token' : 'fold';
  if (there.dataset.sv === kind) return there;
  const made = piece.token ? createToken() : createFold();
  if (there === last) last.before(made);
  else there.replaceWith(made);
  return made;
}

function freshness(at, since, total) {
  if (at === since) return at === total - 1 ? 'only' : 'first';
  return at === total - 1 ? 'last' : 'inner';
}

/** Where the last finished round begins. */
function newest(text, upto) {
  const last = text[upto - 1]?.at?.round;
  let since = upto;
  while (last !== undefined && text[since - 1]?.at?.round === last) since -= 1;
  return since;
}

/** The token an element of the ribbon shows, or undefined. */
export function shownBy(node) {
  return painted.get(node)?.token;
}

/** Moves the focus along the ribbon's tokens: into it from either end, then from token to token. */
export function walk(ribbon, direction) {
  const all = [...ribbon.querySelectorAll('[data-sv="token"], [data-sv="fold"] > button')];
  const index = all.indexOf(document.activeElement);
  const start = direction < 0 ? all.length - 1 : 0;
  (index < 0 ? all[start] : along(all, index, direction))?.focus();
}

function createToken() {
  return el(
    'span',
    { 'data-sv': 'token', role: 'listitem', dir: 'ltr', tabindex: -1 },
    document.createTextNode(''),
    el('u'),
  );
}

function createFold() {
  return el(
    'span',
    { 'data-sv': 'fold', role: 'listitem' },
    el('button', { type: 'button' }, el('span', {}, '…')),
  );
}

function paintFold(node, { at, many, open }, folds) {
  painted.set(node, { at, folds });
  const [button] = node.children;
  set(button, {
    'aria-expanded': String(open),
    'aria-label': look.template({ many: count(many) }),
    title: look.templateTitle({ many }),
  });
}

/** Leading spaces stay spaces, and the line under a word does not cover them. */
function paint(node, token, fresh, code) {
  const before = painted.get(node);
  if (before?.token === token && before.fresh === fresh && before.code === code) return;
  painted.set(node, { token, fresh, code });
  const end = token.state === 'prompt' ? '\n' : '⏎\n';
  const word = code ? readable(token.raw).replaceAll('\n', end) : token.text;
  const spaces = /^[· ]*/.exec(word)[0].length;
  const lead = spaces < word.length ? spaces : 0;
  if (before?.token !== token || before.code !== code) {
    const [space, rest, many] = node.childNodes;
    space.data = ' '.repeat(lead);
    write(rest, word.slice(lead));
    const mark = token.control ? look.control : token.many && look.bytes({ many: token.many });
    if (mark) node.append(el('sup', {}, mark));
    many?.remove();
  }
  set(node, {
    'data-state': token.state,
    'data-template': Boolean(token.template),
    'data-control': Boolean(token.control),
    'data-ending': Boolean(token.ending),
    'data-relaxed': Boolean(token.relaxed),
    'data-token-id': token.id,
    'data-break': token.text === '⏎',
    'aria-label': token.state === 'prompt' && !token.control ? null : token.label,
    'data-fresh': fresh,
  });
}

/**
 * draw-ribbon.js: the text so far, one element per token, and no more elements than a page can carry. It
 * reads as text; what wrote a token is a line under it, and the newest round stands tinted in brackets.
 */

import { along, el, set, write } from '../../base/dom.js';
import { count } from '../../base/format.js';
import { words } from '../words.js';

const { look } = words;

/** The most tokens drawn; of a longer text the last ones, after a line that says how many come before. */
const MOST = 72;
/** The first token drawn moves on by this many at once, so that most steps leave all elements as they are. */
const PAGE = 12;
const painted = new WeakMap();

/**
 * The tape's elements: text, and a switch between words and boxes, which is remembered by
 * want.remember(name, on).
 */
export function tapeParts(boxed, remember) {
  const ribbon = el(
    'div',
    { 'data-sv': 'ribbon', role: 'list', 'aria-label': look.tape, tabindex: 0 },
    el('span', { 'data-sv': 'earlier', role: 'listitem' }),
    el('span', { 'data-sv': 'end', role: 'listitem' }),
  );
  const boxes = el(
    'button',
    { type: 'button', 'data-sv': 'boxes', 'aria-pressed': String(boxed), title: look.boxesTitle },
    look.boxes,
  );
  const lines = el('div', { 'data-sv': 'lines' }, ribbon);
  const tape = el(
    'section',
    { 'data-sv': 'tape', 'data-part': 'ribbon', 'aria-label': look.tape },
    lines,
    boxes,
  );
  boxes.addEventListener('click', () => {
    const on = boxes.getAttribute('aria-pressed') === 'false';
    set(boxes, { 'aria-pressed': String(on) });
    remember(on);
  });
  return { tape, lines, ribbon, boxes };
}

/**
 * Makes the ribbon show the text of a scene: a round's tokens come in when it ends, and stand in brackets
 * until the next does.
 */
export function drawRibbon(
  ribbon,
  { kind, round, ribbon: { text, upto, since: begun, fresh: coming, end, copied } },
) {
  const over = kind === 'trim' || kind === 'rest';
  const fresh = over ? coming : coming.filter(({ at }) => at?.round !== round);
  const since = kind === 'rest' ? Infinity : over ? begun : newest(text, upto);
  const total = upto + fresh.length;
  const first = Math.max(0, Math.ceil((total - MOST) / PAGE) * PAGE);
  const [earlier, last] = [ribbon.firstElementChild, ribbon.lastElementChild];
  write(earlier, first ? look.earlier({ many: count(first) }) : '');
  set(earlier, { hidden: !first });
  write(last, end ?? '');
  set(last, { hidden: !end });
  while (ribbon.childElementCount > total - first + 2) {
    const gone = last.previousElementSibling;
    // else the focus would leave the text
    if (gone === document.activeElement) gone.previousElementSibling.focus({ preventScroll: true });
    gone.remove();
  }
  let node = earlier;
  for (let index = first; index < total; index += 1) {
    if (node.nextElementSibling === last) last.before(createToken());
    node = node.nextElementSibling;
    paint(
      node,
      index < upto ? text[index] : fresh[index - upto],
      index < since
        ? null
        : index === since && index === total - 1
          ? 'only'
          : index === since
            ? 'first'
            : index === total - 1
              ? 'last'
              : 'inner',
    );
    set(node, { 'data-copied': copied !== null && index >= copied[0] && index < copied[1] });
  }
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
  const all = [...ribbon.querySelectorAll('[data-sv="token"]')];
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

/** Leading spaces stay spaces, and the line under a word does not cover them. */
function paint(node, token, fresh) {
  const before = painted.get(node);
  if (before?.token === token && before.fresh === fresh) return;
  painted.set(node, { token, fresh });
  const spaces = /^·*/.exec(token.text)[0].length;
  const lead = spaces < token.text.length ? spaces : 0;
  if (before?.token !== token) {
    const [space, word, many] = node.childNodes;
    space.data = ' '.repeat(lead);
    write(word, token.text.slice(lead));
    if (token.many) node.append(el('sup', {}, look.bytes({ many: token.many })));
    many?.remove();
  }
  set(node, {
    'data-state': token.state,
    'data-token-id': token.id,
    'data-break': token.text === '⏎',
    'data-led': lead > 0,
    'aria-label': token.state === 'prompt' ? null : token.label,
    'data-fresh': fresh,
  });
}

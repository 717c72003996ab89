/**
 * dock.js: what opens beside the lane and the figure, on request: the algorithm with this round's numbers, both caches cell
 * by cell, where the round's time went. Several stand together where there is room, else one at a time.
 */

import { el, fill, set, write, writeMath } from '../base/dom.js';
import { duration } from '../base/format.js';
import { HEAD } from './caches.js';
import { createTip } from './tip.js';
import { words } from './words.js';

const NAMES = ['code', 'cache', 'clock'];
const KEPT = 'sv.dock';

/** node: where the panes stand; redraw() is asked for when one opens. { toggles, draw(scene), toggle(name), close() }. */
export function createDock(node, redraw) {
  const roomy = window.matchMedia('(min-width: 1600px) and (min-height: 850px)');
  let open = recall();
  let last = null;
  const buttons = Object.fromEntries(NAMES.map((name) => {
    const button = el('button', { type: 'button', 'data-dock': name, 'aria-pressed': 'false', title: words.dock.titles[name] }, words.dock[name]);
    button.addEventListener('click', () => toggle(name));
    return [name, button];
  }));
  const head = (name) => {
    const closing = el('button', { type: 'button', 'data-sv': 'pane-close', 'aria-label': words.dock.close(words.dock[name]) }, '×');
    closing.addEventListener('click', () => toggle(name));
    return el('header', {}, el('h2'), el('span'), closing);
  };
  const bodies = { code: el('ol', { 'data-sv': 'algorithm' }), cache: el('div', { 'data-sv': 'caches' }), clock: el('div', { 'data-sv': 'clock' }) };
  const tell = createTip(bodies.cache);
  const panes = Object.fromEntries(NAMES.map((name) => [name, el('section', { 'data-sv': 'pane', 'data-pane': name, hidden: true }, head(name), bodies[name])]));
  node.replaceChildren(...Object.values(panes));
  roomy.addEventListener('change', () => {
    if (!roomy.matches) open = open.slice(-1);
    redraw();
  });

  function toggle(name) {
    const on = !open.includes(name);
    open = on ? [...(roomy.matches ? open : []), name] : open.filter((each) => each !== name);
    remember(open);
    redraw();
  }

  function draw(scene) {
    last = scene;
    const shown = last.kind === 'rest' ? [] : roomy.matches ? open : open.slice(-1);
    set(node, { hidden: !shown.length, 'data-panes': shown.length || null });
    for (const name of NAMES) {
      set(buttons[name], { 'aria-pressed': String(open.includes(name)) });
      set(panes[name], { hidden: !shown.includes(name), 'aria-label': words.dock[name] });
    }
    if (shown.includes('code')) drawCode(panes.code, bodies.code, scene.algorithm);
    if (shown.includes('cache')) {
      drawCaches(panes.cache, bodies.cache, scene);
      tell(scene.cellTitle);
    }
    if (shown.includes('clock')) drawClock(panes.clock, bodies.clock, scene.clock);
  }

  return {
    toggles: el('div', { 'data-sv': 'docks', role: 'group', 'aria-label': words.dock.label }, ...Object.values(buttons)),
    draw,
    toggle,
    /** Closes what is open; says whether there was something to close. */
    close() {
      if (!open.length || last?.kind === 'rest') return false;
      open = [];
      remember(open);
      redraw();
      return true;
    },
  };
}

function title(pane, text, beside) {
  const [heading, note] = pane.firstElementChild.children;
  write(heading, text);
  write(note, beside);
}

function drawCode(pane, list, { title: text, source, lines }) {
  title(pane, text, source);
  const current = lines.findIndex(({ lit }) => lit);
  fill(list, lines, () => el('li', { tabindex: -1 }, el('span', { 'data-says': 'plain' }), el('span', { 'data-says': 'live' })), (node, { plain, live, lit, indent, note }, index) => {
    writeMath(node.children[0], plain);
    writeMath(node.children[1], live);
    set(node, { 'data-lit': lit, 'data-note': note, 'data-same': live === plain, style: `--indent: ${indent}`, 'aria-current': index === current ? 'step' : null });
    node.tabIndex = index === current ? 0 : -1;
  });
  const line = list.children[current];
  if (line && list.scrollHeight > list.clientHeight) list.scrollTop = line.offsetTop - list.clientHeight / 3;
}

function drawCaches(pane, node, { caches, cellTitle }) {
  title(pane, words.dock.kv, words.dock.each);
  fill(node, caches, () => el('div', { 'data-sv': 'strip-row' }, el('b'), el('span'), el('div', { 'data-sv': 'strip-cells', role: 'slider', tabindex: 0, 'aria-valuemin': 0 }), el('div', { 'data-sv': 'lookup' }), el('p')), (row, { model, name, length, cells, gap, lookup, note, more }) => {
    const [who, says, strip, guess, small] = row.children;
    write(who, name);
    set(row, { 'data-model': model, 'data-length': length });
    write(says, note);
    set(strip, {
      hidden: !cells, 'aria-label': words.cache.cells(name.toLowerCase()), 'aria-valuemax': cells?.length ?? 0, 'aria-valuenow': length ?? 0,
      'aria-valuetext': cells?.length ? cellTitle(cells.at(-1)) : note,
    });
    const items = (cells ?? []).flatMap((cell, at) => (gap && at === HEAD ? [{ gap }, cell] : [cell]));
    fill(strip, items, () => el('i'), (item, cell) => {
      set(item, { 'data-cell': cell.kind ?? null, 'data-at': cell.at ?? null, 'data-gap': Boolean(cell.gap) });
      write(item, cell.gap ? words.cache.gap(cell.gap) : '');
    });
    fill(guess, lookup, () => el('span', { dir: 'ltr' }), (piece, { text, state }) => {
      write(piece, text);
      set(piece, { 'data-look': state });
    });
    set(guess, { hidden: !lookup.length });
    write(small, more);
  });
}

function drawClock(pane, node, { title: text, rows, says }) {
  title(pane, text, says);
  const longest = Math.max(...rows.map(({ to }) => to), 1e-9);
  fill(node, rows, () => el('div', { 'data-sv': 'clock-row' }, el('span'), el('span', {}, el('i')), el('b')), (row, { kind, name, from, to, ms }) => {
    const [label, track, time] = row.children;
    set(row, { 'data-kind': kind, 'data-ms': ms });
    write(label, name);
    set(track.firstElementChild, { style: `left: ${((100 * from) / longest).toFixed(3)}%; width: ${((100 * (to - from)) / longest).toFixed(3)}%` });
    write(time, duration(ms));
  });
}

function recall() {
  try {
    return (localStorage.getItem(KEPT) ?? '').split(',').filter((name) => NAMES.includes(name));
  } catch {
    return []; // a page that may keep nothing opens with none
  }
}

function remember(open) {
  try {
    localStorage.setItem(KEPT, open.join(','));
  } catch {
    // the choice holds until the page is left
  }
}

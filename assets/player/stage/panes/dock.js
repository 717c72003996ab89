/**
 * dock.js: the pane Details, which opens beside the lane and the balance: Code, Cache and Clock under each other,
 * with the charts of the run. The page remembers whether it is open.
 */

import { button, el, set } from '../../base/dom.js';
import { remember, remembered } from '../../base/memory.js';
import { drawCache, drawClock, drawCode } from '../draw/draw-dock.js';
import { words } from '../words.js';

const DRAWS = { code: drawCode, cache: drawCache, clock: drawClock };

/**
 * @typedef {object} Dock
 * @property {Element} toggle its button
 * @property {(scene: object, story: object) => void} draw
 * @property {(wanted?: boolean) => void} open opens it, or closes it, or does what it was not
 * @property {() => boolean} close says whether it was open
 * @property {() => boolean} isOpen
 */

/**
 * Fills node, the [data-sv=dock] of the stage. charts: see draw-charts.js; redraw() hears that it opened or
 * closed.
 * @returns {Dock}
 */
export function createDock(node, charts, redraw) {
  let is = remembered('details', ['1'], '') === '1';
  const sections = Object.fromEntries(Object.keys(DRAWS).map((name) => [name, createSection(name)]));
  sections.cache.node.append(charts.cache);
  sections.clock.node.append(charts.gamma, charts.tried);
  const closing = { 'data-sv': 'pane-close', 'aria-label': words.dock.close };
  const pane = el(
    'div',
    { 'data-sv': 'pane' },
    button(closing, () => close(), '×'),
    ...Object.values(sections).map((section) => section.node),
  );
  const look = { 'data-sv': 'details', title: words.dock.title, 'aria-expanded': 'false' };
  const toggle = button(look, () => open(), words.dock.label);
  set(node, { role: 'complementary', 'aria-label': words.dock.label });
  node.append(pane);
  show();

  function open(wanted = !is) {
    if (wanted === is) return;
    is = wanted;
    remember('details', is ? '1' : '');
    const inside = node.contains(document.activeElement);
    show();
    redraw();
    if (inside && !is) toggle.focus();
  }

  function close() {
    const was = is;
    open(false);
    return was;
  }

  function show() {
    set(node, { hidden: !is });
    set(node.parentElement, { 'data-docked': is });
    set(toggle, { 'aria-expanded': String(is) });
  }

  return {
    toggle,
    open,
    close,
    isOpen: () => is,
    draw(scene, story) {
      show();
      if (is) for (const [name, draw] of Object.entries(DRAWS)) draw(sections[name], scene, story);
    },
  };
}

function createSection(name) {
  const heading = el('h2', {}, el('b', {}, words.dock.names[name]), el('span'));
  const node = el('section', { 'data-pane': name, 'aria-label': words.dock.names[name] }, heading);
  return { node, heading, made: {} };
}

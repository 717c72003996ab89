/**
 * dock.js: the panes Code, Cache and Clock, which open beside the lane and the balance. The page remembers
 * which are open.
 */

import { button, el, set } from '../../base/dom.js';
import { remember, remembered } from '../../base/memory.js';
import { drawCache, drawClock, drawCode } from '../draw/draw-dock.js';
import { words } from '../words.js';

/**
 * Several panes fit beside the stage in such a window; in a smaller one only the pane opened last is shown.
 */
const ROOMY = '(min-width: 1600px) and (min-height: 850px)';
const DRAWS = { code: drawCode, cache: drawCache, clock: drawClock };

const NAMES = Object.keys(DRAWS);

/**
 * @typedef {object} Dock
 * @property {Element} toggles
 * @property {(scene: object, story: object) => void} draw
 * @property {(name: string) => void} toggle
 * @property {() => boolean} close shuts all panes, and says whether one was open
 * @property {() => string[]} open the names of those on show
 * @property {(names: string[]) => void} only shows these, and no others
 */

/**
 * Fills node, the [data-sv=dock] of the stage; redraw() is called when another pane is open.
 * @returns {Dock}
 */
export function createDock(node, redraw) {
  const roomy = window.matchMedia(ROOMY);
  let chosen = rememberedPanes();
  const open = () => (roomy.matches ? NAMES.filter((name) => chosen.includes(name)) : chosen.slice(-1));
  const panes = Object.fromEntries(NAMES.map((name) => [name, createPane(name, leave)]));
  const switches = Object.fromEntries(NAMES.map((name) => [name, createSwitch(name, toggle)]));
  const group = { 'data-sv': 'docks', role: 'group', 'aria-label': words.dock.toggles };
  const toggles = el('div', group, ...Object.values(switches));
  set(node, { role: 'complementary', 'aria-label': words.dock.label });
  roomy.addEventListener('change', redraw);
  show();

  function leave(name) {
    toggle(name);
    switches[name].focus();
  }

  function choose(names) {
    chosen = names;
    remember('panes', chosen.join(','));
    show();
    redraw();
  }

  function toggle(name) {
    const others = chosen.filter((each) => each !== name);
    choose(open().includes(name) ? others : [...others, name]);
  }

  function show() {
    const shown = open();
    const wanted = shown.map((name) => panes[name].node);
    if (wanted.length !== node.childElementCount || wanted.some((pane, at) => node.children[at] !== pane))
      node.replaceChildren(...wanted);
    set(node, { 'data-panes': shown.length || null });
    set(node.parentElement, { 'data-docked': shown.length > 0 });
    NAMES.forEach((name) => set(switches[name], { 'aria-pressed': String(shown.includes(name)) }));
    return shown;
  }

  return {
    toggles,
    toggle,
    open,
    only(names) {
      chosen = names.filter((name) => NAMES.includes(name));
      show();
    },
    draw: (scene, story) => show().forEach((name) => DRAWS[name](panes[name], scene, story)),
    close() {
      const wasOpen = open().length > 0;
      if (wasOpen) choose([]);
      return wasOpen;
    },
  };
}

function rememberedPanes() {
  const known = (text) => text.split(',').every((name) => NAMES.includes(name));
  return remembered('panes', known, '').split(',').filter(Boolean);
}

function createPane(name, leave) {
  const title = words.dock.names[name];
  const attributes = { 'data-sv': 'pane-close', 'aria-label': words.dock.close({ name: title }) };
  const heading = el(
    'h2',
    {},
    el('b'),
    el('span'),
    button(attributes, () => leave(name), '×'),
  );
  const node = el('section', { 'data-sv': 'pane', 'data-pane': name, 'aria-label': title }, heading);
  return { name, node, heading, made: {} };
}

function createSwitch(name, toggle) {
  const attributes = { 'data-dock': name, 'aria-pressed': 'false', title: words.dock.titles[name] };
  return button(attributes, () => toggle(name), words.dock.names[name]);
}

/**
 * dock.js: the panes Code, Cache and Clock, which open beside the lane and the balance. The page remembers
 * which are open.
 */

import { el, set } from '../../base/dom.js';
import { remember, remembered } from '../../base/memory.js';
import { drawCache, drawClock, drawCode } from '../draw/draw-dock.js';
import { words } from '../words.js';

/**
 * Several panes fit beside the stage in such a window; in a smaller one only the pane opened last is shown.
 */
const ROOMY = '(min-width: 1600px) and (min-height: 850px)';
const DRAWS = { code: drawCode, cache: drawCache, clock: drawClock };

/**
 * Fills node, the [data-sv=dock] of the stage; redraw() hears that another pane is open. Returns { toggles,
 * draw(scene, story), toggle(name), close(), open(), only(names) }: close shuts them all and says whether
 * there was one; open names those on show; only shows some, and no others.
 */
export function createDock(node, redraw) {
  const roomy = window.matchMedia(ROOMY);
  let chosen = remembered(
    'panes',
    (found) => found.split(',').every((name) => Object.hasOwn(DRAWS, name)),
    '',
  )
    .split(',')
    .filter(Boolean);
  const panes = Object.fromEntries(Object.keys(DRAWS).map((name) => [name, createPane(name, leave)]));
  const switches = Object.fromEntries(Object.keys(DRAWS).map((name) => [name, createSwitch(name, toggle)]));
  const toggles = el(
    'div',
    { 'data-sv': 'docks', role: 'group', 'aria-label': words.dock.toggles },
    ...Object.values(switches),
  );
  set(node, { role: 'complementary', 'aria-label': words.dock.label });
  roomy.addEventListener('change', redraw);
  show();

  function leave(name) {
    toggle(name);
    switches[name].focus();
  }

  function open() {
    return roomy.matches ? Object.keys(DRAWS).filter((name) => chosen.includes(name)) : chosen.slice(-1);
  }

  function toggle(name) {
    chosen = open().includes(name)
      ? chosen.filter((other) => other !== name)
      : [...chosen.filter((other) => other !== name), name];
    remember('panes', chosen.join(','));
    show();
    redraw();
  }

  function show() {
    const shown = open();
    const wanted = shown.map((name) => panes[name].node);
    if (wanted.length !== node.childElementCount || wanted.some((pane, at) => node.children[at] !== pane))
      node.replaceChildren(...wanted);
    set(node, { 'data-panes': shown.length || null });
    set(node.parentElement, { 'data-docked': shown.length > 0 });
    for (const [name, button] of Object.entries(switches)) {
      set(button, { 'aria-pressed': String(shown.includes(name)) });
    }
    return shown;
  }

  return {
    toggles,
    toggle,
    open,
    only(names) {
      chosen = names.filter((name) => Object.hasOwn(DRAWS, name));
      show();
    },
    draw(scene, story) {
      for (const name of show()) DRAWS[name](panes[name], scene, story);
    },
    close() {
      if (!open().length) return false;
      chosen = [];
      remember('panes', chosen.join(','));
      show();
      redraw();
      return true;
    },
  };
}

function createPane(name, leave) {
  const close = el(
    'button',
    {
      type: 'button',
      'data-sv': 'pane-close',
      'aria-label': words.dock.close({ name: words.dock.names[name] }),
    },
    '×',
  );
  close.addEventListener('click', () => leave(name));
  const heading = el('h2', {}, el('b'), el('span'), close);
  return {
    name,
    node: el(
      'section',
      { 'data-sv': 'pane', 'data-pane': name, 'aria-label': words.dock.names[name] },
      heading,
    ),
    heading,
    made: {},
  };
}

function createSwitch(name, toggle) {
  const button = el(
    'button',
    { type: 'button', 'data-dock': name, 'aria-pressed': 'false', title: words.dock.titles[name] },
    words.dock.names[name],
  );
  button.addEventListener('click', () => toggle(name));
  return button;
}

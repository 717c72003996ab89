/**
 * tabs.js: a bar of tabs, each with the panel it shows in the same place.
 */

import { along, button, el, set } from '../base/dom.js';
import { remember, remembered } from '../base/memory.js';
import { words } from '../words/words.js';

/**
 * panels: elements by tab name, in the order of the bar. changed() hears that another one came to the front.
 * @returns {{node, show: (name: string) => void, turn: (place: number) => void, page: (way: number) => void,
 * shown: () => string, before: () => string}} turn shows the one at a place, counted from 1; page scrolls the
 * one on show by a screen; before is the one that was shown when the page was left
 */
export function createTabs(root, panels, changed) {
  const names = Object.keys(panels);
  const tabs = Object.fromEntries(names.map((name) => [name, createTab(name, () => show(name))]));
  const bar = { 'data-sv': 'tabs', role: 'tablist', 'aria-label': words.tabs.label };
  const node = el('div', bar, ...Object.values(tabs));
  let front = names[0];
  for (const name of names)
    set(panels[name], { id: `sv-panel-${name}`, role: 'tabpanel', 'aria-labelledby': `sv-tab-${name}` });
  node.addEventListener('keydown', (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!way || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    show(along(names, names.indexOf(front), way));
    tabs[front].focus();
  });
  mark();

  function mark() {
    set(root, { 'data-tab': front });
    // the charts under the stage belong to the Round tab
    document.body.classList.toggle('sv-lab', front !== names[0]);
    for (const name of names) {
      set(tabs[name], { 'aria-selected': String(name === front), tabindex: name === front ? 0 : -1 });
      set(panels[name], { hidden: name !== front });
    }
  }

  function show(name) {
    front = name;
    remember('tab', name);
    mark();
    changed();
    const focused = document.activeElement;
    // else the keys would lose the stage
    if (root.contains(focused) && !focused.checkVisibility()) tabs[name].focus();
  }

  return {
    node,
    show,
    turn: (place) => names[place - 1] && show(names[place - 1]),
    page: (way) => panels[front].scrollBy({ top: way * panels[front].clientHeight }),
    shown: () => front,
    before: () => remembered('tab', names, names[0]),
  };
}

function createTab(name, show) {
  const look = {
    'data-sv': 'tab',
    'data-tab': name,
    id: `sv-tab-${name}`,
    'aria-controls': `sv-panel-${name}`,
  };
  return button({ role: 'tab', ...look }, show, words.tabs[name]);
}

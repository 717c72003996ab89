/**
 * tabs.js: a bar of tabs, each with the panel it shows in the same place.
 */

import { along, el, set } from '../base/dom.js';
import { remember, remembered } from '../base/memory.js';
import { words } from '../words/words.js';

/**
 * panels: elements by tab name, in the order of the bar. { node, show(name), turn(place), page(way),
 * shown(), before() }: turn shows the one at a place, counted from 1; page scrolls the one on show by a
 * screen; before() is the one that was shown when the page was left. onShow() hears that another one came
 * to the front.
 */
export function createTabs(root, panels, onShow) {
  const names = Object.keys(panels);
  const tabs = Object.fromEntries(
    names.map((name) => [
      name,
      el(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `sv-tab-${name}`,
          'data-sv': 'tab',
          'data-tab': name,
          'aria-controls': `sv-panel-${name}`,
        },
        words.tabs[name],
      ),
    ]),
  );
  const node = el(
    'div',
    { 'data-sv': 'tabs', role: 'tablist', 'aria-label': words.tabs.label },
    ...Object.values(tabs),
  );
  let front = names[0];
  for (const name of names) {
    set(panels[name], { id: `sv-panel-${name}`, role: 'tabpanel', 'aria-labelledby': `sv-tab-${name}` });
    tabs[name].addEventListener('click', () => show(name));
  }
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
    onShow();
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

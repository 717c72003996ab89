/**
 * methods.js: every way to guess, grouped by idea, in a menu behind the first few; and what a rule is on
 * guesses that are not drawn.
 */

import { el, set, svg, write } from '../base/dom.js';
import { createMenu } from './menu.js';
import { chooseDrafter, drafterHome, drafterOf, hasAsset, offerGamma, offerRule } from './widgets.js';
import { words } from '../words/words.js';

/** How many methods stand side by side in the bar. */
const FIRST = 3;
/** The icons: lines, and the guesses that they join. */
const SHAPES = {
  chain: ['M3 8H21', 'M3 8h.01M12 8h.01M21 8h.01'],
  tree: ['M3 8H12L21 3.5M12 8L21 12.5', 'M3 8h.01M12 8h.01M21 3.5h.01M21 12.5h.01'],
};

/** What a method needs, as words.methods.needs names it. */
export function needOf({ modelled, counted, asset, family }) {
  if (modelled) return 'model';
  if (counted) return 'counts';
  if (asset) return 'file';
  return family === 'target' ? 'target' : 'nothing';
}

/** What a plug-in does. */
export function summaryOf(name) {
  return words.plugins[name]?.summary ?? '';
}

/**
 * drafters: the catalog's entries; rules: those of acceptance. { show(), close() }; show() says what is
 * chosen now.
 */
export function createMethods(root, drafters, rules) {
  const texts = words.methods;
  const shape = (name) =>
    svg(
      'svg',
      { viewBox: '0 0 24 16', 'aria-hidden': 'true' },
      ...SHAPES[name].map((d) => svg('path', { d })),
    );
  const item = (entry) => {
    const { name, shape: stands, asset } = entry;
    const node = el(
      'button',
      { type: 'button', role: 'menuitemradio', 'data-method': name },
      shape(stands),
      el('b', {}, drafterOf(name).label),
      el('span', {}, texts.needs[needOf(entry)]),
      el('small', {}, summaryOf(name)),
    );
    node.addEventListener('click', () => {
      if (!hasAsset(asset)) return;
      menu.close();
      chooseDrafter(name);
    });
    return node;
  };
  const families = [...new Set(drafters.map(({ family }) => family))];
  const groups = families.map((family) => {
    const [{ text: title }, idea] = texts.families[family] ?? [{ text: family }, ''];
    return el(
      'div',
      { role: 'group', 'aria-label': title },
      el('p', { 'aria-hidden': 'true' }, el('b', {}, title), ' ', idea),
      ...drafters.filter((entry) => entry.family === family).map(item),
    );
  });
  const legend = el(
    'p',
    { 'data-sv': 'methods-legend' },
    ...Object.entries(texts.shapes).map(([name, says]) => el('span', {}, shape(name), says)),
    el('span', {}, texts.exact),
  );
  const node = el(
    'div',
    { 'data-sv': 'methods', 'aria-label': texts.label },
    el('div', { 'data-sv': 'methods-groups' }, ...groups),
    legend,
  );
  const opener = el('button', {
    type: 'button',
    'data-sv': 'method-more',
    'aria-haspopup': 'menu',
    'aria-expanded': 'false',
  });
  const menu = createMenu(root, node, () => opener);
  opener.addEventListener('click', () => {
    show();
    menu.toggle();
  });
  const home = drafterHome();
  home.append(opener);
  home.addEventListener('change', () => setTimeout(show)); // by then Gradio has unchecked the one before
  show();

  function show() {
    const chosen = drafterOf();
    const place = drafters.findIndex(({ name }) => name === chosen?.name);
    write(opener, place < FIRST ? texts.more : chosen.label);
    set(opener, {
      'data-on': place >= FIRST,
      'aria-label': place < FIRST ? texts.open : texts.chosen({ name: chosen.label }),
    });
    for (const { name, asset } of drafters) {
      const each = node.querySelector(`[data-method="${name}"]`);
      set(each, {
        'aria-checked': String(name === chosen?.name),
        'aria-disabled': hasAsset(asset) ? null : 'true',
      });
      write(each.lastChild, hasAsset(asset) ? summaryOf(name) : texts.lacks({ asset }));
    }
    offerGamma(drafters[place]?.sized === false ? texts.noLength : '', texts.idle);
    for (const { name, weighs } of rules)
      if (weighs) offerRule(name, drafters[place]?.law === 'point' ? texts.alone : '');
  }

  return { show, close: menu.close };
}

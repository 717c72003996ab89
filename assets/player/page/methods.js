/**
 * methods.js: every way to guess, grouped by idea, in a menu behind the first few; and what a rule is on
 * guesses that are not drawn.
 */

import { button, el, set, svg, write } from '../base/dom.js';
import { multiple } from '../base/format.js';
import { createMenu } from './menu.js';
import {
  chooseDrafter,
  drafterHome,
  drafterOf,
  lackOf,
  offerDrafter,
  offerGamma,
  offerRule,
  pairNow,
} from './widgets.js';
import { words } from '../words/words.js';

/** How many methods the bar shows side by side. */
const FIRST = 3;
/** How many of the fastest come before all others. */
const FASTEST = 3;
/** What guesses where the pair lacks what the chosen method needs. */
const WITHOUT_DRAFT = 'suffix';
/** The icons: lines, and the guesses that they join. */
const SHAPES = {
  chain: ['M3 8H21', 'M3 8h.01M12 8h.01M21 8h.01'],
  tree: ['M3 8H12L21 3.5M12 8L21 12.5', 'M3 8h.01M12 8h.01M21 3.5h.01M21 12.5h.01'],
};

/** What a method needs, as words.methods.needs names it. */
export function needOf({ modelled, counted, constrained, asset, family }) {
  if (modelled) return 'model';
  if (counted) return 'counts';
  if (asset) return 'file';
  if (constrained) return 'grammar';
  return family === 'target' ? 'target' : 'nothing';
}

/** What a plug-in does. */
export function summaryOf(name) {
  return words.plugins[name]?.summary ?? '';
}

/**
 * drafters: the catalog's entries; rules: those of acceptance; fastestOn(pair): a promise of what was measured with it,
 * { speeds: [[drafter, times plain decoding]], the fastest first, where }, or null.
 * @returns {{show: () => void, close: () => boolean}} show says what is chosen now
 */
export function createMethods(root, drafters, rules, fastestOn) {
  const texts = words.methods;
  const item = (entry) =>
    createItem(entry, () => {
      if (lackOf(entry)) return;
      menu.close();
      chooseDrafter(entry.name);
    });
  const items = new Map(drafters.map((entry) => [entry.name, item(entry)]));
  const fastest = createGroup(...texts.fastest({ where: '' }));
  const families = Object.fromEntries(
    drafters.map(({ family }) => [family, createGroup(...(texts.families[family] ?? [{ text: family }]))]),
  );
  let ranked = null; // the pair in whose order they are
  const node = el(
    'div',
    { 'data-sv': 'methods', 'aria-label': texts.label },
    el('div', { 'data-sv': 'methods-groups' }, fastest, ...Object.values(families)),
    createLegend(texts),
  );
  const opener = button(
    { 'data-sv': 'method-more', 'aria-haspopup': 'menu', 'aria-expanded': 'false' },
    toggle,
  );
  const menu = createMenu(root, node, () => opener);
  const home = drafterHome();
  home.append(opener);
  home.addEventListener('change', () => setTimeout(show)); // by then Gradio has unchecked the one before
  show();

  function show() {
    const chosen = drafterOf();
    const place = drafters.findIndex(({ name }) => name === chosen?.name);
    if (leaveToAble(drafters, drafters[place])) return;
    const isBehind = place >= FIRST;
    write(opener, isBehind ? chosen.label : texts.more);
    set(opener, {
      'data-on': isBehind,
      'aria-label': isBehind ? texts.chosen({ name: chosen.label }) : texts.open,
    });
    for (const entry of drafters) paintItem(items.get(entry.name), entry, entry.name === chosen?.name);
    offerGamma(drafters[place]?.sized === false ? texts.noLength : '');
    for (const { name, weighs } of rules)
      if (weighs) offerRule(name, drafters[place]?.law === 'point' ? texts.alone : '');
  }

  async function toggle() {
    show();
    await rank(pairNow());
    menu.toggle();
  }

  async function rank(pair) {
    if (ranked === pair) return;
    ranked = pair;
    arrange(drafters, items, fastest, families, await fastestOn(pair).catch(() => null));
  }

  return { show, close: menu.close };
}

/**
 * Greys the drafters that the pair cannot run. Where the chosen one is among them, another is chosen.
 * @returns {boolean} whether that happened
 */
function leaveToAble(drafters, chosen) {
  for (const entry of drafters) {
    const asset = lackOf(entry);
    offerDrafter(entry.name, asset && words.methods.lacks({ asset }));
  }
  const able = drafters.filter((entry) => !lackOf(entry));
  if (!chosen || !able.length || able.includes(chosen)) return false;
  chooseDrafter((able.find(({ name }) => name === WITHOUT_DRAFT) ?? able[0]).name);
  return true;
}

/** Puts the fastest on a pair first; whatever was measured says how fast it was, and comes before the others. */
function arrange(drafters, items, fastest, families, measured) {
  const texts = words.methods;
  const { speeds, where } = measured ?? { speeds: [], where: '' };
  const times = new Map(speeds);
  const order = [...new Set([...times.keys(), ...items.keys()])].filter((name) => items.has(name));
  for (const name of order) {
    const entry = drafters.find((each) => each.name === name);
    const first = order.indexOf(name) < Math.min(FASTEST, times.size);
    (first ? fastest : families[entry.family]).append(items.get(name));
    const need = texts.needs[needOf(entry)];
    write(items.get(name).children[2], times.has(name) ? `${multiple(times.get(name))} · ${need}` : need);
  }
  write(fastest.firstElementChild.lastChild, texts.fastest({ where })[1]);
  for (const group of [fastest, ...Object.values(families)])
    set(group, { hidden: group.childElementCount < 2 });
}

/** The legend: the shapes, and that all are exact. */
function createLegend({ shapes, exact }) {
  const lines = Object.entries(shapes).map(([name, says]) => el('span', {}, shape(name), says));
  return el('p', { 'data-sv': 'methods-legend' }, ...lines, el('span', {}, exact));
}

/** Some drafters, under what they have in common. */
function createGroup({ text: title }, idea = '') {
  const head = el('p', { 'aria-hidden': 'true' }, el('b', {}, title), ' ', el('span', {}, idea));
  return el('div', { role: 'group', 'aria-label': title }, head);
}

function createItem(entry, choose) {
  return button(
    { role: 'menuitemradio', 'data-method': entry.name },
    choose,
    shape(entry.shape),
    el('b', {}, drafterOf(entry.name).label),
    el('span', {}, words.methods.needs[needOf(entry)]),
    el('small', {}, summaryOf(entry.name)),
  );
}

function paintItem(node, entry, isChosen) {
  const asset = lackOf(entry);
  set(node, { 'aria-checked': String(isChosen), 'aria-disabled': asset ? 'true' : null });
  write(node.lastChild, asset ? words.methods.lacks({ asset }) : summaryOf(entry.name));
}

function shape(name) {
  const lines = SHAPES[name].map((d) => svg('path', { d }));
  return svg('svg', { viewBox: '0 0 24 16', 'aria-hidden': 'true' }, ...lines);
}

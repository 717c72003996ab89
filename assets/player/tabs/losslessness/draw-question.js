/**
 * draw-question.js: what the tab Is it exact? asks: place, token, number of samples, seed, sabotage. Every
 * change asks again.
 */

import { button, el, set, write } from '../../base/dom.js';
import { count } from '../../base/format.js';
import { placeOf, sizes } from './figures.js';
import { createCard, keepKeys, labelled, paragraphs } from '../parts.js';
import { words } from '../words.js';

const N = 2000;

/**
 * offers: { fewest, most, bugs: [{ name, law, n }] }, want: { draw(), changed(), compare(), check(), why() }.
 * { node, read(): { place, law, n, seed, bug }, set(question), bug(name): the offered
 * one with its title, or null, sabotaged(yes): what is on show is, setPosition(position), comparable(yes) }.
 */
export function createQuestion({ fewest, most, bugs: offered }, want) {
  const texts = words.finding;
  const bugs = offered.map((bug) => ({ ...bug, title: texts.bugs[bug.name] }));
  const bugOf = (name) => bugs.find((bug) => bug.name === name) ?? null;
  const list = sizes(fewest, most);
  const { place, law, n, size, bug, seed } = createFields(list, bugs);
  const [asks] = paragraphs('asks');
  const { draw, compare, check, why } = createButtons(want);
  const sabotage = labelled(texts.bug, bug);
  const rows = [place.node, law.node, labelled(texts.n, n, size), labelled(texts.seed, seed)];
  const ways = el('div', { 'data-sv': 'ways' }, draw, compare, check, why);
  const node = createCard('question', texts.title, sabotage, asks, ...rows, ways);
  let position = 0;
  n.addEventListener('input', update);
  bug.addEventListener('change', () => {
    const chosen = bugOf(bug.value);
    law.set(chosen?.law ?? 'first');
    n.value = Math.max(n.value, chosen ? placeOf(list, chosen.n) : 0);
  });
  node.addEventListener('change', () => {
    update();
    want.changed();
  });
  keepKeys(node, 'input, select');
  update();

  function update() {
    const many = count(list[n.value]);
    write(size, many);
    set(n, { 'aria-valuetext': texts.samples({ n: many }) });
    write(asks, texts.asks[law.value()]({ position: count(place.value() === 'here' ? position : 0) }));
  }

  return {
    node,
    read: () => ({
      place: place.value(),
      law: law.value(),
      n: list[n.value],
      seed: Number(seed.value),
      bug: bug.value,
    }),
    set(question) {
      place.set('prompt');
      law.set(question.law);
      [n.value, seed.value, bug.value] = [placeOf(list, question.n), question.seed, question.bug];
      update();
    },
    bug: bugOf,
    sabotaged: (yes) => set(sabotage, { 'data-on': yes }),
    setPosition(at) {
      position = at;
      place.write('here', texts.places.here({ position: count(at) }));
      update();
    },
    comparable: (yes) => set(compare, { hidden: !yes }),
  };
}

function createButtons(want) {
  return Object.fromEntries(
    ['draw', 'compare', 'check', 'why'].map((name) => [
      name,
      button({ 'data-sv': `proof-${name}` }, want[name], words.finding[name]),
    ]),
  );
}

function createFields(list, bugs) {
  const texts = words.finding;
  const n = el('input', {
    type: 'range',
    min: 0,
    max: list.length - 1,
    step: 1,
    'data-sv': 'n',
    'aria-label': texts.n,
  });
  n.value = placeOf(list, N);
  return {
    place: choice('place', texts.place, {
      prompt: texts.places.prompt,
      here: texts.places.here({ position: '0' }),
    }),
    law: choice('law', texts.law, texts.laws),
    n,
    size: el('output'),
    bug: el(
      'select',
      { 'data-sv': 'bug' },
      el('option', { value: '' }, texts.real),
      ...bugs.map(({ name, title }) => el('option', { value: name }, title)),
    ),
    seed: el('input', { type: 'number', min: 0, step: 1, value: 0, 'data-sv': 'proof-seed' }),
  };
}

/** One of a few, as radio buttons side by side: { node, value(), set(value), write(value, text) }. */
function choice(name, label, options) {
  const inputs = Object.entries(options).map(([value, text], index) => [
    el('input', { type: 'radio', name: `sv-${name}`, value, checked: index === 0 }),
    el('span', {}, text),
  ]);
  const of = (value) => inputs.find(([input]) => input.value === value);
  return {
    node: el(
      'div',
      { 'data-sv': name, role: 'radiogroup', 'aria-label': label },
      el('span', { 'aria-hidden': 'true' }, label),
      ...inputs.map((pair) => el('label', {}, ...pair)),
    ),
    value: () => inputs.find(([input]) => input.checked)[0].value,
    set: (value) => {
      of(value)[0].checked = true;
    },
    write: (value, text) => write(of(value)[1], text),
  };
}

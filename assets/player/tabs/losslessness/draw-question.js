/**
 * draw-question.js: what the tab Is it exact? asks: place, token, number of samples, seed, sabotage. Every
 * change asks again.
 */

import { el, set, write } from '../../base/dom.js';
import { count } from '../../base/format.js';
import { placeOf, sizes } from './figures.js';
import { words } from '../words.js';

const N = 2000;

/**
 * offers: { fewest, most, bugs: [{ name, law, n }] }, want: { draw(), again(), compare(), why() }: again
 * hears of a change. { node, read(): { place, law, n, seed, bug }, set(question), bug(name): the offered
 * one with its title, asked(bug's title), here(position), comparable(yes) }.
 */
export function createQuestion({ fewest, most, bugs: offered }, want) {
  const texts = words.finding;
  const bugs = offered.map((bug) => ({ ...bug, title: texts.bugs[bug.name] }));
  const list = sizes(fewest, most);
  const { place, law, n, size, bug, seed } = createFields(list, bugs);
  const asks = el('p', { 'data-sv': 'asks' });
  const [draw, compare, why] = ['draw', 'compare', 'why'].map((name) => {
    const button = el('button', { type: 'button', 'data-sv': `proof-${name}` }, texts[name]);
    button.addEventListener('click', want[name]);
    return button;
  });
  const sabotage = row(texts.bug, bug);
  const node = el(
    'section',
    { 'data-sv': 'card', 'data-card': 'question', 'aria-label': texts.title },
    sabotage,
    asks,
    place.node,
    law.node,
    row(texts.n, n, size),
    row(texts.seed, seed),
    el('div', { 'data-sv': 'ways' }, draw, compare, why),
  );
  let position = 0;
  n.addEventListener('input', said);
  bug.addEventListener('change', () => {
    const chosen = bugs.find(({ name }) => name === bug.value);
    law.set(chosen?.law ?? 'first');
    n.value = Math.max(n.value, chosen ? placeOf(list, chosen.n) : 0);
  });
  node.addEventListener('change', () => {
    said();
    want.changed();
  });
  node.addEventListener('keydown', (event) => {
    // arrows, digits and letters are theirs, not the stage's
    if (event.target.matches('input, select')) event.stopPropagation();
  });
  said();

  function said() {
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
    set(asked) {
      place.set('prompt');
      law.set(asked.law);
      [n.value, seed.value, bug.value] = [placeOf(list, asked.n), asked.seed, asked.bug];
      said();
    },
    bug: (name) => bugs.find((each) => each.name === name) ?? null,
    asked: (title) => set(sabotage, { 'data-on': title !== '' }),
    here(at) {
      position = at;
      place.write('here', texts.places.here({ position: count(at) }));
      said();
    },
    comparable: (yes) => set(compare, { hidden: !yes }),
  };
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

function row(name, ...controls) {
  return el('label', {}, el('span', {}, name), ...controls);
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

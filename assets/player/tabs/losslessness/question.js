/**
 * question.js: what the Losslessness tab asks: place, law, number of samples, seed, planted bug. Every change asks again.
 */

import { el, set, write } from '../../base/dom.js';
import { clean, count } from '../../base/format.js';
import { placeOf, sizes } from './finding.js';
import { words } from './words.js';

const N = 2000;

/**
 * offers: { fewest, most, bugs: [{ name, title, law, n }] }, want: { draw(), cancel(), compare(), why() }.
 * { node, read(): { place, law, n, seed, bug }, bug(name): the offered one, here(position), comparable(yes), busy(text,
 * done), idle(text) }; done is a share, or null before there is any.
 */
export function createQuestion({ fewest, most, bugs }, want) {
  const texts = words.finding;
  const list = sizes(fewest, most);
  const asks = el('p', { 'data-sv': 'asks' });
  const place = choice('place', texts.place, { prompt: texts.places.prompt, here: texts.places.here('0') });
  const law = choice('law', texts.law, texts.laws);
  const n = el('input', { type: 'range', min: 0, max: list.length - 1, step: 1, 'data-sv': 'n', 'aria-label': texts.n });
  const size = el('output');
  const bug = el('select', { 'data-sv': 'bug' }, el('option', { value: '' }, texts.real), ...bugs.map(({ name, title }) => el('option', { value: name }, title)));
  const seed = el('input', { type: 'number', min: 0, step: 1, value: 0, 'data-sv': 'proof-seed' });
  const button = (name) => el('button', { type: 'button', 'data-sv': `proof-${name}` }, texts[name]);
  const [draw, cancel, compare, why] = ['draw', 'cancel', 'compare', 'why'].map(button);
  const progress = el('progress', { max: 1, 'aria-label': texts.progress, hidden: true });
  const note = el('p', { role: 'status' });
  const row = (name, ...controls) => el('label', {}, el('span', {}, name), ...controls);
  const node = el('section', { 'data-sv': 'card', 'data-card': 'question', 'aria-label': texts.title },
    el('div', { 'data-sv': 'heading' }, el('h2', {}, texts.title)), asks, place.node, law.node, el('div', { 'data-sv': 'amounts' }, row(texts.n, n, size), row(texts.seed, seed)), row(texts.bug, bug),
    el('div', { 'data-sv': 'ways' }, draw, cancel, why, compare), progress, note);
  let position = 0;
  set(cancel, { hidden: true });
  n.value = placeOf(list, N);
  draw.addEventListener('click', want.draw);
  cancel.addEventListener('click', want.cancel);
  compare.addEventListener('click', want.compare);
  why.addEventListener('click', want.why);
  n.addEventListener('input', said);
  bug.addEventListener('change', () => {
    const planted = bugs.find(({ name }) => name === bug.value);
    if (!planted) return;
    law.set(planted.law);
    n.value = placeOf(list, planted.n);
  });
  node.addEventListener('change', () => {
    said();
    want.draw();
  });
  node.addEventListener('keydown', (event) => {
    if (event.target.matches('input, select')) event.stopPropagation(); // arrows, digits and letters are theirs, not the stage's
  });
  said();

  function said() {
    const many = count(list[n.value]);
    write(size, many);
    set(n, { 'aria-valuetext': texts.samples(many) });
    write(asks, texts.asks[law.value()](count(place.value() === 'here' ? position : 0)));
  }

  function busy(running) {
    if (!running && document.activeElement === cancel) draw.focus();
    set(cancel, { hidden: !running });
    set(progress, { hidden: !running });
  }

  return {
    node,
    read: () => ({ place: place.value(), law: law.value(), n: list[n.value], seed: Number(seed.value), bug: bug.value }),
    bug: (name) => bugs.find((each) => each.name === name) ?? null,
    here(at) {
      position = at;
      place.write('here', texts.places.here(count(at)));
      said();
    },
    comparable: (yes) => set(compare, { hidden: !yes }),
    busy(text, done) {
      busy(true);
      set(progress, { value: done });
      set(note, { 'aria-live': done === null ? null : 'off' });
      write(note, text);
    },
    idle(text) {
      busy(false);
      set(note, { 'aria-live': null });
      write(note, clean(text));
    },
  };
}

/** One of a few, as radio buttons side by side: { node, value(), set(value), write(value, text) }. */
function choice(name, label, options) {
  const inputs = Object.entries(options).map(([value, text], index) => [el('input', { type: 'radio', name: `sv-${name}`, value, checked: index === 0 }), el('span', {}, text)]);
  const of = (value) => inputs.find(([input]) => input.value === value);
  return {
    node: el('div', { 'data-sv': name, role: 'radiogroup', 'aria-label': label }, el('span', { 'aria-hidden': 'true' }, label), ...inputs.map((pair) => el('label', {}, ...pair))),
    value: () => inputs.find(([input]) => input.checked)[0].value,
    set: (value) => { of(value)[0].checked = true; },
    write: (value, text) => write(of(value)[1], text),
  };
}

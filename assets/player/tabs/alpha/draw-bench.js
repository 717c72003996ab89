/**
 * draw-bench.js: where the α & γ tab measures what a round costs and sweeps γ, and where other numbers can be supposed.
 */

import { el, set, write } from '../../base/dom.js';
import { clean, number } from '../../base/format.js';
import { LENGTH, WIDTH } from './speedup.js';
import { inSteps } from '../../base/theory.js';
import { words } from './words.js';

/** From and to; to is more where twice the measured number is, which a chance cannot be. */
const RANGES = { alpha: [0, 1], c: [0, 1], cost: [0.5, 5] };

/**
 * want: { costs(), sweep(), cancel(), suppose(changes) }. { node, draw(basis, given, costs, config), busy(text, done), idle(text) }:
 * done is a share, or null before there is any; changes are { alpha, c, cost }, those that were moved.
 */
export function createBench(want) {
  const texts = words.alpha.bench;
  const button = (name, act) => {
    const node = el('button', { type: 'button', 'data-sv': `bench-${name}` }, texts[name]);
    node.addEventListener('click', () => node.hasAttribute('aria-disabled') || act());
    return node;
  };
  const [costs, sweep, cancel] = ['costs', 'sweep', 'cancel'].map((name) => button(name, want[name]));
  const reset = button('reset', () => suppose({}));
  const progress = el('progress', { max: 1, 'aria-label': texts.progress, hidden: true });
  const [note, about, from] = [el('p', { role: 'status', 'data-sv': 'bench-note' }), el('p', { 'data-sv': 'bench-about' }), el('p', { 'data-sv': 'bench-from' })];
  const sliders = Object.fromEntries(Object.keys(RANGES).map((name) => [name, createSlider(name, (value) => suppose({ ...given, [name]: value }))]));
  const node = el('section', { 'data-sv': 'card', 'data-card': 'bench', 'aria-label': texts.title },
    el('div', { 'data-sv': 'heading' }, el('h2', {}, texts.title)), from, el('div', { 'data-sv': 'bench-ways' }, costs, sweep, cancel), progress, note, about,
    el('div', { 'data-sv': 'heading' }, el('h2', {}, texts.whatIf), reset), ...Object.values(sliders).map((slider) => slider.node), el('p', { 'data-sv': 'bench-tilt' }, texts.tilt));
  let given = {};
  set(cancel, { hidden: true });
  node.addEventListener('keydown', (event) => {
    if (event.target.matches('input')) event.stopPropagation(); // arrows are the slider's, not the stage's
  });

  function suppose(changes) {
    given = changes;
    want.suppose(changes);
  }

  function busy(running) {
    if (!running && document.activeElement === cancel) sweep.focus();
    [costs, sweep].forEach((each) => set(each, { 'aria-disabled': running ? 'true' : null }));
    set(cancel, { hidden: !running });
    set(progress, { hidden: !running });
  }

  return {
    node,
    draw(basis, changes, measured, { max_new_tokens: length, temperature }) {
      given = changes;
      write(about, texts.about(Math.min(length, LENGTH), temperature === 0));
      write(from, fromLine(basis.from, measured));
      const base = { alpha: basis.alpha, c: basis.c, cost: basis.v(WIDTH) };
      Object.entries(sliders).forEach(([name, slider]) => slider.show(given[name] ?? base[name], base[name]));
      set(reset, { 'aria-disabled': Object.keys(given).length ? null : 'true' });
    },
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

function fromLine(from, costs) {
  const texts = words.alpha.bench.from;
  if (from !== 'measured') return texts[from];
  const step = costs.passes[0];
  return texts.measured(number(costs.draft), number(step), number(step * inSteps(costs).v(WIDTH)), number(costs.rest));
}

/** One number to suppose: { node, show(value, base) }; moved(value) hears another. */
function createSlider(name, moved) {
  const [symbol, about] = words.alpha.bench.sliders[name];
  const [least, most] = RANGES[name];
  const input = el('input', { type: 'range', min: least, max: most, step: 0.01, 'data-sv': `suppose-${name}`, 'aria-label': `${symbol}: ${about}` });
  const value = el('output');
  input.addEventListener('input', () => moved(Number(input.value)));
  return {
    node: el('label', { 'data-sv': 'suppose' }, el('b', {}, symbol), el('span', {}, about), input, value),
    show(now, base) {
      set(input, { max: name === 'alpha' ? most : Math.max(most, Math.ceil(2 * base)), 'aria-valuetext': number(now) });
      input.value = now ?? least;
      write(value, number(now));
    },
  };
}

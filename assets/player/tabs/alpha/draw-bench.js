/**
 * draw-bench.js: where the tab Acceptance measures what a round costs and sweeps γ, and where other numbers
 * can be supposed.
 */

import { el, set, write } from '../../base/dom.js';
import { number } from '../../base/format.js';
import { LENGTH, WIDTH } from './sums-speedup.js';
import { inSteps } from '../../base/theory.js';
import { words } from '../words.js';

/** From and to; to is more where twice the measured number is, which a chance cannot be. */
const RANGES = { alpha: [0, 1], c: [0, 1], cost: [0.5, 5] };

/**
 * want: { costs(), sweep(), suppose(changes) }. { node, draw(basis, supposed, costs, config, before),
 * running(yes) }: changes are { alpha, c, cost }, those that were moved; before: { record, strange: another
 * run's name or false } where the costs are recorded ones, else false.
 */
export function createBench(want) {
  const texts = words.alpha.bench;
  const button = (name, act) => {
    const node = el('button', { type: 'button', 'data-sv': `bench-${name}` }, texts[name]);
    node.addEventListener('click', () => node.hasAttribute('aria-disabled') || act());
    return node;
  };
  const [costs, sweep] = ['costs', 'sweep'].map((name) => button(name, want[name]));
  const reset = button('reset', () => suppose({}));
  const [about, from, tilt] = [
    el('p', { 'data-sv': 'bench-about' }),
    el('p', { 'data-sv': 'bench-from' }),
    el('p', { 'data-sv': 'bench-tilt' }, texts.tilt),
  ];
  const sliders = Object.fromEntries(
    Object.keys(RANGES).map((name) => [
      name,
      createSlider(name, (value) => suppose({ ...supposed, [name]: value })),
    ]),
  );
  const node = el(
    'section',
    { 'data-sv': 'card', 'data-card': 'bench', 'aria-label': texts.title },
    el('div', { 'data-sv': 'heading' }, el('h3', {}, texts.whatIf), reset),
    ...Object.values(sliders).map((slider) => slider.node),
    tilt,
    from,
    el('div', { 'data-sv': 'bench-ways' }, sweep, costs),
    about,
  );
  let supposed = {};
  node.addEventListener('keydown', (event) => {
    if (event.target.matches('input')) event.stopPropagation(); // arrows are the slider's, not the stage's
  });

  function suppose(changes) {
    supposed = changes;
    want.suppose(changes);
  }

  return {
    node,
    draw(basis, changes, measured, { max_new_tokens: length, temperature }, before) {
      supposed = changes;
      write(about, texts.about({ tokens: Math.min(length, LENGTH), greedy: temperature === 0 }));
      write(from, fromLine(basis, measured, before));
      set(tilt, { hidden: Boolean(basis.rows) });
      const base = { alpha: basis.alpha, c: basis.c, cost: basis.v(WIDTH) };
      Object.entries(sliders).forEach(([name, slider]) =>
        slider.show(supposed[name] ?? base[name], base[name], slidersOf(basis)[name]),
      );
      set(reset, { 'aria-disabled': Object.keys(supposed).length ? null : 'true' });
    },
    running: (yes) => [costs, sweep].forEach((each) => set(each, { 'aria-disabled': yes ? 'true' : null })),
  };
}

function fromLine({ from, rows = WIDTH }, costs, before) {
  const texts = words.alpha.bench.from;
  if (from !== 'measured') return texts[from];
  const step = costs.passes[0];
  const where = before
    ? texts.before({ machine: words.head.machine(before.record) }) +
      (before.strange ? texts.strange({ run: before.strange }) : '')
    : texts.here;
  return (
    where +
    texts.measured({
      draft: number(costs.draft),
      step: number(step),
      rows,
      pass: number(step * inSteps(costs).v(rows)),
      rest: number(costs.rest),
    })
  );
}

/** [symbol, what it is] by name; those of a tree cost a level, and a pass over all of it. */
function slidersOf({ rows }) {
  const { sliders, ofTree } = words.alpha.bench;
  if (!rows) return sliders;
  return { ...sliders, c: ['c', ofTree.c], cost: [`v(${rows})`, ofTree.cost({ rows })] };
}

/** One number to suppose: { node, show(value, base, [symbol, about]) }; moved(value) hears another. */
function createSlider(name, moved) {
  const [least, most] = RANGES[name];
  const input = el('input', {
    type: 'range',
    min: least,
    max: most,
    step: 0.01,
    'data-sv': `suppose-${name}`,
  });
  const [symbol, about, value] = [el('b'), el('span'), el('output')];
  input.addEventListener('input', () => moved(Number(input.value)));
  return {
    node: el('label', { 'data-sv': 'suppose' }, symbol, about, input, value),
    show(now, base, texts) {
      [symbol, about].forEach((node, at) => write(node, texts[at]));
      set(input, {
        'aria-label': texts.join(': '),
        max: name === 'alpha' ? most : Math.max(most, Math.ceil(2 * base)),
        'aria-valuetext': number(now),
      });
      input.value = now ?? least;
      write(value, number(now));
    },
  };
}

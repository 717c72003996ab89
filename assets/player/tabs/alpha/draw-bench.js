/**
 * draw-bench.js: where the tab Acceptance measures what a round costs and sweeps γ, and where other numbers
 * can be supposed.
 */

import { el, set, write } from '../../base/dom.js';
import { number, numbers } from '../../base/format.js';
import { createCard, createHeading, keepKeys, lock, lockable, paragraphs } from '../parts.js';
import { LENGTH, WIDTH } from './sums-speedup.js';
import { inSteps } from '../../base/theory.js';
import { words } from '../words.js';

/** From and to; to is more where twice the measured number is, which a chance cannot be. */
const RANGES = { alpha: [0, 1], c: [0, 1], cost: [0.5, 5] };

/**
 * want: { costs(), sweep(), suppose(changes) }, changes being { alpha, c, cost }, those that were moved.
 * @returns {{node: HTMLElement, draw: (basis: object, changes: object, costs: ?object, config: object,
 * before: {record: object, strange: string | false} | false) => void, running: (yes: boolean) => void}} before says
 * that the costs are recorded ones, and of which run if of another
 */
export function createBench(want) {
  const texts = words.alpha.bench;
  const createButton = (name, act) => lockable({ 'data-sv': `bench-${name}` }, act, texts[name]);
  const [costs, sweep] = ['costs', 'sweep'].map((name) => createButton(name, want[name]));
  const reset = createButton('reset', () => suppose({}));
  const [about, from, tilt] = paragraphs('bench-about', 'bench-from', 'bench-tilt');
  const sliders = Object.entries(RANGES).map(([name, range]) =>
    createSlider(name, range, (value) => suppose({ ...supposed, [name]: value })),
  );
  const node = createCard(
    'bench',
    texts.title,
    createHeading(texts.whatIf, reset),
    ...sliders.map((slider) => slider.node),
    tilt,
    from,
    el('div', { 'data-sv': 'bench-ways' }, sweep, costs),
    about,
  );
  let supposed = {};
  write(tilt, texts.tilt);
  keepKeys(node, 'input');

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
      const labels = slidersOf(basis);
      sliders.forEach(({ name, show }) => show(supposed[name] ?? base[name], base[name], labels[name]));
      lock(reset, !Object.keys(supposed).length);
    },
    running: (yes) => [costs, sweep].forEach((each) => lock(each, yes)),
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
      ...numbers({ draft: costs.draft, step, pass: step * inSteps(costs).v(rows), rest: costs.rest }),
      rows,
    })
  );
}

/** [symbol, what it is] by name; those of a tree cost a level, and a pass over all of it. */
function slidersOf({ rows }) {
  const { sliders, ofTree } = words.alpha.bench;
  if (!rows) return sliders;
  return { ...sliders, c: ['c', ofTree.c], cost: [`v(${rows})`, ofTree.cost({ rows })] };
}

/** One number to suppose: { node, name, show(value, base, [symbol, about]) }; onMove(value) is given another. */
function createSlider(name, [least, most], onMove) {
  const input = el('input', {
    type: 'range',
    min: least,
    max: most,
    step: 0.01,
    'data-sv': `suppose-${name}`,
  });
  const [symbol, about, value] = [el('b'), el('span'), el('output')];
  input.addEventListener('input', () => onMove(Number(input.value)));
  return {
    name,
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

/**
 * draw-lengths.js: a slider from a draft of one guess to a long one: what the run would have come to. The guesses of a
 * round are paler the less often they would be accepted. Where nothing was timed, a person says what a guess and a
 * check cost.
 */

import { el, fill, set, write } from '../../base/dom.js';
import { multiple, number } from '../../base/format.js';
import { words } from '../words.js';

/** In plain steps, until somebody says otherwise: a large model on a GPU, see trace/machine.js. */
const COSTS = { guess: 0.1, check: 1 };

/** { node, draw(lengths): see round/result.js; whether they are others than before }; choose(gamma) hears a move. */
export function createLengths(choose) {
  const says = words.result.lengths;
  const input = el('input', { type: 'range', min: 1, max: 1, 'aria-label': says.label });
  const [guesses, value] = ['lengths-guesses', 'lengths-value'].map((name) =>
    el('output', { 'data-sv': name }),
  );
  const [asked, costs] = createCosts(says);
  const node = el(
    'div',
    { 'data-sv': 'lengths', hidden: true },
    asked,
    el('i', { 'data-sv': 'var' }, 'γ'),
    input,
    guesses,
    value,
  );
  let shown = null;

  function show() {
    const gamma = Number(input.value);
    const own = gamma === shown?.gamma;
    const { reached = [], ...would } = shown?.all[gamma - 1] ?? {};
    const [guess, check] = costs.map((cost) => Number(cost.value));
    const speedup = would.speedup ?? would.tokens / (gamma * guess + check);
    const told = shown && toldOf(shown, gamma, { ...would, speedup });
    const text = told ? says[would.speedup ? (own ? 'own' : 'other') : 'asked'](told) : '';
    set(asked, { hidden: !shown || Boolean(would.speedup) });
    fill(
      guesses,
      reached,
      () => el('i'),
      (guess, chance) => set(guess, { style: `opacity: ${(0.12 + 0.88 * chance).toFixed(2)}` }),
    );
    write(value, text);
    set(input, { 'aria-valuetext': text || null });
    return own || !would.speedup ? null : gamma;
  }

  [input, ...costs].forEach((each) => each.addEventListener('input', () => choose(show())));
  return {
    node,
    draw(lengths) {
      set(node, { hidden: !lengths });
      if (JSON.stringify(lengths) === JSON.stringify(shown)) return false;
      shown = lengths;
      set(input, { max: shown?.all.length ?? 1 });
      input.value = shown?.gamma ?? 1;
      show();
      return true;
    },
  };
}

/** The fields of what a guess and a check cost: [all of it, the fields]. */
function createCosts(says) {
  const costs = Object.entries(COSTS).map(([name, start]) =>
    el('input', { type: 'number', min: 0, max: 10, step: 0.05, value: start, 'aria-label': says[name] }),
  );
  const labelled = [says.guess, costs[0], says.check, costs[1]];
  return [el('span', { 'data-sv': 'lengths-costs', hidden: true }, ...labelled), costs];
}

function toldOf({ gamma: own }, gamma, { tokens, passes, speedup }) {
  return { gamma, own, passes, tokens: number(tokens, 2), times: multiple(speedup) };
}

/**
 * live.js: the article's sliders, and what they move: two charts, four sentences, and the two ways in which
 * a token gets into a text.
 */

import { el, set, write } from '../base/dom.js';
import { count, multiple, number, numbers, trimmed } from '../base/format.js';
import { words } from '../words/words.js';
import { speed, tokens } from './figures.js';
import { WIDTH, mixture, thumbsOf, tilted, worth } from './sums.js';

/** [least, most, step]. */
const RANGES = {
  alpha: [0, 1, 0.01],
  gamma: [0, 12, 1],
  c: [0, 1, 0.01],
  cost: [0.5, 5, 0.01],
  p: [0, 1, 0.01],
  q: [0, 1, 0.01],
};
/** Where the last two begin. */
const GUESS = { p: 0.6, q: 0.35 };
/** The example of how far one alpha can mislead. */
const [EASY, HARD] = [0.95, 0.45];

/**
 * charts: { tokens, speed }, charts of page/chart.js.
 * @returns {{sliders: object, ways: Element, says: object, begin: (basis: object) => void}} says: the sentences
 * by name, as paragraphs; begin sets the sliders to { alpha, gamma, c, v, overhead }
 */
export function createLive(charts) {
  const sliders = Object.fromEntries(Object.keys(RANGES).map((name) => [name, createSlider(name, draw)]));
  const says = Object.fromEntries(
    ['share', 'from', 'pair', 'thumbs', 'mixture'].map((name) => [name, el('p')]),
  );
  const parts = ['kept', 'added', 'lost'].map((way) => el('i', { 'data-way': way }));
  const ways = el('div', { 'data-sv': 'article-ways', role: 'img' }, ...parts);
  let basis = null;

  function draw() {
    const { alpha, gamma, c, cost, p, q } = Object.fromEntries(
      Object.entries(sliders).map(([name, { input }]) => [name, input.valueAsNumber]),
    );
    const chosen = { alpha, gamma, c, v: tilted(basis.v, cost), overhead: basis.overhead };
    const found = worth(chosen);
    charts.tokens.draw(tokens(chosen, found));
    charts.speed.draw(speed(chosen, found));
    for (const [name, text] of Object.entries(sentencesOf(chosen, found))) write(says[name], text);
    drawWays(ways, says.share, p, q);
  }

  return {
    sliders: Object.fromEntries(Object.entries(sliders).map(([name, { node }]) => [name, node])),
    ways,
    says,
    begin(numbersNow) {
      basis = numbersNow;
      const at = { ...GUESS, ...basis, cost: basis.v(WIDTH) };
      Object.entries(sliders).forEach(([name, slider]) => slider.show(at[name]));
      draw();
    },
  };
}

function sentencesOf({ alpha, gamma, c }, { curve, from, dear }) {
  const { article: texts } = words;
  const many = Math.max(1, gamma);
  const here = { gamma, alpha: trimmed(alpha), times: multiple(curve[gamma].speedup) };
  const { most, refused } = thumbsOf({ alpha, gamma });
  return {
    from: texts.from({ gamma, why: from.why, alpha: number(from.alpha) }),
    pair: texts.pair({ ...here, c: number(c), why: dear.why, needed: number(dear.alpha) }),
    thumbs: texts.thumbs({ ...here, most, refused: multiple(refused), tokens: number(curve[gamma].tokens) }),
    mixture: texts.mixture({ ...numbers(mixture(EASY, HARD, many)), easy: EASY, hard: HARD, gamma: many }),
  };
}

/** The two ways in which a token gets into the text, as lengths on p and q. */
function drawWays(ways, says, p, q) {
  const parts = { kept: Math.min(p, q), added: Math.max(0, p - q), lost: Math.max(0, q - p) };
  for (const part of ways.children) set(part, { style: `flex-grow: ${parts[part.dataset.way]}` });
  const more = p > q ? 'p' : p < q ? 'q' : 'same';
  const text = words.article.share({ p: trimmed(p), q: trimmed(q), ...numbers(parts), more });
  write(says, text);
  set(ways, { 'aria-label': text });
}

/** { input, node, show(value) }. */
function createSlider(name, moved) {
  const [symbol, about] = words.article.sliders[name];
  const [min, max, step] = RANGES[name];
  const label = `${symbol}: ${about}`;
  const input = el('input', { type: 'range', min, max, step, 'aria-label': label, 'data-sv': `set-${name}` });
  const output = el('output');
  const say = () => {
    const text = name === 'gamma' ? count(input.valueAsNumber) : trimmed(input.valueAsNumber);
    set(input, { 'aria-valuetext': text });
    write(output, text);
  };
  input.addEventListener('input', () => {
    say();
    moved();
  });
  return {
    input,
    node: el(
      'label',
      { 'data-sv': 'article-slider' },
      el('b', {}, symbol),
      el('span', {}, about),
      input,
      output,
    ),
    show(value) {
      input.value = value;
      say();
    },
  };
}

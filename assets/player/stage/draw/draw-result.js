/**
 * draw-result.js: the result of a run: its whole text over the two clocks, what came of its guesses, and where to go
 * from here.
 */

import { button, el, set, write } from '../../base/dom.js';
import { createLengths } from './draw-lengths.js';
import { drawText, textParts } from './draw-text.js';
import { words } from '../words.js';

const ACTS = ['measure', 'gamma', 'more', 'race', 'drafter', 'link', 'card'];

/** { outcome, text, clocks, close: { … } }; the clocks are between outcome and close. */
export function resultParts() {
  const text = textParts();
  new ResizeObserver(() => showMade(text)).observe(text.node);
  const [advice, facts] = ['advice', 'facts'].map((name) => el('p', { 'data-sv': name }));
  const lengths = createLengths((gamma) => offerGamma(acts.gamma, gamma));
  const bar = el('progress', { max: 1, 'aria-label': words.result.progress, hidden: true });
  const said = el('p', { 'data-sv': 'result-said', role: 'status' });
  const timing = el('div', { 'data-sv': 'timing' }, said, bar);
  const acts = Object.fromEntries(
    ACTS.map((name) => [
      name,
      button({ 'data-act': name, hidden: true }, () => {}, words.result.acts[name] ?? ''),
    ]),
  );
  const actions = el('div', { 'data-sv': 'actions' }, ...Object.values(acts));
  return {
    outcome: el('section', { 'data-sv': 'outcome' }, text.node),
    text,
    closing: {
      node: el('div', { 'data-sv': 'closing' }, timing, advice, lengths.node, facts, actions),
      advice,
      lengths,
      facts,
      bar,
      said,
      acts,
    },
  };
}

const NOTHING = { text: { prompt: '', made: '', code: false }, advice: null, lengths: null, facts: '' };

/** Draws a scene's result; at any other beat there is none. */
export function drawResult({ outcome, closing, text }, { result, ribbon, at }) {
  [outcome, closing.node].forEach((part) => set(part, { hidden: !result }));
  const shown = result ?? NOTHING;
  drawText(text, shown.text, result && ribbon.end);
  write(closing.facts, shown.facts);
  write(closing.advice, shown.advice?.line ?? '');
  if (closing.lengths.draw(shown.lengths)) offerGamma(closing.acts.gamma, shown.advice?.gamma);
  if (closing.at !== at) {
    [closing.said, closing.acts.measure, closing.acts.more].forEach((part) => write(part, ''));
    [closing.acts.measure, closing.acts.more, closing.bar].forEach((part) => set(part, { hidden: true }));
    showMade(text);
  }
  closing.at = at;
}

/** Has a button run the same with another draft length, if there is one to try and the page can run. */
function offerGamma(act, gamma) {
  write(act, gamma ? words.result.tryGamma({ gamma }) : '');
  set(act, { hidden: !gamma || !('runs' in act.dataset), 'data-gamma': gamma || null });
}

/** Scrolls a text that does not fit to where the prompt ends, or to its own end. */
function showMade({ node, made }) {
  const line = parseFloat(getComputedStyle(node).lineHeight) || 0;
  node.scrollTop = made.offsetTop - node.offsetTop - line;
}

/** Has the buttons do these things; the others are not there. */
export function giveActs(closing, given) {
  const { acts } = closing;
  set(acts.gamma, { 'data-runs': Boolean(given.gamma) });
  for (const [name, act] of Object.entries(given)) {
    acts[name].addEventListener('click', act);
    if (!['measure', 'gamma', 'more'].includes(name)) set(acts[name], { hidden: false });
  }
}

/**
 * share: of the timing that is done, or null; says, and what can be pressed to measure, or to have more text, ''
 * where nothing can.
 */
export function drawTiming({ bar, said, acts }, { share, says, ...offers }) {
  set(bar, { hidden: share === null, value: share });
  for (const [name, offer] of Object.entries(offers)) {
    set(acts[name], { hidden: !offer });
    write(acts[name], offer);
  }
  write(said, says);
}

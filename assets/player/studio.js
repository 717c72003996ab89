/**
 * studio.js: the round of a run that tells most, as a card and as a picture that moves, of one size whatever the
 * window's. They are drawn in a frame out of sight.
 */

import { el, set } from './base/dom.js';
import { readable } from './base/format.js';
import { moving } from './base/webp.js';
import { isDark } from './page/gradio.js';
import { pngOf, svgOf } from './page/still.js';
import { createChip, paintChip } from './stage/draw/draw-chip.js';
import { drawRuler, measureRuler, placeRuler, rulerParts } from './stage/draw/draw-ruler.js';
import { maths } from './stage/draw/draw-words.js';
import { postcardOf } from './stage/lead/postcard.js';

const SIZE = { width: 1200, height: 630, letters: '26px' };
const OUT_OF_SIGHT = 'position: fixed; left: -1300px; top: 0; border: 0; width: 1200px; height: 630px';
/** A picture sets its letters a little wider than the page, so they are measured in less room. */
const NARROWER = 'width: 1164px';
/** Letters of the sentence at most: it is one line. */
const SAYS = 1.2;
/** Letters of the text, in those of the page: the largest that fit, and else as many tokens as fit in the smallest. */
const [LARGEST, SMALLEST, STEP] = [4.5, 2, 0.125];
/** Where a number is while it falls: what is left of its way, in letters. */
const FALL = [0.6, 0.4, 0.15, 0];

/** A run as a PNG, a Blob. */
export function cardOf(story) {
  return inStudio(story, (draw, { steps }) => pngOf(draw(steps.at(-1)), 1));
}

/** A run as a WebP that moves, a Blob; null where the browser makes no WebP. */
export function roundOf(story) {
  return inStudio(story, async (draw, { steps }) => {
    const frames = [];
    for (const step of steps) {
      const falls = step.falls ? FALL : [0];
      for (const fall of falls) {
        const still = await pngOf(draw(step, fall), 1, 'image/webp');
        if (still?.type !== 'image/webp') return null;
        frames.push({ bytes: new Uint8Array(await still.arrayBuffer()), ms: step.ms / falls.length });
      }
    }
    return new Blob([moving(frames, SIZE.width, SIZE.height)], { type: 'image/webp' });
  });
}

/** make(draw, postcard) makes something of pictures; draw(step, fall) is the SVG of a step. */
async function inStudio(story, make) {
  const frame = el('iframe', { style: OUT_OF_SIGHT, 'aria-hidden': 'true', tabindex: -1 });
  document.body.append(frame);
  const room = frame.contentDocument;
  const look = isDark() ? 'dark' : '';
  room.head.append(...[...document.querySelectorAll('style')].map((style) => style.cloneNode(true)));
  set(room.documentElement, { lang: document.documentElement.lang, style: `font-size: ${SIZE.letters}` });
  set(room.body, { class: look, style: 'margin: 0' });
  const root = el('section', { 'data-sv': 'stage' });
  room.body.append(root);
  const postcard = postcardOf(story);
  const draw = createPostcard(root, postcard);
  try {
    return await make((...step) => (draw(...step), svgOf(root, '', { ...SIZE, look })), postcard);
  } finally {
    frame.remove();
  }
}

/** Fills root with a postcard, see postcard.js, whose chips keep their places; returns what draws a step of it. */
function createPostcard(root, { before, round, steps, passes, about }) {
  const chips = round.map(() => createChip());
  const text = el(
    'p',
    { 'data-sv': 'postcard-text' },
    ...before.map(createToken),
    ...chips.flatMap((each) => [' ', each]),
  );
  const [says, result] = [
    el('p', { 'data-sv': 'headline' }),
    el('p', { 'data-sv': 'headline' }, ...maths(passes)),
  ];
  const parts = rulerParts({});
  root.append(el('div', { 'data-sv': 'postcard' }, text, says, parts.ruler, result, el('p', {}, about)));
  function draw(step, fall = 0) {
    chips.forEach((chip, at) =>
      paintChip(chip, step.states[at] ? round[at] : '', step.states[at] ?? 'empty'),
    );
    says.replaceChildren(...maths(step.says));
    set(parts.ruler, { hidden: !step.ruler });
    if (!step.ruler) return;
    drawRuler(parts, step.ruler);
    placeRuler(parts, step.ruler, measureRuler(parts));
    parts.dart.style.translate = `0 -${fall}rem`;
  }
  set(root, { style: NARROWER });
  const widths = steps.map((step) => (draw(step), says.scrollWidth));
  set(says, { style: `font-size: ${(SAYS * says.clientWidth) / Math.max(...widths)}rem` });
  fit(text);
  set(root, { style: null });
  chips.forEach((chip) => (chip.style.width = `${chip.getBoundingClientRect().width}px`));
  return draw;
}

/** A token of the text; a break is a sign in the line. */
function createToken({ raw, state }) {
  const shown = readable(raw.replace(/\s*\n\s*/g, ' ⏎ '));
  const [lead] = /^\s*/.exec(shown);
  return el('span', { 'data-sv': 'token', 'data-state': state }, lead, el('u', {}, shown.slice(lead.length)));
}

/** Gives a text the largest letters it has room for, or else lets its beginning go. */
function fit(text) {
  const overflows = () => text.scrollHeight > text.clientHeight;
  let size = LARGEST;
  do set(text, { style: `font-size: ${(size -= STEP)}rem` });
  while (overflows() && size > SMALLEST);
  if (overflows()) text.prepend('… ');
  else return;
  const inWord = ({ dataset, textContent }) => dataset.sv === 'token' && /^\p{Ll}/u.test(textContent);
  while (overflows() || inWord(text.firstElementChild)) text.firstElementChild.remove();
}

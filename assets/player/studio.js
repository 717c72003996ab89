/**
 * studio.js: pictures of a run of one size, whatever the window's: the result as a card, and a round that
 * moves. They are drawn on their own stage in a frame out of sight.
 */

import { el, set } from './base/dom.js';
import { moving } from './base/webp.js';
import { isDark } from './page/gradio.js';
import { captionOf } from './page/share.js';
import { pngOf, svgOf } from './page/still.js';
import { createClocks } from './stage/draw/draw-clocks.js';
import { createStage } from './stage/draw/draw.js';
import { roundToShow } from './stage/lead/guide-stops.js';
import { stay } from './stage/round/stay.js';
import { scene } from './stage/scene.js';

const SIZE = { width: 1200, height: 630, letters: '17px' };
const [ROOM, OUT_OF_SIGHT] = [
  'box-sizing: border-box; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); ' +
    'width: 1200px; height: 590px; padding: 1rem 1.75rem 0',
  'position: fixed; left: -1300px; top: 0; border: 0; width: 1200px; height: 630px',
];
/** Milliseconds that a picture of a round stays at least. */
const LEAST = 900;

/** The result of a run as a PNG, a Blob. */
export function cardOf(story) {
  return inStudio(story, (draw) => pngOf(draw(story.beats.length - 1), 1));
}

/** A telling round of a run as a WebP that moves, a Blob; null where the browser makes no WebP. */
export function roundOf(story) {
  const { index } = roundToShow(story.trace.rounds) ?? story.trace.rounds[0];
  const [from, to] = [index, index + 1].map((round) => story.rounds[round].beat);
  return inStudio(story, async (draw) => {
    const frames = [];
    for (let at = from; at < to; at += 1) {
      const still = await pngOf(draw(at), 1, 'image/webp');
      if (still?.type !== 'image/webp') return null;
      const bytes = new Uint8Array(await still.arrayBuffer());
      frames.push({ bytes, ms: Math.max(LEAST, stay(story, at, 'reading', 0)) });
    }
    return new Blob([moving(frames, SIZE.width, SIZE.height)], { type: 'image/webp' });
  });
}

/** make(draw) makes something of pictures; draw(at) is the SVG of a beat. */
async function inStudio(story, make) {
  const frame = el('iframe', { style: OUT_OF_SIGHT, 'aria-hidden': 'true', tabindex: -1 });
  document.body.append(frame);
  const room = frame.contentDocument;
  const round = el('div', { 'data-sv': 'round', style: 'grid-area: 1 / 1' });
  const about = { 'data-sv': 'stage', 'data-tab': 'round', 'data-ready': '', style: ROOM };
  const root = el('section', about, round);
  const sheets = [...document.querySelectorAll('style')].map((style) => style.cloneNode(true));
  room.head.append(...sheets);
  set(room.documentElement, { lang: document.documentElement.lang, style: `font-size: ${SIZE.letters}` });
  set(room.body, { class: isDark() ? 'dark' : null, style: 'margin: 0' });
  room.body.append(root);
  const stage = createStage(round, {});
  createClocks(stage.parts.clocks).draw(story);
  const caption = captionOf(story.trace);
  try {
    return await make((at) => {
      stage.draw(scene(story, at));
      // the result is of the whole run, not of its last round
      set(stage.parts.eyebrow, { hidden: story.beats[at].kind === 'result' });
      return svgOf(root, caption, { ...SIZE, look: isDark() ? 'dark' : '' });
    });
  } finally {
    frame.remove();
  }
}

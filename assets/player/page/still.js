/**
 * still.js: what is on stage as a picture, with a caption. An SVG holds the page's own elements and style
 * sheet, so the picture is what the page shows; a PNG is drawn from it.
 */

import { el, set } from '../base/dom.js';

const SPACE = { svg: 'http://www.w3.org/2000/svg', html: 'http://www.w3.org/1999/xhtml' };
/** What lies over the stage, and has no part in the picture. */
const OVER = '[role="menu"], dialog, [data-sv="refusal"], [data-sv="drop"], [data-sv="file"]';
/** What is there to be pressed: its place stays, so that nothing else moves. */
const CHROME =
  'select, [data-sv="tabs"], [data-sv="buttons"], [data-sv="offers"], [data-sv="actions"], ' +
  '[data-sv="pace-slot"], [data-sv="view"], [data-sv="docks"], [data-sv="close"], [data-sv="meanwhile"]';
/** Pixels of a PNG for each of the page's. */
const SCALE = 2;

/**
 * The stage, root, as an SVG of the window's size, which style sheets ask for, and with its letters and look; or
 * of what size = { width, height, letters, look } says.
 */
export function svgOf(root, caption, size = {}) {
  const { innerWidth, innerHeight } = window;
  const { fontSize } = getComputedStyle(document.documentElement);
  const usual = { width: innerWidth, height: innerHeight, letters: fontSize, look: document.body.className };
  const { width, height, letters, look } = { ...usual, ...size };
  const stage = root.cloneNode(true);
  stage.querySelectorAll(OVER).forEach((node) => node.remove());
  stage.querySelectorAll(CHROME).forEach((node) => set(node, { style: 'visibility: hidden' }));
  stage.querySelectorAll('[data-sv="whole"]').forEach((node) => set(node, { style: 'overflow: hidden' }));
  stage.querySelectorAll('input').forEach((input) => set(input, { value: input.value }));
  const body = document.createElementNS(SPACE.html, 'body');
  set(body, {
    lang: document.documentElement.lang,
    class: look,
    style: `margin: 0; height: ${height}px; background: var(--sv-background)`,
  });
  body.append(stage, ...(caption ? [el('p', { 'data-sv': 'caption' }, caption)] : []));
  const holder = document.createElementNS(SPACE.svg, 'foreignObject');
  set(holder, { width, height });
  holder.append(body);
  const style = document.createElementNS(SPACE.svg, 'style');
  style.textContent = [...document.querySelectorAll('style')].find(({ textContent }) =>
    textContent.includes('.s-stage'),
  ).textContent;
  const picture = document.createElementNS(SPACE.svg, 'svg');
  set(picture, { width, height, viewBox: `0 0 ${width} ${height}`, style: `font-size: ${letters}` });
  picture.append(style, holder);
  return new XMLSerializer().serializeToString(picture);
}

/** An SVG as a picture, a Blob: a PNG or what else the browser can make; `scale` pixels for each of its own. */
export async function pngOf(svg, scale = SCALE, type = 'image/png') {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = el('canvas', { width: scale * image.width, height: scale * image.height });
  canvas.getContext('2d', { alpha: false }).drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, type, 0.9));
}

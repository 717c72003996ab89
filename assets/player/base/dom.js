/**
 * dom.js: the few ways the player touches the document. Text goes in as text, never as markup.
 */

const SVG = 'http://www.w3.org/2000/svg';

/** An element with attributes and children; null and false attributes are left out, strings become text. */
export function el(name, attributes = {}, ...children) {
  return furnish(document.createElement(name), attributes, children);
}

/** The same in SVG. */
export function svg(name, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, name), attributes, children);
}

function furnish(node, attributes, children) {
  set(node, attributes);
  node.append(...children);
  return node;
}

/**
 * Sets attributes; null and false remove, true sets an empty one. Attributes come to stand in the order given, whatever
 * was there before, so that the same scene is the same markup however it was reached.
 */
export function set(node, attributes) {
  const wanted = Object.entries(attributes).map(([name, value]) => [name, value === null || value === false ? null : value === true ? '' : String(value)]);
  if (wanted.some(([name, value]) => node.hasAttribute(name) !== (value !== null))) wanted.forEach(([name]) => node.removeAttribute(name));
  for (const [name, value] of wanted) {
    if (value !== null && node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  return node;
}

/** Writes text only where it differs, so that a live region speaks once. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Makes a parent hold exactly one child per item, reusing what is there; paint(child, item, index) fills each. */
export function fill(parent, items, create, paint) {
  while (parent.childElementCount > items.length) {
    const last = parent.lastElementChild;
    if (last === document.activeElement) last.previousElementSibling?.focus({ preventScroll: true }); // or the keys would lose the stage
    last.remove();
  }
  while (parent.childElementCount < items.length) parent.append(create(parent.childElementCount));
  let child = parent.firstElementChild;
  items.forEach((item, index) => {
    paint(child, item, index);
    child = child.nextElementSibling;
  });
}

/** The item so many places on from an index, or the one at that end. */
export function along(list, index, way) {
  return list[Math.max(0, Math.min(list.length - 1, index + way))];
}

/** Pieces of notation, text or { sub }, into a node. */
export function writeMath(node, pieces) {
  const key = JSON.stringify(pieces);
  if (node.shows === key) return;
  node.shows = key;
  node.replaceChildren(...pieces.map((piece) => (typeof piece === 'string' ? piece : el('sub', {}, piece.sub))));
}

/** An icon drawn from one path in a 24 by 24 box, hidden from assistive technology. */
export function icon(path) {
  return svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: path }));
}

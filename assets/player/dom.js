/**
 * dom.js: the few ways the player touches the document. Text goes in as text, never as markup.
 */

/** An element with attributes and children; null and false attributes are left out, strings become text. */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  set(node, attributes);
  node.append(...children);
  return node;
}

/** Sets attributes; null and false remove, true sets an empty one. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(value === true ? '' : value)) node.setAttribute(name, value === true ? '' : value);
  }
  return node;
}

/** Writes text only where it differs, so that a live region speaks once. */
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Makes a parent hold exactly one child per item, reusing what is there; paint(child, item, index) fills each. */
export function fill(parent, items, create, paint) {
  while (parent.childElementCount > items.length) parent.lastElementChild.remove();
  while (parent.childElementCount < items.length) parent.append(create(parent.childElementCount));
  items.forEach((item, index) => paint(parent.children[index], item, index));
}

/** An icon drawn from one path in a 24 by 24 box, hidden from assistive technology. */
export function icon(path) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  const line = document.createElementNS(space, 'path');
  line.setAttribute('d', path);
  set(svg, { viewBox: '0 0 24 24', 'aria-hidden': 'true' });
  svg.append(line);
  return svg;
}

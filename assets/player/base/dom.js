/**
 * dom.js: the few ways the player touches the document. Text goes in as text, never as markup.
 */

const SVG = 'http://www.w3.org/2000/svg';

/** An element with attributes and children; null and false attributes are left out, strings become text. */
export function el(name, attributes = {}, ...children) {
  return furnish(document.createElement(name), attributes, children);
}

/** An SVG element, made the same way. */
export function svg(name, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, name), attributes, children);
}

/**
 * Makes the name in data-sv a class as well: browsers match a class several times faster than an attribute.
 */
function furnish(node, attributes, children) {
  set(node, attributes);
  if (attributes['data-sv']) node.classList.add(`s-${attributes['data-sv']}`);
  node.append(...children);
  return node;
}

/** A text as it is between the quotation marks of an attribute. */
export function quoted(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** A button, and what it does. */
export function button(attributes, act, ...children) {
  const node = el('button', { type: 'button', ...attributes }, ...children);
  node.addEventListener('click', act);
  return node;
}

/** Sets attributes where they differ; null and false remove, true sets an empty one. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else if (node.getAttribute(name) !== (value === true ? '' : String(value)))
      node.setAttribute(name, value === true ? '' : value);
  }
  return node;
}

/** Writes text only where it differs, so that a live region speaks once; a text node that is there stays. */
export function write(node, text) {
  const [only, other] = node.childNodes;
  if (only?.nodeType === Node.TEXT_NODE && !other) {
    if (only.data !== String(text)) only.data = text;
  } else if (node.textContent !== text) node.textContent = text;
}

/**
 * Makes a parent hold exactly one child per item, reusing what is there; paint(child, item, index) fills
 * each.
 */
export function fill(parent, items, create, paint) {
  while (parent.childElementCount > items.length) {
    const last = parent.lastElementChild;
    // else the focus, and with it the keys, would leave the stage
    if (last === document.activeElement) last.previousElementSibling?.focus({ preventScroll: true });
    last.remove();
  }
  while (parent.childElementCount < items.length) parent.append(create(parent.childElementCount));
  let child = parent.firstElementChild;
  items.forEach((item, index) => {
    paint(child, item, index);
    child = child.nextElementSibling;
  });
}

/** A share of a width or a height as CSS has it. */
export function portion(share) {
  return `${(100 * share).toFixed(3)}%`;
}

/** The item `way` places after an index, or the last one in that direction. */
export function along(list, index, way) {
  return list[Math.max(0, Math.min(list.length - 1, index + way))];
}

/** An icon drawn from one path in a 24 by 24 box, hidden from assistive technology. */
export function icon(path) {
  return svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: path }));
}

/** What a file is, by the end of its name. */
const TYPES = {
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

/** Downloads a file. */
export function save(name, content) {
  const type = TYPES[name.split('.').at(-1)];
  const link = el('a', { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Puts a text on the clipboard; whether it is there. Over plain HTTP there is no clipboard. */
export async function toClipboard(text) {
  return Boolean(
    await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    ),
  );
}

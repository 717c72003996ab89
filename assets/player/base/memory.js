/**
 * memory.js: stores small choices, such as theme and pace, in the browser from visit to visit. Anybody may
 * have changed what is stored, so a value counts only where it is allowed. A browser that stores nothing
 * gets the fallback.
 */

const NAME = 'specviz.';

/** Stores a text under a name. */
export function remember(name, value) {
  try {
    localStorage.setItem(NAME + name, value);
  } catch {
    // the choice lasts until the page is left
  }
}

/** The text stored under a name, if `allowed` (a list of values or a test) admits it; else the fallback. */
export function remembered(name, allowed, fallback) {
  let text = null;
  try {
    text = localStorage.getItem(NAME + name);
  } catch {
    return fallback;
  }
  const good = text !== null && (Array.isArray(allowed) ? allowed.includes(text) : allowed(text));
  return good ? text : fallback;
}

/**
 * memory.js: small choices that outlast the page, such as theme and pace. A browser that keeps nothing forgets them; what
 * is read may have been changed by anybody, so it counts only where it is one of the values allowed.
 */

const NAME = 'specviz.';

/** Keeps a text under a name. */
export function keep(name, value) {
  try {
    localStorage.setItem(NAME + name, value);
  } catch {
    // kept until the page is left
  }
}

/** What was kept under a name if it is allowed, which is a list or a test; else the fallback. */
export function kept(name, allowed, fallback) {
  let found = null;
  try {
    found = localStorage.getItem(NAME + name);
  } catch {
    return fallback;
  }
  const good = found !== null && (Array.isArray(allowed) ? allowed.includes(found) : allowed(found));
  return good ? found : fallback;
}

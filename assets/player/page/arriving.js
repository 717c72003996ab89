/**
 * arriving.js: a pair on its way into memory, told by the drawer's control to whoever shows it beside the run on stage.
 */

const told = new EventTarget();

/** text: how far it is, '' once it is there or given up; cancel() gives it up. */
export function tellArriving(text, cancel) {
  told.dispatchEvent(new CustomEvent('pair', { detail: { text, cancel } }));
}

export function hearArriving(react) {
  told.addEventListener('pair', ({ detail }) => react(detail));
}

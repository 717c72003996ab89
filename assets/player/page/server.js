/**
 * server.js: asks whether the server answers, while a message from it is expected.
 */

import { showGone } from './gradio.js';

/** Milliseconds between two checks. */
const EVERY = 1500;

/**
 * alive(): Promise whether it answers. needed(): whether a message is expected. lost() and back(): it went,
 * and it is back; once it is gone it is asked until then.
 * @returns {{gone: () => boolean, retry: () => Promise<void>}} retry asks it at once
 */
export function watchServer(alive, { needed, lost, back }) {
  let gone = false;

  async function watch() {
    if (needed() || gone) {
      const there = await alive();
      if (!there && !gone && needed()) change(true);
      else if (there && gone) change(false);
    }
    setTimeout(watch, EVERY);
  }

  function change(away) {
    gone = away;
    showGone(away);
    if (away) lost();
    else back();
  }

  watch();
  return { gone: () => gone, retry: async () => (await alive()) && change(false) };
}

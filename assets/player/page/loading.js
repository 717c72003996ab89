/**
 * loading.js: how far a pair is on its way into memory, and the channel by which the drawer's control tells
 * the page's head, also that prompts run on the small built-in model. A run on stage
 * tells the control its pair. progress() is pure: it uses the
 * server's clock, seconds, and bytes.
 */

import { bytes } from '../base/format.js';
import { words } from '../words/words.js';

/**
 * { percent, text }: the text says bytes so far, bytes a second and the time left at that rate, as far as
 * they are known; percent is null if the total is not.
 */
export function progress({ done, total, seconds }) {
  const rate = seconds > 0 ? done / seconds : 0;
  const known = total > 0;
  const parts =
    done > 0 || known
      ? [known ? words.pair.so({ done: bytes(done), total: bytes(total) }) : bytes(done)]
      : [];
  if (rate > 0) parts.push(words.pair.rate({ bytes: bytes(rate) }));
  if (rate > 0 && known && done < total)
    parts.push(within(words.pair.left, Math.ceil((total - done) / rate)));
  return { percent: known ? Math.floor(100 * Math.min(1, done / total)) : null, text: parts.join(' · ') };
}

/** Seconds as a person counts them. texts: what a language says of seconds, and of minutes. */
export function within(texts, seconds) {
  if (seconds < 90) return texts.seconds({ n: Math.max(1, Math.round(seconds)) });
  return texts.minutes({ n: Math.round(seconds / 60) });
}

const channel = new EventTarget();

/** text: how far the pair is, '' once it is loaded or cancelled; cancel() cancels it. */
export function announceLoading(text, cancel) {
  channel.dispatchEvent(new CustomEvent('loading', { detail: { text, cancel } }));
}

export function onLoading(react) {
  channel.addEventListener('loading', ({ detail }) => react(detail));
}

/** pair: the one of the run that took the stage, with whose settings the controls now stand. */
export function announceStaged(pair) {
  channel.dispatchEvent(new CustomEvent('staged', { detail: { pair } }));
}

export function onStaged(react) {
  channel.addEventListener('staged', ({ detail }) => react(detail.pair));
}

/** chat: the offer that could run instead, null for nothing to say; take() takes it. */
export function announceSmall(chat, take) {
  channel.dispatchEvent(new CustomEvent('small', { detail: { chat, take } }));
}

export function onSmall(react) {
  channel.addEventListener('small', ({ detail }) => react(detail));
}

/**
 * loading.js: how far a pair has come, as a share and in words. Pure: the server's clock alone counts.
 */

import { bytes } from '../base/format.js';
import { words } from './words.js';

/**
 * { done, total, seconds } -> { percent, text }: bytes so far, a second, and the time left at that rate, as far as each
 * is known. percent is null where the total is not.
 */
export function progress({ done, total, seconds }) {
  const rate = seconds > 0 ? done / seconds : 0;
  const known = total > 0;
  const parts = done > 0 || known ? [words.pair.so(bytes(done), known ? bytes(total) : '')] : [];
  if (rate > 0) parts.push(words.pair.rate(bytes(rate)));
  if (rate > 0 && known && done < total) parts.push(words.pair.left(Math.ceil((total - done) / rate)));
  return { percent: known ? Math.floor(100 * Math.min(1, done / total)) : null, text: parts.join(' · ') };
}

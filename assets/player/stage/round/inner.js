/**
 * inner.js: what a cheaper drafter had guessed for a guess's place, before the draft model judged it.
 * Pure: a function of one drafted token's record.
 */

import { inSentence, plainName, show } from '../../base/format.js';
import { words } from '../words.js';
import { tell } from '../../words/words.js';

/** The cheaper drafter's guess: { text, kept, says }, kept if the draft model took it; null where nobody guessed. */
export function innerOf({ token, source: { inner } }) {
  if (!inner) return null;
  const kept = inner.token === token;
  const values = { who: plainName(inner.who), text: inSentence(inner.text) };
  return { text: show(inner.text), kept, says: words.inner[kept ? 'kept' : 'refused'](values) };
}

/** One sentence on where a guess came from; may be empty. */
export function evidence(verdict) {
  return tell(verdict.source.words) || (innerOf(verdict)?.says ?? '');
}

/** Who guessed for the draft model in a round, by its plain name; '' where nobody did. */
export function cheapDrafter(verdicts) {
  const inner = verdicts.find(({ source }) => source.inner)?.source.inner;
  return inner ? plainName(inner.who) : '';
}

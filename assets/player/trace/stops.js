/**
 * stops.js: whether a trace's text ends where a stop string is complete, and nowhere behind. Pure. Tokens are read by
 * their own texts; specviz/sampling/stops.py looks in the same way.
 */

import { bytesOf } from '../base/format.js';
import { words } from '../words/words.js';

/** Tokens that are read beside one for each letter of the longest string, as a character may be several. */
const SPARE = 8;
const PART = /\uFFFD+$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What contradicts the stop strings: { round, what }, round null where it is the whole trace; null if nothing does. */
export function stopProblem({ info, prompt_texts: prompt, rounds, stop }) {
  const { wrong } = words.file;
  const { stop_strings: strings = [], eos } = info;
  const most = SPARE + Math.max(0, ...strings.map((string) => string.length));
  const text = [...prompt];
  for (const [index, { path, verdicts, extra, stop_string: said = '' }] of rounds.entries()) {
    const tokens = [...path.map((node) => verdicts[node]), ...(extra ? [extra] : [])];
    let found = '';
    for (const [at, token] of tokens.entries()) {
      found = strings.length ? completed(text.slice(-most), token.text, strings) : '';
      text.push(token.text);
      const isLast = index === rounds.length - 1 && at === tokens.length - 1;
      if (found && !isLast) return { round: index, what: wrong.goesOn({ string: found }) };
    }
    if (said !== (eos.includes(tokens.at(-1)?.token) ? '' : found))
      return { round: index, what: wrong.completes({ string: said || found }) };
  }
  return (stop === 'string') === Boolean(rounds.at(-1)?.stop_string)
    ? null
    : { round: null, what: wrong.stop };
}

/** The string that a token completes after others; '' if none. */
function completed(before, token, strings) {
  const whole = spell(before).replace(PART, '').length;
  const text = spell([...before, token]).replace(PART, '');
  const ends = strings.map((string) => {
    const place = text.indexOf(string, Math.max(0, whole - string.length + 1));
    return place < 0 ? Infinity : place + string.length;
  });
  const first = Math.min(...ends);
  return first < Infinity ? strings[ends.indexOf(first)] : '';
}

/** The text of tokens, bytes of one character together. */
function spell(texts) {
  return decoder.decode(Uint8Array.from(texts.flatMap((text) => bytesOf(text) ?? [...encoder.encode(text)])));
}

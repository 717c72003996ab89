/**
 * story.js: a trace with everything that pictures need, added up once: its beats, its text, its running
 * totals. Pure. It only grows at its end: a live run extends it round by round, so no frame has to walk
 * through the whole run.
 */

import { bytesOf, show, spelt } from '../base/format.js';
import { REST, beatsOf, rolls, ownState } from './timeline.js';
import { speak, words } from '../words/words.js';

/**
 * A token as the ribbon shows it.
 * @typedef {object} Token
 * @property {string} text
 * @property {string} raw as it was written
 * @property {string} label for a screen reader
 * @property {string} state prompt, or what became of it
 * @property {number} id
 * @property {boolean} [template] whether it is nobody's words: its chat template put it there, or it ends the text
 * @property {boolean} [control] whether it steers the model though somebody typed it as text
 * @property {boolean} [ending] whether it holds some of the stop string that ended the text
 * @property {boolean} [relaxed] whether a relaxed rule accepted it, though its p was not the highest
 * @property {{ round: number, slot: number } | null} at null for the prompt
 * @property {number} [many] of how many tokens, bytes of one character, it is made
 */

/**
 * What stood when a round began.
 * @typedef {object} Standing
 * @property {number} beat its first beat
 * @property {number} text tokens so far
 * @property {number} clock milliseconds so far
 * @property {number[]} wasted slots rolled back so far, of each cache
 * @property {number[]} peak the longest each cache was
 */

/**
 * @typedef {object} Story
 * @property {import('./feed.js').Trace} trace
 * @property {import('./timeline.js').Beat[]} beats
 * @property {Token[]} text every token that stays
 * @property {Standing[]} rounds one for each round, and one for the end
 * @property {Token[]} shown the text, the bytes of one character as one token
 * @property {{ shown: number, from: number }[]} places of the first so many tokens of the text: how many of
 *   `shown` they are, and which of the text come after those, a character that is not whole
 */

/** @returns {Story} */
export function storyOf(trace) {
  const story = { trace, beats: [], text: [], rounds: [], shown: [], places: [{ shown: 0, from: 0 }] };
  const { template = [], control = [] } = trace.info;
  trace.prompt_texts.forEach((piece, index) => {
    const added = token(piece, trace.prompt[index], 'prompt', null);
    if (template.some(([first, end]) => index >= first && index < end)) added.template = true;
    if (control.includes(index)) {
      added.control = true;
      added.label = words.label({ token: speak(piece), state: words.look.control });
    }
    append(story, added, piece);
  });
  story.rounds.push({ beat: 1, text: story.text.length, clock: 0, wasted: [], peak: [] });
  return extend(story);
}

/**
 * Takes in the rounds the trace has gained, and its end.
 * @returns {Story} the same
 */
export function extend(story) {
  const { trace, beats, rounds } = story;
  const rolled = rolls(trace.info);
  if (!beats.length && trace.rounds.length) beats.push(REST);
  for (let index = rounds.length - 1; index < trace.rounds.length; index += 1) {
    const round = trace.rounds[index];
    beats.push(...beatsOf(round, index, rolled));
    for (const [piece, id, state, at] of kept(round, index)) {
      const added = token(piece, id, state, at);
      if (trace.info.eos.includes(id)) added.template = true;
      if (state === 'accepted' && round.verdicts[at.slot].rank) added.relaxed = true;
      append(story, added, piece);
    }
    if (round.stop_string) markEnding(story.shown, round.stop_string);
    rounds.push(after(rounds[index], round, { beat: beats.length, text: story.text.length }));
  }
  if (trace.stop && beats.length && beats.at(-1).kind !== 'result')
    beats.push({ round: trace.rounds.length - 1, kind: 'result', slot: null });
  return story;
}

/** @returns {Token} */
export function token(text, id, state, at) {
  return {
    text: show(text),
    raw: text,
    label: words.label({ token: speak(text), state: words.states[state] }),
    state,
    id,
    at,
  };
}

/** The last token before a position: a whole character, once all its bytes are there; undefined before the first. */
export function lastBefore({ text, shown, places }, position) {
  const whole = places[position];
  return whole?.from === position ? shown[whole.shown - 1] : text[position - 1];
}

/**
 * The beat one round on (direction 1) or back (-1): rounds are entered at their first beat; before them is
 * the rest.
 */
export function roundStep({ beats, rounds, trace }, at, direction) {
  if (!beats.length) return 0;
  const round = beats[at].round;
  if (direction > 0) {
    if (beats[at].kind === 'rest') return rounds[0].beat;
    return round + 1 < trace.rounds.length ? rounds[round + 1].beat : beats.length - 1;
  }
  if (at > rounds[round].beat) return rounds[round].beat;
  return round && at ? rounds[round - 1].beat : 0;
}

/**
 * Adds a token that stays. Bytes wait for the rest of their character; bytes that never spell one stay as
 * they are.
 */
function append({ text, shown, places }, added, piece) {
  text.push(added);
  const { shown: done, from } = places.at(-1);
  const codes = bytesOf(piece);
  if (codes) {
    added.codes = codes;
    const open = text.slice(from);
    const letter = spelt(open.flatMap((one) => one.codes));
    if (letter !== null) {
      const [many, whole] = [open.length, { ...added, text: show(letter), raw: letter }];
      const state = words.states[added.state];
      if (many > 1) Object.assign(whole, { many, label: words.bytes({ letter: whole.text, many, state }) });
      shown.push(whole);
    } else if (open.length < LONGEST) {
      places.push({ shown: done, from });
      return;
    } else shown.push(...open);
  } else shown.push(...text.slice(from));
  places.push({ shown: shown.length, from: text.length });
}

/** Marks the last tokens, as far back as the string reaches, but for the prompt's. */
function markEnding(shown, string) {
  let text = '';
  for (let at = shown.length - 1; at >= 0 && !text.includes(string); at -= 1) {
    text = shown[at].raw + text;
    if (shown[at].state !== 'prompt') shown[at].ending = true;
  }
}

/** A character of UTF-8 has at most four bytes. */
const LONGEST = 4;

function kept(round, index) {
  const { path, verdicts, extra } = round;
  const list = path.map((node) => [
    verdicts[node].text,
    verdicts[node].token,
    'accepted',
    { round: index, slot: node },
  ]);
  if (extra) list.push([extra.text, extra.token, ownState(round), { round: index, slot: verdicts.length }]);
  return list;
}

function after(before, round, places) {
  const spans = [round.target_cache, ...round.draft_caches];
  return {
    ...places,
    clock: before.clock + spent(round.timing),
    wasted: spans.map((span, index) => (before.wasted[index] ?? 0) + span.written - span.kept),
    peak: spans.map((span, index) => Math.max(before.peak[index] ?? 0, span.written)),
  };
}

/** Milliseconds a round took, all its parts together. */
export function spent({ draft, verify, accept, trim, overhead }) {
  return drafting(draft) + verify + accept + trim + overhead;
}

/** Milliseconds of all draft calls of a round. */
export function drafting(calls) {
  return calls.reduce((sum, { ms }) => sum + ms, 0);
}

/**
 * story.js: a trace with what every picture needs, added up once: its beats, its text, its running totals.
 * Pure, and it only grows at its end: a live run extends it round by round, and no frame walks the whole run.
 */

import { show, speak } from '../base/format.js';
import { beatsOf } from './timeline.js';
import { words } from './words.js';
import { STATES } from '../base/words.js';

/**
 * A story of a trace: { trace, beats, text, rounds }. text holds every token that stays: { text, label, state, id, at },
 * at being { round, slot } or null for the prompt. rounds[r] says what stood when round r began: { beat: its first beat,
 * text: tokens so far, kept, tested: verdicts so far, clock: milliseconds, wasted: slots rolled back, peak: longest
 * cache }; one more entry says the same for the end.
 */
export function storyOf(trace) {
  const text = trace.prompt_texts.map((piece, index) => token(piece, trace.prompt[index], 'prompt', null));
  const rounds = [{ beat: 0, text: text.length, kept: 0, tested: 0, clock: 0, wasted: [0, 0], peak: [0, 0] }];
  return extend({ trace, beats: [], text, rounds });
}

/** Takes in the rounds the trace has gained. Returns the story. */
export function extend(story) {
  const { trace, beats, text, rounds } = story;
  for (let index = rounds.length - 1; index < trace.rounds.length; index += 1) {
    const round = trace.rounds[index];
    beats.push(...beatsOf(round, index));
    text.push(...kept(round, index));
    rounds.push(after(rounds[index], round, { beat: beats.length, text: text.length }));
  }
  return story;
}

/** A token as the ribbon shows it. */
export function token(text, id, state, at) {
  return { text: show(text), label: words.label(speak(text), STATES[state]), state, id, at };
}

/** The beat one round on (direction 1) or back (-1): rounds are entered at their first beat. */
export function roundStep({ beats, rounds, trace }, at, direction) {
  if (!beats.length) return 0;
  const here = beats[at].round;
  if (direction > 0) return here + 1 < trace.rounds.length ? rounds[here + 1].beat : beats.length - 1;
  return at > rounds[here].beat ? rounds[here].beat : rounds[Math.max(0, here - 1)].beat;
}

function kept(round, index) {
  const list = round.path.map((node) => {
    const { text, token: id } = round.verdicts[node];
    return token(text, id, 'accepted', { round: index, slot: node });
  });
  if (round.extra) {
    const { text, token: id, emission } = round.extra;
    list.push(token(text, id, emission, { round: index, slot: round.verdicts.length }));
  }
  return list;
}

function after(before, round, places) {
  const { timing, target_cache: target, draft_cache: draft } = round;
  const spans = [target, draft];
  return {
    ...places,
    kept: before.kept + round.path.length,
    tested: before.tested + round.verdicts.filter(({ verdict }) => verdict !== 'untested').length,
    clock: before.clock + spent(timing),
    wasted: spans.map((span, index) => before.wasted[index] + (span ? span.written - span.kept : 0)),
    peak: spans.map((span, index) => Math.max(before.peak[index], span ? span.written : 0)),
  };
}

/** Milliseconds a round took, all its parts together. */
export function spent({ draft, verify, accept, trim, overhead }) {
  return draft.reduce((sum, time) => sum + time, 0) + verify + accept + trim + overhead;
}

/**
 * scene.js: what is on screen at one beat, as plain data.
 * Pure: a function of (trace, beats, at, picked) and nothing else, so playing, stepping and scrubbing either way show
 * the same. Every value is a field of the trace or arithmetic on it. Text is made visible here; nothing is markup.
 */

import { caches } from './caches.js';
import { figure, keepChance, ruler } from './laws.js';
import { apart, clean, count, number, show, speak } from './format.js';
import { ORDER, followed, isSettled, isThrown, momentOf, stateOf } from './moment.js';
import { KINDS, STATES, words } from './words.js';

/**
 * The scene at beat `at`; picked is the slot a person chose to look at, or null to follow the beat.
 * The trace needs info, prompt_texts, rounds and stop (null while it is being made).
 */
export function scene(trace, beats, at, picked = null) {
  const beat = beats[at];
  const round = trace.rounds[beat.round];
  const moment = momentOf(trace, beat);
  const focus = picked ?? followed(round, beat);
  return {
    title: words.round(beat.round + 1, trace.rounds.length, round.budget.nodes),
    phase: KINDS[beat.kind],
    rate: rate(trace.rounds, moment),
    ribbon: ribbon(trace, moment),
    slots: slots(round, moment, focus),
    focus,
    equation: equation(round, moment, focus),
    figure: figure(round, moment, focus),
    ruler: ruler(round, moment, focus),
    caches: caches(round, moment),
    caption: caption(trace, round, moment),
    scrub: { at, max: beats.length - 1, text: position(trace, round, beat) },
  };
}

function token(text, state) {
  return { text: show(text), label: words.label(speak(text), STATES[state]), state };
}

function ribbon(trace, moment) {
  const list = trace.prompt_texts.map((text) => token(text, 'prompt'));
  trace.rounds.slice(0, moment.round).forEach((round) => list.push(...kept(round)));
  const round = trace.rounds[moment.round];
  const fresh = list.length;
  if (moment.kind === 'trim') {
    list.push(...kept(round));
  } else {
    round.verdicts.forEach((verdict, slot) => {
      const state = stateOf(round, moment, slot);
      if (state) list.push(token(verdict.text, state));
    });
    if (isSettled(moment) && round.extra) list.push(token(round.extra.text, round.extra.emission));
  }
  return { tokens: list, fresh };
}

function kept(round) {
  const list = round.path.map((node) => token(round.verdicts[node].text, 'accepted'));
  if (round.extra) list.push(token(round.extra.text, round.extra.emission));
  return list;
}

function slots(round, moment, focus) {
  const list = round.verdicts.map((verdict, slot) => drafted(round, moment, verdict, slot));
  list.push(own(round, moment));
  return list.map((item, slot) => ({ ...item, focused: slot === focus }));
}

function drafted(round, moment, verdict, slot) {
  const state = stateOf(round, moment, slot);
  if (!state) return { token: null, q: '–', p: '–', strip: null, note: words.waits, label: words.slotEmpty(slot + 1), second: null };
  const scored = moment.order >= ORDER.verify;
  const known = scored && state !== 'untested';
  const thrown = isThrown(round, moment, slot);
  const replaced = isSettled(moment) && round.extra?.emission === 'resampled' && slot === round.path.length;
  const keep = keepChance(verdict);
  const [u, accept] = thrown ? apart(verdict.u, keep) : ['', number(keep)];
  const shown = token(verdict.text, state);
  let note = '';
  if (scored && !known) note = STATES.untested;
  else if (known && moment.greedy) note = words.greedyTest(keep === 1);
  else if (thrown) note = verdict.u < keep ? words.below(u, accept) : words.above(u, accept);
  else if (known) note = words.kept(accept);
  return {
    token: shown,
    q: number(verdict.q),
    p: scored ? number(verdict.p) : '?',
    strip: { accept: known ? keep : 0, dart: thrown && !moment.greedy ? verdict.u : null, known },
    note,
    label: words.slot(slot + 1, shown.label, known && accept, u),
    second: replaced ? token(round.extra.text, 'resampled') : null,
  };
}

/** The last slot: the row after the last draft, which pays out only when everything before it was kept. */
function own(round, moment) {
  const bonus = round.extra?.emission === 'bonus';
  const open = bonus && isSettled(moment);
  const lost = !bonus && isSettled(moment);
  return {
    token: open ? token(round.extra.text, 'bonus') : null,
    q: '–',
    p: open ? number(round.extra.p) : '–',
    strip: null,
    note: open ? '' : lost ? words.ownLost : words.ownWaits,
    label: open ? words.label(speak(round.extra.text), STATES.bonus) : words.ownSlot,
    second: null,
  };
}

/** The equation line: pairs of a term and its result; the result stands out. */
function equation(round, moment, focus) {
  const verdict = round.verdicts[focus];
  const settled = isSettled(moment);
  if (!verdict) return settled && round.extra?.emission === 'bonus' ? [words.equation.bonus(number(round.extra.p))] : [];
  const state = stateOf(round, moment, focus);
  if (!state) return [];
  if (moment.kind === 'draft') return [words.equation.draft(number(verdict.q), number(verdict.draft_u))];
  if (settled && round.extra?.emission === 'resampled' && focus === round.path.length) return [residual(round.extra)];
  if (state === 'untested') return [words.equation.untested];
  const keep = keepChance(verdict);
  if (moment.greedy) return [words.equation.greedy(keep === 1)];
  const ratio = words.equation.accept(number(verdict.p), number(verdict.q), number(keep));
  if (!isThrown(round, moment, focus)) return [ratio];
  const [u, accept] = apart(verdict.u, keep);
  return [ratio, state === 'draft' ? words.equation.thrown(u) : words.equation.dart(u, verdict.u < keep, accept)];
}

function residual({ view, token: id, p, zero_residual: equal }) {
  if (equal) return words.equation.bonus(number(p));
  const over = view.bars.find((bar) => bar.token === id).residual;
  return words.equation.residual(number(over), number(1 - view.overlap), number(over / (1 - view.overlap)));
}

/** Accepted over tested, up to this moment. */
function rate(rounds, moment) {
  let kept = 0;
  let tested = 0;
  rounds.slice(0, moment.round + 1).forEach((round, index) => round.verdicts.forEach(({ verdict }, slot) => {
    const state = index < moment.round ? verdict : stateOf(round, moment, slot);
    kept += state === 'accepted';
    tested += state === 'accepted' || state === 'rejected';
  }));
  return tested ? words.rate(number(kept / tested), count(kept), count(tested)) : '';
}

function caption(trace, round, moment) {
  const { kind, slot } = moment;
  const verdict = round.verdicts[slot];
  const text = verdict ? show(verdict.text) : '';
  if (kind === 'draft') return words.caption.draft(text, number(verdict.q), clean(verdict.evidence));
  if (kind === 'verify') return words.caption.verify(round.verdicts.length);
  if (kind === 'dart') {
    return moment.greedy ? words.caption.greedy(text) : words.caption.dart(text, ...apart(verdict.u, verdict.accept_prob));
  }
  if (kind === 'verdict') {
    return verdict.verdict === 'accepted' ? words.caption.accepted(text)
      : words.caption.rejected(text, round.verdicts.length - slot - 1);
  }
  if (kind !== 'trim') return words.caption[kind](show(round.extra.text));
  const { written, kept: left } = round.target_cache;
  const trim = words.caption.trim(written, left, round.path.length + (round.extra ? 1 : 0));
  const last = moment.round === trace.rounds.length - 1 && trace.stop;
  return last ? `${trim} ${words.caption.stop(trace.stop)}` : trim;
}

function position(trace, round, { round: index, kind, slot }) {
  const many = kind === 'residual' || kind === 'bonus' ? null : slot;
  return words.at(index + 1, trace.rounds.length, KINDS[kind], many === null ? null : many + 1, round.verdicts.length);
}

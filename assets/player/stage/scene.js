/**
 * scene.js: what is on screen at one beat, as plain data.
 * Pure: a function of (story, at, picked) and nothing else, so playing, stepping and scrubbing either way show the
 * same. Every value is a field of the trace or arithmetic on it. Text is made visible here; nothing is markup.
 */

import { algorithm } from './algorithm.js';
import { caches, cellTitle } from './caches.js';
import { apart, clean, count, number, show } from '../base/format.js';
import { reasonOf, toldOf } from './gammas.js';
import { playhead, roundAt } from './lanes.js';
import { figure, keepChance, ruler } from './bars.js';
import { ORDER, followed, isSettled, isThrown, momentOf, stateOf } from '../trace/moment.js';
import { token } from '../trace/story.js';
import { words } from './words.js';
import { KINDS, STATES } from '../base/words.js';

/** The scene at beat `at`; picked is the slot a person chose to look at, or null to follow the beat. */
export function scene(story, at, picked = null) {
  const { trace, beats } = story;
  const beat = beats[at];
  const round = trace.rounds[beat.round];
  const moment = momentOf(trace, beat);
  const focus = picked ?? followed(round, beat);
  const ended = trace.stop && at === beats.length - 1;
  return {
    round: beat.round,
    kind: beat.kind,
    settled: isSettled(moment),
    title: words.round(beat.round + 1, trace.rounds.length, round.verdicts.length),
    phase: KINDS[beat.kind],
    rate: rate(story, round, moment),
    ribbon: ribbon(story, round, moment, ended),
    slots: slots(round, moment, focus),
    focus,
    equation: equation(round, moment, focus),
    figure: figure(round, moment, focus),
    ruler: ruler(round, moment, focus),
    caches: caches(story, moment, focus),
    cellTitle: (cell) => cellTitle(story, moment, cell),
    algorithm: algorithm(round, moment, trace.info.config),
    playhead: playhead(story, at),
    laneTitle: (lane, x) => (lane === 1 ? toldOf(trace.rounds[roundAt(story, lane, x)], story.ghost) : ''),
    caption: caption(story, round, moment),
    scrub: { at, max: beats.length - 1, text: position(trace, round, beat) },
  };
}

/** Whether as much was guessed as was asked for once and for all. */
function plainly({ verdicts }, { gamma, gamma_rule: rule }) {
  return rule === 'fixed' && verdicts.length === gamma;
}

/** The text so far: `text` up to `upto`, of which the newest round begins at `since`, then what is still in the air. */
function ribbon({ text, rounds, trace }, round, moment, ended) {
  const since = rounds[moment.round].text;
  const end = ended ? words.end(trace.stop, text.length - rounds[0].text) : null;
  if (moment.kind === 'trim') return { text, upto: rounds[moment.round + 1].text, since, fresh: [], end };
  const fresh = [];
  round.verdicts.forEach((verdict, slot) => {
    const state = stateOf(round, moment, slot);
    if (state) fresh.push(token(verdict.text, verdict.token, state, { round: moment.round, slot }));
  });
  if (isSettled(moment) && round.extra) {
    const { text: own, token: id, emission } = round.extra;
    fresh.push(token(own, id, emission, { round: moment.round, slot: round.verdicts.length }));
  }
  return { text, upto: since, since, fresh, end };
}

function slots(round, moment, focus) {
  const list = round.verdicts.map((verdict, slot) => drafted(round, moment, verdict, slot));
  list.push(own(round, moment));
  return list.map((item, slot) => ({ ...item, focused: slot === focus }));
}

const BLANK = { token: null, state: null, p: null, q: null, keep: null, u: null, strip: null, note: '', second: null };

function drafted(round, moment, verdict, slot) {
  const state = stateOf(round, moment, slot);
  if (!state) return { ...BLANK, note: words.waits, label: words.slotEmpty(slot + 1) };
  const scored = moment.order >= ORDER.verify;
  const known = scored && state !== 'untested';
  const thrown = isThrown(round, moment, slot);
  const replaced = isSettled(moment) && round.extra?.emission === 'resampled' && slot === round.path.length;
  const keep = keepChance(verdict);
  const certain = words.noDice[moment.noDice];
  const [u, accept] = thrown && !certain ? apart(verdict.u, keep) : ['', number(keep)];
  const shown = token(verdict.text, verdict.token, state, null);
  let note = '';
  if (scored && !known) note = STATES.untested;
  else if (known && certain) note = certain.test(verdict.verdict === 'accepted');
  else if (thrown) note = verdict.u < keep ? words.below(u, accept) : words.above(u, accept);
  else if (known) note = words.kept(accept);
  return {
    token: shown,
    state,
    q: verdict.q,
    p: scored ? verdict.p : null,
    keep: known ? keep : null,
    u: thrown && !certain ? verdict.u : null,
    strip: { accept: known ? keep : 0, dart: thrown && !certain ? verdict.u : null, known },
    note,
    label: words.slot(slot + 1, shown.label, known && moment.noDice !== 'greedy' && accept, u),
    second: replaced ? token(round.extra.text, round.extra.token, 'resampled', null) : null,
  };
}

/** The last slot: the row after the last draft, which pays out only when everything before it was kept. */
function own(round, moment) {
  const bonus = round.extra?.emission === 'bonus';
  if (!isSettled(moment)) return { ...BLANK, note: round.verdicts.length ? words.ownWaits : words.ownOnly, label: words.ownSlot };
  if (!bonus) return { ...BLANK, note: round.extra ? words.ownLost : words.ownEnded, label: words.ownSlot };
  const shown = token(round.extra.text, round.extra.token, 'bonus', null);
  return { ...BLANK, token: shown, state: 'bonus', p: round.extra.p, label: shown.label };
}

/** The equation line: pairs of a term and its result; the result stands out. A single term says why there is none. */
function equation(round, moment, focus) {
  const verdict = round.verdicts[focus];
  const settled = isSettled(moment);
  if (!verdict) {
    if (settled && round.extra?.emission === 'bonus') return [words.equation.bonus(number(round.extra.p))];
    if (settled) return [[round.extra ? words.equation.notReached : words.equation.ended, '']];
    return [[round.verdicts.length ? words.equation.ownWaits : words.equation.ownOnly, '']];
  }
  const state = stateOf(round, moment, focus);
  const certain = words.noDice[moment.noDice];
  if (!state) return [[words.equation.empty, '']];
  if (moment.kind === 'draft') return [certain ? certain.guess(number(verdict.q)) : words.equation.draft(number(verdict.q), number(verdict.draft_u))];
  if (settled && round.extra?.emission === 'resampled' && focus === round.path.length) return [residual(round.extra, moment)];
  if (state === 'untested') return [[settled && !round.extra ? words.equation.ended : words.equation.untested, '']];
  const keep = keepChance(verdict);
  if (certain) return [certain.equal(verdict.verdict === 'accepted')];
  const ratio = words.equation.accept(number(verdict.p), number(verdict.q), number(keep));
  if (!isThrown(round, moment, focus)) return [ratio];
  const [u, accept] = apart(verdict.u, keep);
  return [ratio, state === 'draft' ? words.equation.thrown(u) : words.equation.dart(u, verdict.u < keep, accept)];
}

function residual({ view, token: id, p, zero_residual: equal }, { noDice }) {
  if (noDice) return words.noDice[noDice].own;
  if (equal) return words.equation.bonus(number(p));
  const over = view.bars.find((bar) => bar.token === id).residual;
  return words.equation.residual(number(over), number(1 - view.overlap), number(over / (1 - view.overlap)));
}

/** Accepted over tested, up to this moment. */
function rate({ rounds }, round, moment) {
  let { kept, tested } = rounds[moment.round];
  round.verdicts.forEach((_, slot) => {
    const state = stateOf(round, moment, slot);
    kept += state === 'accepted';
    tested += state === 'accepted' || state === 'rejected';
  });
  return tested ? words.rate(number(kept / tested), count(kept), count(tested)) : words.noRate;
}

function caption(story, round, moment) {
  const { trace } = story;
  const { kind, slot } = moment;
  const verdict = round.verdicts[slot];
  const text = verdict ? show(verdict.text) : '';
  const certain = words.noDice[moment.noDice];
  if (kind === 'draft') return words.caption.draft(text, number(verdict.q), clean(verdict.evidence));
  if (kind === 'verify') return words.caption.verify(round.verdicts.length) + (plainly(round, story.trace.info.config) ? '' : ` ${words.gamma.because(reasonOf(round))}`);
  if (kind === 'dart') {
    return certain ? certain.asks(text) : words.caption.dart(text, ...apart(verdict.u, keepChance(verdict)));
  }
  if (kind === 'verdict') {
    if (verdict.verdict === 'rejected') return words.caption.rejected(text, round.verdicts.length - slot - 1, certain);
    const last = !round.extra && slot === round.path.length - 1 && slot < round.verdicts.length - 1;
    return last ? words.caption.ended(text, round.verdicts.length - slot - 1) : words.caption.accepted(text);
  }
  if (certain && kind === 'residual') return certain.replaces(show(round.extra.text));
  if (kind !== 'trim') return words.caption[round.verdicts.length ? kind : 'plain'](show(round.extra.text));
  const { written, kept } = round.target_cache;
  const trim = words.caption.trim(written, kept, round.path.length + (round.extra ? 1 : 0));
  if (moment.round < trace.rounds.length - 1 || !trace.stop) return trim;
  const total = story.rounds.at(-1);
  const none = total.tested && !total.kept ? ` ${words.caption.noneKept(total.tested)}` : '';
  return `${trim} ${words.caption.stop(trace.stop)}${none}`;
}

function position(trace, round, { round: index, kind, slot }) {
  const many = kind === 'residual' || kind === 'bonus' ? null : slot;
  return words.at(index + 1, trace.rounds.length, KINDS[kind], many === null ? null : many + 1, round.verdicts.length);
}

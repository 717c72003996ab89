/**
 * scene.js: what is on screen at one beat, as plain data. Pure: a function of (story, at, picked) and
 * nothing else, so playing, stepping and scrubbing either way show the same. Every value is a field of the
 * trace or arithmetic on it. Text is made visible here; nothing is markup.
 */

import { count, inSentence, number, show } from '../base/format.js';
import { ruleOf } from '../rules/rules.js';
import { followed, isJoined, isSettled, momentOf, stateOf } from '../trace/moment.js';
import { token } from '../trace/story.js';
import { isBlock, offeredOf, ownState, testedOf } from '../trace/timeline.js';
import { algorithm } from './round/algorithm.js';
import { figure } from './round/bars.js';
import { caches, cellTitle, held } from './round/caches.js';
import { clock } from './round/clock.js';
import { offeredBy, summaryOf } from './round/gammas.js';
import { maskOf } from './round/mask.js';
import { memory } from './round/memory.js';
import { pourOf } from './round/pour.js';
import { resultOf } from './round/result.js';
import { rolled } from './round/rolls.js';
import { ruler } from './round/ruler.js';
import { bar, headline, spoken, under } from './round/say.js';
import { sourceOf } from './sources/sources.js';
import { sum } from './round/sum.js';
import { drawnBy, isMovable, judgedBy } from './round/suppose.js';
import { writesCode } from './round/text.js';
import { treeOf } from './round/nodes.js';
import { words } from './words.js';

/**
 * The scene at beat `at`; picked is the node of the lane a person chose to look at, or null to follow the
 * beat.
 */
export function scene(story, at, picked = null) {
  const { trace, beats } = story;
  const beat = beats[at];
  const round = trace.rounds[beat.round];
  const [rest, result] = ['rest', 'result'].map((kind) => beat.kind === kind);
  const whole = rest || result;
  const moment = momentOf(trace, beat);
  const focus = picked ?? followed(round, beat);
  const sentence = headline(story, at);
  const ending = result ? resultOf(story) : null;
  const ruled = ruler(round, moment, focus);
  // At rest the first round stands for all, but the text and the caches are those of the whole run.
  const textMoment = rest ? momentOf(trace, beats.at(-1)) : moment;
  const { bare, name } = ruleOf(trace.info);
  const caches_ = caches(story, textMoment, focus);
  return {
    round: beat.round,
    kind: beat.kind,
    falls: beat.kind !== 'dart' ? [] : isBlock(round) ? testedOf(round) : [beat.slot],
    block: isBlock(round),
    at,
    settled: isSettled(moment),
    noDice: name,
    where: { round: rest ? 0 : beat.round + 1, rounds: trace.rounds.length },
    bar: bar(story, at),
    headline: sentence,
    said: spoken(sentence),
    under: rest ? under(story) : (ending?.pace ?? ''),
    result: ending,
    ribbon: {
      ...ribbon(story, trace.rounds[textMoment.round], textMoment, trace.stop && at >= beats.length - 2),
      code: writesCode(story),
      copied: whole ? null : copied(story, round, moment, focus),
    },
    tree: treeOf(story, round, moment, focus),
    focus,
    figure: whole || bare ? null : figure(story, round, moment, focus),
    ruler: { ...ruled, moves: !whole && isMovable(round, moment, ruled) },
    sum: whole ? [] : sum(round, moment, focus),
    pour: whole ? null : pourOf(trace.info, round, moment),
    mask: whole ? null : maskOf(story, round, moment, focus),
    source: sourceOf(story, round, moment, focus),
    offered: isOffered(round, beat) ? offeredBy(round, trace.info).part : null,
    algorithm: algorithm(round, moment),
    caches: caches_,
    held: whole ? null : held(story, moment, caches_),
    memory: () => memory(story, textMoment),
    cellTitle: (cell) => cellTitle(story, textMoment, cell),
    clock: clock(round, trace.race),
    rounds: trace.rounds.length,
    foot: foot(whole ? null : round, moment, caches_[0], trace.rounds),
    roundTitle: (index) => summaryOf(trace.rounds[index]),
    scrub: {
      at,
      max: beats.length - 1,
      text: rest ? words.at.rest({ rounds: trace.rounds.length }) : position(trace, round, beat),
    },
  };
}

/**
 * The scene at a beat with what a hand does to it, see hand.js: null, { u } for another number on the ruler or { seed,
 * many } for so many rolls. What is not the recorded run says so.
 */
export function supposed(story, at, picked, held) {
  const now = scene(story, at, picked);
  if (!held || !now.ruler.moves) return { ...now, supposed: false };
  const changed = held.many === undefined ? withNumber(story, at, now, held.u) : withRolls(now, held);
  return { ...now, ...changed, supposed: true, said: spoken(changed.headline) };
}

function withNumber(story, at, now, u) {
  const { info } = story.trace;
  const [recorded, says] = [story.trace.rounds[now.round], words.hand];
  const own = now.ruler.kind === 'residual';
  const slot = own ? recorded.extra.node : now.focus;
  const round = own
    ? { ...recorded, extra: drawnBy(recorded, info, slot, u) }
    : judgedBy(recorded, info, slot, u);
  const trace = { ...story.trace, rounds: story.trace.rounds.with(now.round, round) };
  const as = (kind) =>
    scene({ ...story, trace, beats: story.beats.with(at, { round: now.round, kind, slot }) }, at, now.focus);
  const verdict = own ? 'replaced' : round.verdicts[slot].verdict;
  const [judged, settled] = [
    as(own ? 'replace' : 'verdict'),
    as(verdict === 'accepted' ? 'verdict' : 'replace'),
  ];
  const headline = says[verdict]({
    u: number(u),
    text: inSentence(recorded.verdicts[slot].text),
    instead: round.extra?.token === null ? null : inSentence(round.extra?.text ?? ''),
  });
  const { figure, sum } = judged;
  const { tree, ribbon } = settled;
  const ruled = { ...judged.ruler, moves: true, title: says.only({ u: number(now.ruler.dart) }) };
  return { headline, figure, sum, tree, ribbon, ruler: ruled };
}

function withRolls(now, { seed, many }) {
  const figure = rolled(now.figure, seed, many);
  const { accepted } = figure;
  const headline = words.hand.rolled({
    many: count(many),
    accepted: count(accepted),
    replaced: count(many - accepted),
  });
  return { headline, figure, ruler: { ...now.ruler, title: words.hand.here } };
}

/** True if all guesses of the round are made. */
function isOffered(round, { kind, slot }) {
  return kind !== 'rest' && (kind !== 'draft' || round.verdicts[slot].depth + 1 === offeredOf(round));
}

/**
 * The text so far: `shown` up to `upto`, of which the newest round begins at `since`, then what is still in
 * the air.
 */
function ribbon({ text, rounds, trace, shown, places }, round, moment, ended) {
  const string = show(trace.rounds.at(-1).stop_string ?? '');
  const end = ended ? words.end({ stop: trace.stop, made: text.length - rounds[0].text, string }) : null;
  const over = isJoined(moment);
  const upto = places[rounds[moment.round + (over ? 1 : 0)].text];
  const since = places[rounds[moment.round].text].shown;
  const fresh = text.slice(upto.from, rounds[moment.round + (over ? 1 : 0)].text);
  if (over) return { text: shown, upto: upto.shown, since, fresh, end };
  round.verdicts.forEach((verdict, slot) => {
    const state = stateOf(round, moment, slot);
    if (state === 'accepted')
      fresh.push(token(verdict.text, verdict.token, state, { round: moment.round, slot }));
  });
  if (isSettled(moment) && round.extra) {
    const { text: targetText, token: id } = round.extra;
    fresh.push(token(targetText, id, ownState(round), { round: moment.round, slot: round.verdicts.length }));
  }
  return { text: shown, upto: upto.shown, since: upto.shown, fresh, end };
}

/**
 * The tokens of the text, as it is shown, that the guess looked at was copied from: [first, after the
 * last], or null.
 */
function copied({ places }, round, moment, focus) {
  const span = round.verdicts[focus]?.source.span;
  if (!span || stateOf(round, moment, focus) === null || isJoined(moment)) return null;
  const [first, last] = [places[span[0]], places[span[1]]];
  return first && last ? [first.shown, Math.max(last.shown, first.shown + 1)] : null;
}

/** What the strip of the whole run says of a round, or of all of them. */
function foot(round, moment, { length, keeps }, rounds) {
  const cache = words.foot[keeps === 'state' ? 'state' : 'cache']({ length });
  if (round)
    return {
      gamma: words.foot.gamma({
        gamma: offeredOf(round),
        kept: isSettled(moment) ? round.path.length : null,
      }),
      cache,
    };
  const range = (values) =>
    Math.min(...values) === Math.max(...values)
      ? `${values[0]}`
      : `${Math.min(...values)}–${Math.max(...values)}`;
  return {
    gamma: words.foot.gamma({
      gamma: range(rounds.map(offeredOf)),
      kept: range(rounds.map((each) => each.path.length)),
    }),
    cache,
  };
}

function position(trace, round, { round: index, kind, slot }) {
  const many = kind === 'residual' || kind === 'replace' || kind === 'bonus' ? null : slot;
  return words.at.beat({
    round: index + 1,
    rounds: trace.rounds.length,
    kind: words.kinds[kind === 'bonus' && !round.verdicts.length ? 'step' : kind],
    slot: many === null ? null : many + 1,
    slots: round.verdicts.length,
  });
}

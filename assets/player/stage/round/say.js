/**
 * say.js: the caption of a beat and the bar of beats above it. Pure: functions of (story, at). A
 * sentence is a list of pieces: text, or { text, role, late }; late ones give away where a number lands.
 */

import { inSentence, number, show, times } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { under as below } from '../../trace/moment.js';
import {
  childrenOf,
  isBlock,
  isChain,
  levelsOf,
  offeredOf,
  testedOf,
  whoGuesses,
} from '../../trace/timeline.js';
import { offeredBy } from './gammas.js';
import { isPassedBy } from '../../rules/threshold.js';
import { ruleOf } from '../../rules/rules.js';
import { elders, viewAt } from '../../trace/chance.js';
import { resultLine } from './result.js';
import { words } from '../words.js';
import { said, tell } from '../../words/words.js';

const { say } = words;
/** From this round on, a row of guesses that are sure to be accepted is one sentence. */
const MERGED = 2;

/** The sentence of a beat. */
export function headline(story, at) {
  const beat = story.beats[at];
  return HEADLINES[beat.kind](story, story.trace.rounds[beat.round], beat);
}

/** The sentence of each kind of beat: functions of (story, round, beat). */
const HEADLINES = {
  rest: ({ trace }) => say.rest({ drafter: whoGuesses(trace) }),
  draft({ trace, text }, round, { slot }) {
    if (!isChain(round)) return level({ trace, text }, round, slot);
    const values = { count: round.verdicts.length, drafter: trace.info.config.drafter };
    const { stop, goesOn } = offeredBy(round, trace.info);
    if (stop && slot === values.count - 1)
      return say.draft.stops({ ...values, reason: stop, cut: cutOf(round) });
    if (goesOn) return say.draft.while({ ...values, reason: goesOn });
    const how = howDrafted(trace, round.verdicts[slot]);
    const { drafted } = ruleOf(trace.info).words;
    return drafted && DRAWN.includes(how) ? drafted(values) : said(say.draft[how], values);
  },
  verify: (_, round) => say[isChain(round) ? 'check' : 'checkTree']({ count: round.verdicts.length }),
  gather: (_, round) => gathered(round),
  join: (_, round) =>
    say.join({
      count: round.path.length + (round.extra ? 1 : 0),
      stop: stopOf(round),
      behind: behind(round),
    }),
  trim({ trace: { info } }, { verdicts, target_cache: { written, kept, reread: again = 0 } }) {
    if (again) return [say.reread({ again })];
    return [
      info.target_state_bytes ? say.stays({ count: verdicts.length }) : say.trim({ gone: written - kept }),
    ];
  },
  residual: ({ trace }) => say.residual({ drafter: trace.info.config.drafter }),
  replace({ trace }, { extra, verdicts }) {
    const rule = ruleOf(trace.info, verdicts[extra.node]);
    const says = rule.by === 'number' && extra.zero_residual ? say.equal : rule.words.replace;
    return says({ text: inSentence(extra.text), u: extra.u === null ? words.untold : number(extra.u) });
  },
  bonus({ trace }, round) {
    const { verdicts, path } = round;
    const text = inSentence(round.extra.text);
    if (!isChain(round) && path.length)
      return say.bonusTree({ text, parent: inSentence(verdicts[path.at(-1)].text) });
    const texts = ruleOf(trace.info).words;
    if (!path.length) return texts.step({ text });
    const first = path.length === verdicts.length ? texts.allIn({ count: path.length }) : say.wholeBranch;
    return texts.bonus({ text, first });
  },
  adjust: (_, round, { slot }) => adjusted(round, slot),
  dart(story, round, beat) {
    if (isBlock(round)) return [say.block.numbers({ count: testedOf(round).length })];
    return sure(story, round, beat) ?? question(story, round, beat);
  },
  verdict(story, round, beat) {
    if (isBlock(round)) return wholeBlock(round);
    return sure(story, round, beat) ?? judged(story, round, beat);
  },
  result: (story) => resultLine(story),
};

/** How far a block stands: up to the last guess whose number is below its mark. */
function wholeBlock({ verdicts, path }) {
  const count = verdicts.filter(({ verdict }) => verdict !== 'untested').length;
  if (!path.length) return say.block.none({ count });
  return say.block.upTo({ text: inSentence(verdicts[path.at(-1)].text), count: path.length });
}

/** The sentence of a row of guesses that are sure to be accepted; null where it is no row. */
function sure({ trace }, round, { round: index, slot }) {
  const run = index < MERGED ? [] : sureRun(round, slot, trace.info);
  if (run.length < 2) return null;
  if (run.length > 3) return say.longRun({ many: run.length });
  return say.run({ texts: run.map((node) => inSentence(round.verdicts[node].text)) });
}

/** What became of a guess. */
function judged({ trace }, round, { slot }) {
  const { verdicts, path, extra } = round;
  const verdict = verdicts[slot];
  const rule = ruleOf(trace.info, verdict);
  const text = inSentence(verdict.text);
  const tested = testedOf(round);
  const next = verdicts[tested[tested.indexOf(slot) + 1]];
  if (rule.by === 'threshold' && isPassedBy(verdict)) return rule.words.passedBy({ text });
  if (verdict.verdict === 'rejected') return rejected(round, verdict, next, rule);
  if (slot === path.at(-1) && !extra) return say.ended({ text, count: behind(round), stop: stopOf(round) });
  const beside =
    isChain(round) || rule.weighs
      ? 0
      : childrenOf(round, verdict.parent).filter((node) => verdicts[node].verdict === 'untested').length;
  if (beside) return rule.words.accepted({ text, next: say.then.beside({ count: beside }) });
  const last = next || slot !== path.at(-1) ? 0 : path.length;
  const branch = last && path.length < verdicts.length;
  const then = branch ? say.then.branch : say.then.last({ count: last });
  return rule.words.accepted({ text, next: then });
}

/** The stop string that a round completes, as a sentence has it; '' if none. */
function stopOf({ stop_string: string = '' }) {
  return show(string);
}

/** How many guesses hang on the one that ended the text; 0 where the target's own token did. */
function behind(round) {
  return round.extra ? 0 : below(round, round.path.at(-1)).length;
}

/** What a guess's rejection means; next is the one tested after it. */
function rejected(round, { node, parent, text: token }, next, rule) {
  const { verdicts, extra } = round;
  const text = inSentence(token);
  const count = below(round, node).length;
  if (!rule.weighs) {
    if (next?.parent === parent) return say.sibling({ text, count });
    if (!isChain(round) && rule.by === 'number')
      return say.last({ text, parent: parent < 0 ? '' : inSentence(verdicts[parent].text) });
  }
  const instead = extra ? inSentence(extra.text) : '';
  return rule.words.rejected({ text, count, instead, more: Boolean(next) });
}

function gathered({ verdicts, path, position }) {
  const slots = path.map((node) => position + node);
  return say.gather({
    many: slots.length,
    where: slots.slice(0, 3).join(words.grammar.comma),
    more: slots.length > 3,
    to: slots.length === 1 ? position : `${position}–${position + slots.length - 1}`,
    gone: verdicts.length - slots.length,
  });
}

/** How guesses are drawn, of which a rule may say more. */
const DRAWN = ['together', 'alone'];

/** How the guesses of a chain came to be: 'itself' where nobody drafts, 'together' where none waited for another. */
function howDrafted(trace, { source, law }) {
  if (source.span) return 'copied';
  if (!whoGuesses(trace)) return 'itself';
  if (law === 'point') return 'chosen';
  return ['state', 'block'].includes(trace.info.heads?.reads) ? 'together' : 'alone';
}

/** The caption of one level of a tree. */
function level({ text, trace }, round, slot) {
  const { gamma } = trace.info.config;
  const { verdicts } = round;
  const { depth, source } = verdicts[slot];
  const made = levelsOf(round)[depth];
  if (source.span) return say.draft.copied;
  const before = text[round.position - 1]?.text.replace(/^·+(?=.)/u, '') ?? '';
  const end = depth + 1 === offeredOf(round) ? endOf(round, gamma) : '';
  const drafters = whoGuesses(trace) ? new Set(made.map((node) => verdicts[node].source.who)).size : 0;
  return depth
    ? say.level({ depth: depth + 1, count: made.length, end })
    : end
      ? say.firstLevelEnds({ count: made.length, end })
      : say.firstLevel({ count: made.length, text: before, drafters, drafter: trace.info.config.drafter });
}

/**
 * Why a tree ends at its last level, where it might have been deeper or wider; '' where it is as large as
 * it was meant to be.
 */
function endOf(round, gamma) {
  const { verdicts, halt, budget } = round;
  if (halt) return say.halted({ reason: tell(halt.reason), cut: cutOf(round) });
  if (budget.depth < gamma) return say.noDeeper({ reason: tell(budget.reason) });
  return verdicts.length === budget.nodes && verdicts.some(({ law }) => law === 'point')
    ? say.full({ guesses: budget.nodes })
    : '';
}

/** Guesses that were made and not checked. */
function cutOf({ unchecked = [] }) {
  return unchecked.length;
}

/** The caption that says what a rejected sibling leaves to the next. */
function adjusted(round, slot) {
  const { text, p } = round.verdicts[slot];
  const elder = round.verdicts[elders(round, slot).at(-1)];
  const grows = times(1 / viewAt(round, elder.node).left);
  return elder.law === 'point'
    ? say.struck({ gone: inSentence(elder.text), grows, text: inSentence(text), p: number(p) })
    : say.taken({ grows, text: inSentence(text), p: number(p) });
}

/** True if a guess is accepted, before its number falls. */
function question({ trace }, round, { slot }) {
  const verdict = round.verdicts[slot];
  return ruleOf(trace.info, verdict).question(trace.info, round, verdict);
}

/** The guesses around a slot that are accepted whatever number falls, as they follow each other. */
function sureRun({ verdicts }, slot, info) {
  const sure = (node) =>
    node >= 0 &&
    verdicts[node].verdict === 'accepted' &&
    (ruleOf(info, verdicts[node]).by !== 'number' || verdicts[node].p >= verdicts[node].q) &&
    verdicts[node].weight === null &&
    !verdicts.some(({ parent, verdict }) => parent === verdicts[node].parent && verdict === 'rejected');
  const run = [];
  if (!sure(slot)) return run;
  for (let node = slot; sure(node); node = verdicts[node].parent) run.unshift(node);
  for (
    let node = slot + 1;
    node < verdicts.length && sure(node) && verdicts[node].parent === run.at(-1);
    node += 1
  )
    run.push(node);
  return run;
}

/** A sentence as plain text. */
export function spoken(pieces) {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
}

/** The line under the headline on the first screen. */
export function under(story) {
  const { trace, text, rounds } = story;
  const made = text.length - rounds[0].text;
  if (trace.race) {
    const ratio = median(trace.race.plain_laps) / median(trace.race.laps);
    if (ratio < 1) return say.slower({ tokens: made, passes: trace.rounds.length });
  }
  return say.offer({
    tokens: made,
    passes: trace.rounds.length,
    kind: trace.info.traits.lossless ? ruleOf(trace.info).name : 'lossy',
  });
}

const PLACES = {
  draft: 'guess',
  verify: 'check',
  dart: 'verdict',
  verdict: 'verdict',
  adjust: 'verdict',
  residual: 'replace',
  replace: 'replace',
  bonus: 'bonus',
  join: 'join',
  gather: 'rollback',
  trim: 'rollback',
  result: 'result',
};

/** Where a beat stands in the bar; a token after no guess is no bonus. */
function kindAt({ beats, trace }, at) {
  const { kind, round } = beats[at];
  return kind === 'bonus' && !trace.rounds[round].verdicts.length ? 'step' : PLACES[kind];
}

/** The beats of the round on stage, as a bar: [{ name, label, beat, state, step }]. */
export function bar({ beats, rounds, trace }, at) {
  const { round, kind } = beats[at];
  if (kind === 'rest') return [];
  const entries = [];
  for (let beat = rounds[round].beat; beats[beat]?.round === round; beat += 1) {
    const name = kindAt({ beats, trace }, beat);
    if (entries.at(-1)?.name !== name) entries.push({ name, label: words.beats[name], beat, slots: [] });
    entries.at(-1).slots.push(beats[beat].slot);
  }
  return entries.map(({ slots, ...entry }) => {
    const inside = at - entry.beat;
    const state = inside < 0 ? 'ahead' : inside < slots.length ? 'now' : 'done';
    const guesses = [...new Set(slots)]; // a guess may take more than one beat
    const place = guesses.indexOf(slots[inside]) + 1;
    return { ...entry, state, step: place && guesses.length > 1 ? `${place}/${guesses.length}` : '' };
  });
}

/**
 * why.js: what became of one token, in its own numbers and one sentence.
 * Pure: every number is a field of the trace or arithmetic on it.
 */

import { apart, inSentence, number, show } from '../../base/format.js';
import { elders, keepChance, viewAt } from './bars.js';
import { changedSaid } from './changed.js';
import { innerOf } from './inner.js';
import { coveredBy, heldBy, isForced } from './grammar.js';
import { isRescued } from './sum.js';
import { isSettled, momentAt, momentOf, passedOver, stateOf } from '../../trace/moment.js';
import { isPassedBy, thresholdOf } from '../../trace/threshold.js';
import { isChain, ownState } from '../../trace/timeline.js';
import { words } from '../words.js';
import { said, sentences, tell } from '../../words/words.js';

/**
 * What is said of a token; at is where it stands, null for the prompt.
 * @typedef {{ token: ?string, state: string, word: string, line: string, sentence: string, source: string,
 *   at: ?{ round: number, slot: number } }} Card
 */

/**
 * The card of a token. where is { round, slot }, slot one past the drafts being the target's own token; beat
 * is the one on screen, which decides what is known; null where is the prompt, whose token is then given.
 * @returns {Card}
 */
export function why(trace, beats, at, where, { template = false, control = false } = {}) {
  const prompt = template ? 'template' : control ? 'control' : 'prompt';
  if (!where) return card(null, 'prompt', '', words.why[prompt], '');
  const round = trace.rounds[where.round];
  const past = where.round < beats[at].round;
  const moment = momentOf(trace, past ? { round: where.round, kind: 'trim', slot: null } : beats[at]);
  if (where.slot === round.verdicts.length) return targetCard(trace, round, moment);
  const verdict = round.verdicts[where.slot];
  const state = stateOf(round, moment, where.slot);
  if (state === null) return { ...card(null, 'draft', '', words.why.empty, ''), at: where };
  const [line, sentence, source] = guessSaid(round, momentAt(moment, verdict), verdict, state);
  const ends = state === 'accepted' && where.slot === round.path.at(-1) && !round.extra;
  const held = heldBy(verdict.view.allowed, trace.info.vocab_size, isForced(verdict), words.why.held);
  const changed = state === 'draft' ? '' : changedSaid(trace, round, verdict);
  const covered = state === 'draft' ? '' : coveredBy(verdict.view, words.why.covered);
  const told = sentences([
    sentence,
    innerOf(verdict)?.sentence,
    held,
    covered,
    changed,
    ends && completes(round),
  ]);
  return { ...card(show(verdict.text), state, line, told, source), at: where };
}

/** What a round's last token does to the text; '' if nothing. */
function completes({ stop_string: string }) {
  return string ? words.why.completes({ string: show(string) }) : '';
}

function card(token, state, line, sentence, source) {
  return { token, state, word: words.states[state], line, sentence, source, at: null };
}

/** The words of a rule that draws nothing to decide, if this is one. */
function certainWords({ noDice }) {
  return noDice === 'typical' ? undefined : words.noDice[noDice];
}

/** The line, sentence and source of a guess. */
function guessSaid(round, moment, verdict, state) {
  const certain = certainWords(moment);
  if (state === 'draft')
    return certain
      ? [certain.lines.guess, said(certain.why.draft, moment), certain.source]
      : guessed(verdict, moment);
  if (state === 'untested') return untested(round, verdict);
  if (verdict.rank && moment.noDice === 'typical') return ranked(verdict, state, moment.relaxation);
  if (moment.noDice === 'typical') return compared(verdict, state, moment.threshold);
  if (!certain) return (verdict.weight === null ? tested : weighed)(round, verdict, state, moment);
  const keep = number(keepChance(verdict));
  const sentence = said(certain.why[state], moment);
  return [certain.lines.test({ same: state === 'accepted', keep }), sentence, certain.source];
}

/** A guess that the target has not judged yet. */
function guessed({ law, q, draft_u: u, source }, { drafter }) {
  const reason = tell(source.words);
  const { lines, sources, chosen, draft } = words.why;
  if (law === 'point') return [lines.chosen, chosen({ reason }), sources.chosen];
  return [
    lines.draft({ q: number(q), u: u === null ? '' : number(u) }),
    draft({ reason, drafter }),
    sources.draft,
  ];
}

function untested(round, { node, p, q }) {
  const over = passedOver(round, node);
  const textOf = (each) => inSentence(round.verdicts[each].text);
  let sentence = words.why.afterEnd;
  if (over && over.kept === null) sentence = words.why.untested({ before: textOf(over.refused) });
  else if (over) sentence = words.why.sibling({ token: textOf(over.kept) });
  return [words.why.lines.untested({ p: number(p), q: number(q) }), sentence, words.why.sources.untested];
}

/** A guess whose p was held against a threshold. */
function compared(verdict, state, threshold) {
  const { lines, why: texts, source } = words.noDice.typical;
  const needed = thresholdOf(verdict, threshold);
  const [p, limit] = apart(verdict.p, needed);
  return [
    lines.test({ p, needed: limit, passes: verdict.p > needed, ...threshold }),
    texts[isPassedBy(verdict) ? 'passedBy' : state],
    source,
  ];
}

/** A guess between think tags, which no number tested. */
function ranked(verdict, state, { top, delta }) {
  const { lines, why: texts, source } = words.noDice.relaxed;
  const [p, needed] = apart(verdict.p, thresholdOf(verdict, { epsilon: 0, delta }));
  return [
    lines.test({ rank: verdict.rank, top, p, needed, delta }),
    said(texts[state], { top, delta }),
    source,
  ];
}

/** A guess that was weighed with others. */
function weighed(round, verdict, state) {
  const { lines, sources, weighed: texts } = words.why;
  if (verdict.u === null)
    return [lines.weight({ weight: number(verdict.weight) }), texts.branch, sources.traversal];
  const limit = keepChance(verdict);
  const [u, keep] = apart(verdict.u, limit);
  const line = lines.block({ keep, u, below: verdict.u < limit });
  if (!isChain(round)) return [line, texts[state === 'accepted' ? 'leaf' : 'fell'], sources.traversal];
  return [line, texts[isRescued(verdict) ? 'rescued' : state], sources.block];
}

/** A guess that a random number tested alone. */
function tested(round, verdict, state, { drafter, ensemble }) {
  const { lines, sources, ...texts } = words.why;
  const before = elders(round, verdict.node).length;
  const chance = keepChance(verdict);
  const [u, keep] = apart(verdict.u, chance);
  const [p, q, kept, sure] = [
    number(verdict.p),
    number(verdict.q),
    state === 'accepted',
    verdict.p >= verdict.q,
  ];
  const { target, distance = 0 } = verdict.view;
  const line = lines.tested({ p, q, keep, u, kept, name: before ? 'p′' : target ? 'v' : 'p' });
  if (before) return [line, texts.tried[kept && sure ? 'sure' : state]({ before }), sources.sibling];
  const token = inSentence(verdict.text);
  const values = { token, drafter, q, p, u, percent: percent(kept ? chance : 1 - chance) };
  if (target) {
    const own = number(target[verdict.view.bars.findIndex((bar) => bar.token === verdict.token)]);
    const mixed = {
      w: number(ensemble.weight),
      rest: number(1 - ensemble.weight),
      own,
      distance: number(distance),
    };
    return [line, texts.mixed({ ...values, ...mixed, kept, sure }), sources.mixed];
  }
  return [line, texts[!kept ? 'rejected' : sure ? 'wanted' : 'eager'](values), sources.tested];
}

function percent(share) {
  return share >= 0.01 && share <= 0.99 ? String(Math.round(100 * share)) : number(100 * share);
}

/** The card of the token that the target adds. */
function targetCard(trace, round, moment) {
  const { extra, verdicts } = round;
  if (!isSettled(moment)) return card(null, 'draft', '', words.why.ownWaits, '');
  if (!extra) return card(null, 'untested', '', words.why.afterEnd, '');
  const [line, sentence, source] = targetSaid(round, momentAt(moment, verdicts[extra.node]));
  const told = sentences([sentence, changedSaid(trace, round, extra), completes(round)]);
  return {
    ...card(show(extra.text), ownState(round), line, told, source),
    at: { round: round.index, slot: verdicts.length },
  };
}

function targetSaid(round, moment) {
  const { extra, path, verdicts } = round;
  const { lines, sources, bonus, equal, resampled } = words.why;
  const certain = certainWords(moment);
  const u = extra.u === null ? words.untold : number(extra.u);
  const line = certain ? certain.lines.own : lines.bonus({ p: number(extra.p), u });
  if (certain && verdicts.length) return [line, certain.why[extra.emission], certain.source];
  if (extra.emission === 'bonus')
    return [line, bonus({ kept: path.length, whole: path.length === verdicts.length }), sources.bonus];
  const lossy = words.noDice[round.verdicts[extra.node]?.rank ? 'relaxed' : 'typical'];
  if (moment.noDice === 'typical') return [line, lossy.why.resampled, lossy.source];
  if (extra.zero_residual) return [line, equal, sources.residual];
  const { left } = viewAt(round, extra.node);
  const { residual } = extra.view.bars.find(({ token }) => token === extra.token);
  const [mass, share] = [number(left), number(residual / left)];
  return [
    lines.residual({ over: number(residual), mass, share, u }),
    resampled({ token: inSentence(extra.text), mass, u, share, drafter: moment.drafter }),
    sources.residual,
  ];
}

/**
 * why.js: what became of one token, in its own numbers and one sentence.
 * Pure: every number is a field of the trace or arithmetic on it.
 */

import { apart, inSentence, number, show } from '../../base/format.js';
import { elders, keepChance, viewAt } from './bars.js';
import { innerOf } from './inner.js';
import { isRescued } from './sum.js';
import { isSettled, momentOf, passedOver, stateOf } from '../../trace/moment.js';
import { isPassedBy, thresholdOf } from '../../trace/threshold.js';
import { isChain } from '../../trace/timeline.js';
import { words } from '../words.js';
import { tell } from '../../words/words.js';

/**
 * The card of a token: { token, state, word, line, sentence, source, at }. where is { round, slot }, slot
 * one past the drafts being the target's own token; beat is the one on screen, which decides what is known;
 * null where is the prompt.
 */
export function why(trace, beats, at, where) {
  if (!where) return card(null, 'prompt', '', words.why.prompt, '');
  const round = trace.rounds[where.round];
  const past = where.round < beats[at].round;
  const moment = momentOf(trace, past ? { round: where.round, kind: 'trim', slot: null } : beats[at]);
  if (where.slot === round.verdicts.length) return own(round, moment);
  const verdict = round.verdicts[where.slot];
  const state = stateOf(round, moment, where.slot);
  const made = drafted(round, moment, verdict, state);
  const inner = state && innerOf(verdict);
  return { ...made, sentence: inner ? `${made.sentence} ${inner.told}` : made.sentence, at: where };
}

function drafted(round, moment, verdict, state) {
  const text = show(verdict.text);
  const byThreshold = moment.noDice === 'typical';
  const certain = byThreshold ? null : words.noDice[moment.noDice];
  if (state === null) return card(null, 'draft', '', words.why.empty, '');
  if (state === 'draft')
    return card(
      text,
      'draft',
      certain
        ? certain.lines.guess
        : verdict.law === 'point'
          ? words.why.lines.chosen
          : words.why.lines.draft({
              q: number(verdict.q),
              u: verdict.draft_u === null ? '' : number(verdict.draft_u),
            }),
      certain
        ? certain.why.draft
        : verdict.law === 'point'
          ? words.why.chosen({ reason: tell(verdict.source.words) })
          : words.why.draft({ reason: tell(verdict.source.words) }),
      certain ? certain.source : words.why.sources[verdict.law === 'point' ? 'chosen' : 'draft'],
    );
  if (state === 'untested') {
    const over = passedOver(round, verdict.node);
    return card(
      text,
      state,
      words.why.lines.untested({ p: number(verdict.p), q: number(verdict.q) }),
      !over
        ? words.why.afterEnd
        : over.kept === null
          ? words.why.untested({ before: inSentence(round.verdicts[over.refused].text) })
          : words.why.sibling({ token: inSentence(round.verdicts[over.kept].text) }),
      words.why.sources.untested,
    );
  }
  if (byThreshold) return card(text, state, ...compared(verdict, state, moment.threshold));
  if (certain) {
    return card(
      text,
      state,
      certain.lines.test({ same: state === 'accepted', keep: number(keepChance(verdict)) }),
      certain.why[state],
      certain.source,
    );
  }
  if (verdict.weight !== null && verdict.u === null)
    return card(
      text,
      state,
      words.why.lines.weight({ weight: number(verdict.weight) }),
      words.why.weighed.branch,
      words.why.sources.traversal,
    );
  const keep = keepChance(verdict);
  const [u, chance] = apart(verdict.u, keep);
  if (verdict.weight !== null && !isChain(round)) {
    return card(
      text,
      state,
      words.why.lines.block({ keep: chance, u, below: verdict.u < keep }),
      words.why.weighed[state === 'accepted' ? 'leaf' : 'fell'],
      words.why.sources.traversal,
    );
  }
  if (verdict.weight !== null) {
    return card(
      text,
      state,
      words.why.lines.block({ keep: chance, u, below: verdict.u < keep }),
      words.why.weighed[isRescued(verdict) ? 'rescued' : state],
      words.why.sources.block,
    );
  }
  const before = elders(round, verdict.node).length;
  const line = words.why.lines.tested({
    p: number(verdict.p),
    q: number(verdict.q),
    keep: chance,
    u,
    kept: state === 'accepted',
    name: before ? 'p′' : 'p',
  });
  const percent = (share) =>
    share >= 0.01 && share <= 0.99 ? String(Math.round(100 * share)) : number(100 * share);
  let sentence = words.why.rejected({ token: inSentence(verdict.text), percent: percent(1 - keep) });
  if (before)
    sentence = words.why.tried[state === 'accepted' && verdict.p >= verdict.q ? 'sure' : state]({ before });
  else if (state === 'accepted')
    sentence =
      verdict.p >= verdict.q
        ? words.why.wanted({ q: number(verdict.q), p: number(verdict.p) })
        : words.why.eager({ percent: percent(keep), u });
  return card(text, state, line, sentence, words.why.sources[before ? 'sibling' : 'tested']);
}

/** The line, sentence and source of a guess whose p was held against a threshold. */
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

function own(round, moment) {
  const { extra, path, verdicts } = round;
  if (!isSettled(moment)) return card(null, 'draft', '', words.why.ownWaits, '');
  if (!extra) return card(null, 'untested', '', words.why.afterEnd, '');
  const text = show(extra.text);
  const byThreshold = moment.noDice === 'typical';
  const certain = byThreshold ? null : words.noDice[moment.noDice];
  if (extra.emission === 'bonus') {
    const line = certain
      ? certain.lines.own
      : words.why.lines.bonus({ p: number(extra.p), u: number(extra.u) });
    const [sentence, source] =
      certain && verdicts.length
        ? [certain.why.bonus, certain.source]
        : [
            words.why.bonus({ kept: path.length, whole: path.length === verdicts.length }),
            words.why.sources.bonus,
          ];
    return {
      ...card(text, 'bonus', line, sentence, source),
      at: { round: round.index, slot: verdicts.length },
    };
  }
  const at = { round: round.index, slot: verdicts.length };
  if (certain)
    return { ...card(text, 'resampled', certain.lines.own, certain.why.resampled, certain.source), at };
  if (byThreshold)
    return {
      ...card(
        text,
        'resampled',
        words.why.lines.bonus({ p: number(extra.p), u: number(extra.u) }),
        words.noDice.typical.why.resampled,
        words.noDice.typical.source,
      ),
      at,
    };
  if (extra.zero_residual)
    return {
      ...card(
        text,
        'resampled',
        words.why.lines.bonus({ p: number(extra.p), u: number(extra.u) }),
        words.why.equal,
        words.why.sources.residual,
      ),
      at,
    };
  const { left: mass } = viewAt(round, extra.node);
  const { residual } = extra.view.bars.find(({ token }) => token === extra.token);
  return {
    ...card(
      text,
      'resampled',
      words.why.lines.residual({
        over: number(residual),
        mass: number(mass),
        share: number(residual / mass),
        u: number(extra.u),
      }),
      words.why.resampled({
        token: inSentence(extra.text),
        mass: number(mass),
        u: number(extra.u),
        share: number(residual / mass),
      }),
      words.why.sources.residual,
    ),
    at,
  };
}

function card(token, state, line, sentence, source) {
  return { token, state, word: words.states[state], line, sentence, source, at: null };
}

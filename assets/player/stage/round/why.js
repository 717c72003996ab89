/**
 * why.js: the card of a token: the captions of the beats that decided it, with their sum and their source. Pure.
 */

import { show } from '../../base/format.js';
import { isSettled, momentOf, stateOf } from '../../trace/moment.js';
import { isBlock, ownState } from '../../trace/timeline.js';
import { algorithm } from './algorithm.js';
import { changedSaid } from './changed.js';
import { headline, spoken } from './say.js';
import { sum } from './sum.js';
import { textOf } from '../../words/format.js';
import { words } from '../words.js';

/** By a token's state, the beats that are about it. */
const BEATS = {
  draft: ['draft'],
  accepted: ['dart', 'verdict'],
  rejected: ['dart', 'verdict'],
  resampled: ['residual', 'replace'],
  bonus: ['bonus'],
  plain: ['bonus'],
};

/**
 * at: where the token stands, null for the prompt; says: captions; sum: see sum.js; note: what changed its p.
 * @typedef {{ token: ?string, state: string, word: string, says: any[][], sum: any[], note: string, source: string,
 *   at: ?{ round: number, slot: number } }} Card
 */

/**
 * The card of a token. where is { round, slot }, slot one past the drafts being the target's own token; the beat `at`
 * is the one on screen, which decides what is known; null where is the prompt, whose token is then given.
 * @returns {Card}
 */
export function why(story, at, where, { template = false, control = false } = {}) {
  const prompt = template ? 'template' : control ? 'control' : 'prompt';
  if (!where) return card('prompt', { says: [[words.why[prompt]]] });
  const { trace, beats, rounds } = story;
  const round = trace.rounds[where.round];
  const { verdicts, extra } = round;
  const seen = where.round < beats[at].round ? rounds[where.round + 1].beat - 1 : at;
  const moment = momentOf(trace, beats[seen]);
  const own = where.slot === verdicts.length;
  const token = own ? isSettled(moment) && extra : verdicts[where.slot];
  const state = own ? (token ? ownState(round) : null) : stateOf(round, moment, where.slot);
  if (!state) return card('draft', { sum: sum(round, moment, where.slot), at: own ? null : where });
  const told = ownBeats(story, where, state);
  const last = momentOf(trace, beats[told.at(-1) ?? seen]);
  const { title, source } = algorithm(round, last);
  return card(state, {
    token: show(token.text),
    says: told
      .map((each) => headline(story, each))
      .filter((each, at, all) => !at || spoken(each) !== spoken(all[at - 1])),
    sum: sum(round, last, where.slot),
    note: state === 'draft' ? '' : changedSaid(trace, round, token),
    source: `${title} · ${source}`,
    at: where,
  });
}

function card(state, rest) {
  return {
    token: null,
    state,
    word: words.states[state],
    says: [],
    sum: [],
    note: '',
    source: '',
    at: null,
    ...rest,
  };
}

/** The beats about a token; a guess without a number of its own shows those of the guess that its branch ends with. */
function ownBeats({ trace, beats, rounds }, { round: index, slot }, state) {
  const round = trace.rounds[index];
  const all = [...beats.keys()].slice(rounds[index].beat, rounds[index + 1].beat);
  const about = (node) =>
    all.filter((at) => {
      const { kind, slot: now } = beats[at];
      if (!BEATS[state]?.includes(kind)) return false;
      if (kind === 'draft') return round.verdicts[now].depth === round.verdicts[node].depth;
      return !['dart', 'verdict'].includes(kind) || isBlock(round) || now === node;
    });
  const own = about(slot);
  return own.length || state !== 'accepted' ? own : about(round.path.at(-1));
}

/** A card as text, line by line. */
export function asText({ says, sum: entries, note, source }) {
  const lines = entries.map(({ label, terms = [], verdict }) =>
    [formula([label ?? []].flat()), formula(terms), verdict?.text].filter(Boolean).join(' · '),
  );
  return [...says.map(spoken), ...lines, note, source].filter(Boolean).join('\n');
}

/** Mathematics in one line. */
function formula(pieces) {
  const side = (part) => (part.length > 1 ? `(${formula(part)})` : formula(part));
  const one = ({ frac: [top, bottom] }) => (top[0] === 'argmax' ? 'argmax' : `${side(top)}/${side(bottom)}`);
  return pieces.map((piece) => (piece.frac ? one(piece) : textOf(piece))).join('');
}

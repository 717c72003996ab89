/**
 * heads.js: where the guesses of heads on the target come from: which state each guess is read off, which
 * tokens its head knows, and how near an imagined state came. Pure. A row is a place of the draft, a column
 * a position of the text: a state stands under the last token that it has seen. Everything is a field of
 * the trace or a sum of such fields.
 */

import { inSentence, number, show } from '../../base/format.js';
import { ORDER, branchOf, isSettled, stateOf } from '../../trace/moment.js';
import { childrenOf, offeredOf } from '../../trace/timeline.js';
import { said, saidAll } from '../../words/words.js';
import { words } from '../words.js';

/** The kinds of marks in the picture, by what the heads read. */
const MARKS = {
  state: ['true', 'token', 'goal'],
  told: ['true', 'token', 'goal'],
  imagined: ['true', 'imagined', 'token', 'goal'],
  block: ['true', 'token', 'blank', 'goal'],
};

/** So many places are shown, and so many of a head's likeliest tokens. */
const ROWS = 7;
const LIKELIEST = 3;

/**
 * { reads, says: [sentence], columns: [{ position, text }], rows: [{ node, state, focus, name, text,
 * more, q, value, says, read: { at, kind }, tokens, blanks, out, goal }], value, key: [[mark, text]],
 * detail, foot: [sentence] }; null where no heads draft. read.at, tokens, blanks, out and goal are columns.
 * A row whose place got no guess has node null.
 */
export function headsOf(story, round, moment, focus) {
  const { info } = story.trace;
  if (!info.heads || !round.verdicts.length) return null;
  const { reads, layers, of } = info.heads;
  const texts = words.heads;
  const spine = spineOf(round, focus);
  const depth = round.verdicts[focus]?.depth ?? null;
  const places = Math.max(spine.length, info.heads.places);
  const from = Math.max(0, Math.min((depth ?? 0) - 3, places - ROWS));
  const before = {
    ...info.heads,
    position: round.position,
    from,
    count: Math.min(ROWS, places - from),
    story,
    round,
    moment,
  };
  const rows = Array.from({ length: before.count }, (_, at) => rowOf(before, spine, from + at, depth));
  return {
    reads,
    says: saidOf(before),
    columns: columnsOf(before, spine),
    rows,
    value:
      moment.order >= ORDER.verify && rows.some(({ value }) => value !== null) ? texts.values[reads] : '',
    key: Object.entries(texts.key).filter(([mark]) => MARKS[reads].includes(mark)),
    detail: detailOf(before, rows.find((row) => row.focus) ?? rows[0]),
    foot: [
      texts.layers({ layers: layers.join(words.grammar.comma), many: layers.length, of }),
      ...footOf(story, round, moment),
    ],
  };
}

/**
 * What stands there before the first guess, then what happens with it. A prompt's last token was not drawn.
 */
function saidOf({ story, position, reads, ...about }) {
  const [last, pending] = [position - 2, position - 1].map((at) => inSentence(textAt(story, at)));
  const drawn = position > story.trace.prompt.length;
  return [
    words.heads.starts[drawn ? 'drawn' : 'given']({ last, pending }),
    ...saidAll(words.heads.says[reads], { pending, told: about.pending, places: about.places }),
  ];
}

/** From the text down through the guess looked at, or the accepted ones, to a leaf. */
function spineOf(round, focus) {
  const { verdicts, path } = round;
  const spine = verdicts[focus] ? branchOf(round, focus) : [...path];
  for (
    let below = childrenOf(round, spine.at(-1) ?? -1);
    below.length;
    below = childrenOf(round, spine.at(-1))
  )
    spine.push(below.find((node) => path.includes(node)) ?? below[0]);
  return spine;
}

function textAt({ text }, position) {
  return text[position]?.text ?? '…';
}

/**
 * The states and tokens that heads start from stand left of the guesses; a window that moved on begins with
 * imagined ones.
 */
function columnsOf({ reads, position, from, count, story, round, moment }, spine) {
  const first = position + from;
  const lead = reads === 'imagined' ? [first - 2, first - 1] : [position - 2, position - 1];
  return [...lead, ...Array.from({ length: count }, (_, at) => first + at)].map((at) => {
    const node = spine[at - position];
    const guessed = node !== undefined && stateOf(round, moment, node) !== null;
    return {
      position: at,
      text: at < position ? textAt(story, at) : guessed ? show(round.verdicts[node].text) : '',
    };
  });
}

function rowOf(before, spine, place, depth) {
  const { reads, pending, position, round, moment, from, count } = before;
  const node = spine[place] ?? null;
  const verdict = round.verdicts[node];
  const state = verdict ? stateOf(round, moment, node) : null;
  const goal = 2 + place - from;
  const knows = {
    state: pending ? [-1] : [],
    told: Array.from({ length: place + 1 }, (_, at) => at - 1),
    imagined: [place - 1],
    block: [-1],
  }[reads];
  const siblings = verdict ? childrenOf(round, verdict.parent) : [];
  const row = {
    node,
    state,
    focus: verdict !== undefined && place === depth,
    name: words.heads.names[reads]({ place: place + 1 }),
    text: state === null ? '' : show(verdict.text),
    more: state === null ? 0 : siblings.length - 1,
    q: state !== null && verdict.law === 'row' ? chance(verdict.q) : '',
    value: state === null || moment.order < ORDER.verify ? null : valueOf(before, siblings[0]),
    read:
      reads === 'imagined' ? { at: goal - 2, kind: place ? 'imagined' : 'true' } : { at: 0, kind: 'true' },
    tokens: knows
      .map((at) => (at < 0 && reads !== 'imagined' ? 1 : 2 + at - from))
      .filter((column) => column > 0),
    blanks: reads === 'block' ? Array.from({ length: count }, (_, at) => at + 2) : [],
    out: reads === 'imagined' ? goal - 1 : null,
    goal,
  };
  return {
    ...row,
    says: saysOf(
      before,
      row,
      knows.map((at) => tokenAt(before, spine, position + at)),
      position + place,
    ),
  };
}

/** A probability in the little room of a row. */
function chance(q) {
  return q < 0.01 ? words.heads.tiny : number(q, 2);
}

/** The token of the text, or of the branch, at a position. */
function tokenAt({ story, position, round }, spine, at) {
  return at < position ? textAt(story, at) : show(round.verdicts[spine[at - position]]?.text ?? '…');
}

/** What a row says aloud: what it reads, and what became of its guess. */
function saysOf({ reads }, { state, text, q, value, read, name }, known, position) {
  const fit = value === null ? '' : `${words.heads.values[reads]} ${number(value, 2)}`;
  const from = said(words.heads.reads[reads], { kind: read.kind });
  const parts = state
    ? [words.heads.guessed({ text }), q && `q ${q}`, words.states[state], fit]
    : [words.heads.unread];
  return words.heads.read({
    name,
    reads: [from, ...known.map((token) => words.quoted({ token }))],
    position,
    result: parts.filter(Boolean).join(words.grammar.comma),
  });
}

/**
 * How well a place was guessed, known once the target's pass is over: of imagined states the cosine, else
 * the overlap of p and q.
 */
function valueOf({ reads, round: { verdicts, imagined = [] } }, first) {
  if (reads === 'imagined')
    return imagined.find(({ node }) => node === verdicts[first].parent)?.likeness ?? null;
  return verdicts[first].law === 'row' ? verdicts[first].view.overlap : null;
}

/** The place looked at: the tokens its head rates highest, and the imagined state over the target's own. */
function detailOf({ story, position, round, moment }, { node, state, name }) {
  if (state === null || state === undefined) return null;
  const { verdicts, imagined = [] } = round;
  const [first] = childrenOf(round, verdicts[node].parent);
  const best =
    verdicts[first].law === 'row'
      ? [...verdicts[first].view.bars]
          .sort((one, other) => other.q - one.q)
          .slice(0, LIKELIEST)
          .filter(({ q }) => q > 0)
      : [];
  const pair =
    moment.order >= ORDER.verify ? imagined.find((each) => each.node === verdicts[node].parent) : null;
  const behind = pair && inSentence(pair.node < 0 ? textAt(story, position - 1) : verdicts[pair.node].text);
  return {
    title: best.length ? words.heads.likeliest({ name }) : '',
    best: best.map(({ text, q }) => ({ text: show(text), q: number(q, 2) })),
    pair: pair && {
      own: scaled(pair, pair.own),
      true: scaled(pair, pair.true),
      says: words.heads.alike({ behind, many: pair.own.length, likeness: number(pair.likeness, 2) }),
    },
  };
}

/** Numbers of a state as shares of the largest of both. */
function scaled({ own, true: true_ }, values) {
  const largest = Math.max(...[...own, ...true_].map(Math.abs)) || 1;
  return values.map((value) => value / largest);
}

/** What the draft cost, and how often a guess stood at each place so far. */
function footOf({ trace: { rounds } }, round, moment) {
  const { timing, calls } = round;
  const drafting = timing.draft.reduce((sum, { ms }) => sum + ms, 0);
  const done = rounds.slice(0, moment.round + (isSettled(moment) ? 1 : 0));
  const deepest = Math.max(0, ...done.map(offeredOf));
  const kept = Array.from({ length: Math.min(ROWS, deepest) }, (_, place) => {
    const tested = done.filter((each) => each.path.length >= place && offeredOf(each) > place);
    return tested.length ? tested.filter((each) => each.path.length > place).length / tested.length : null;
  }).filter((share) => share !== null);
  return [
    words.heads.cost({
      passes: calls.draft,
      drafting: number(drafting, 2),
      verify: number(timing.verify, 2),
    }),
    ...(kept.length ? [words.heads.kept({ shares: kept.map((share) => number(share, 2)).join(' · ') })] : []),
  ];
}

/**
 * heads.js: guesses of heads on the target: which state each reads, which tokens it knows, what it rates highest. Pure.
 * A row is a place of the draft; its place in the branch of the guess looked at says which of the guesses of that depth
 * it tells of.
 */

import { inSentence, number, show } from '../../base/format.js';
import { ORDER, branchOf } from '../../trace/moment.js';
import { childrenOf } from '../../trace/timeline.js';
import { words } from '../words.js';
import { ribbonOf } from './stack.js';

const texts = words.source;
/** So many tokens that a head rates highest stand in its row, and so many places in the picture. */
const LIKELIEST = 3;
const ROWS = 4;

/** Medusa: heads that all read one state. */
export function headsOf(story, round, moment, node) {
  return onOneState(story, round, node, texts.heads.line, null);
}

/** Hydra: the same, each with the guesses before its own. */
export function fedOf(story, round, moment, node) {
  const fed = (branch, place) => branch.slice(0, place).map((at) => show(round.verdicts[at].text));
  return onOneState(story, round, node, texts.fed.line, fed);
}

/** Heads on one state, fed(branch, place) being the guesses that a head is told; what they rate hangs on those. */
function onOneState(story, round, node, line, fed) {
  const { places, pending: isTold } = story.trace.info.heads;
  const branch = branchOf(round, node);
  const { depth } = round.verdicts[node];
  const { last, pending } = startOf(story, round);
  const told = isTold ? pending : '';
  const before = fed?.(branch, depth);
  return {
    line: line({ last, place: depth + 1, places, told, fed: before?.length ? before.map(inSentence) : null }),
    picture: {
      kind: 'heads',
      ...ribbonOf(story, places),
      columns: LIKELIEST,
      rows: Array.from({ length: places }, (_, place) => ({
        name: texts.head({ place: place + 1 }),
        now: place === depth,
        ...(fed && place > depth
          ? { note: '', cells: [], end: texts.waits }
          : { note: fed ? fed(branch, place).join('') : '', ...bestAt(round, branch, place) }),
      })),
    },
  };
}

/** The last token that the target's state has read, and the one drawn from it, which is in the text too. */
export function startOf({ text }, { position }) {
  const [last, pending] = [position - 2, position - 1].map((at) => inSentence(text[at]?.text ?? '…'));
  return { last, pending };
}

/**
 * What is rated highest at a place of a branch, or of any where it is shorter: { cells, end: why there are none }.
 * The branch's own guess is framed; one that is none of the highest comes last, and a newest one lands in this beat.
 */
export function bestAt(round, branch, place) {
  const { verdicts } = round;
  const node = branch[place] ?? null;
  const first =
    node === null
      ? verdicts.findIndex(({ depth }) => depth === place)
      : childrenOf(round, verdicts[node].parent)[0];
  if (first < 0) return { cells: [], end: round.unchecked ? words.lane.cut : texts.unused };
  const isDrawn = verdicts[first].law === 'row';
  const lands = place === branch.length - 1;
  const cell = (each, far) => {
    const guess = node !== null && each.token === verdicts[node].token;
    return {
      text: show(each.text),
      value: isDrawn ? chance(each.q) : '',
      ...(isDrawn ? { share: each.q } : {}),
      guess,
      lands: guess && lands ? (far ? 'whole' : 'frame') : '',
      look: far ? 'far' : '',
    };
  };
  const rated = isDrawn
    ? [...verdicts[first].view.bars].filter(({ q }) => q > 0).sort((one, other) => other.q - one.q)
    : childrenOf(round, verdicts[first].parent).map((at) => verdicts[at]);
  const best = rated.slice(0, LIKELIEST).map((each) => cell(each, false));
  if (node === null || best.some(({ guess }) => guess)) return { cells: best, end: '' };
  return { cells: [...best.slice(0, LIKELIEST - 1), cell(verdicts[node], true)], end: '' };
}

/** A probability in the little room of a cell. */
export function chance(q) {
  return q < 0.01 ? texts.tiny : number(q, 2);
}

/** A layer for multi-token prediction: the same steps, each with the block that state and embedding go through. */
export function putOutOf(story, round, moment, node) {
  return imaginedOf(story, round, moment, node, texts.mtp);
}

/**
 * EAGLE: a step reads a state, the target's or one it imagined itself, and a token. states: own is the state it
 * imagines after that, true the one the target has there once its pass is over, as shares of the largest of both.
 */
export function imaginedOf(story, round, moment, node, said = texts.imagined) {
  const { verdicts } = round;
  if (!verdicts.length) return { line: '', picture: null };
  const checked = moment.order >= ORDER.verify;
  const branch = checked ? spineOf(round, node) : branchOf(round, node);
  const { last, pending } = startOf(story, round);
  const depth = branch.length - 1;
  const from = Math.max(0, branch.length - ROWS);
  const token = depth ? inSentence(verdicts[branch[depth - 1]].text) : pending;
  return {
    line: checked ? said.checked : said.line({ last, token, imagined: depth > 0 }),
    picture: {
      kind: 'heads',
      ...ribbonOf(story),
      columns: LIKELIEST,
      rows: branch.slice(from).map((each, at) => {
        const place = from + at;
        const read = place ? verdicts[branch[place - 1]].text : (story.text[round.position - 1]?.text ?? '…');
        return {
          name: texts.step({ place: place + 1 }),
          now: !checked && place === depth,
          mark: place ? 'imagined' : 'true',
          note: show(read),
          ...stateOf(round, verdicts[each].parent, checked),
          cells: bestAt(round, branch.slice(0, checked ? place + 1 : undefined), place).cells.map((cell) =>
            checked ? { ...cell, lands: '' } : cell,
          ),
        };
      }),
      key: [checked ? texts.imagined.key : said.before].flat(),
    },
  };
}

/** The state that was imagined after a guess; checked: beside the target's own, with how alike they are. */
function stateOf({ imagined = [] }, parent, checked) {
  const pair = imagined.find((state) => state.node === parent);
  if (!pair) return {};
  const largest = Math.max(...[...pair.own, ...pair.true].map(Math.abs)) || 1;
  const [own, known] = [pair.own, pair.true].map((state) => state.map((value) => value / largest));
  return {
    states: { own, true: checked ? known : null },
    end: checked ? texts.imagined.cosine({ cosine: number(pair.likeness, 2) }) : '',
  };
}

/** The branch of a guess, on through its accepted child or its first, to a leaf. */
function spineOf(round, node) {
  const spine = branchOf(round, node);
  for (;;) {
    const below = childrenOf(round, spine.at(-1) ?? -1);
    if (!below.length) return spine;
    spine.push(below.find((each) => round.path.includes(each)) ?? below[0]);
  }
}

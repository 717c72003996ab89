/**
 * source-heads.js: where a guess comes from that a head on the target makes: which state it reads, which
 * tokens it knows, what it rates highest. Pure. A row is a place of the draft; its place in the branch of
 * the guess looked at says which of the guesses of that depth it tells of.
 */

import { inSentence, number, show } from '../../base/format.js';
import { ORDER, branchOf } from '../../trace/moment.js';
import { childrenOf, offeredOf } from '../../trace/timeline.js';
import { words } from '../words.js';

const texts = words.source;
/** How many tokens that a head rates highest stand in its row, and that many places in the picture. */
const LIKELIEST = 3;
const ROWS = 4;
const BLANKS = 8;

/** Medusa: heads that all read one state. */
export function headsOf(story, round, moment, node) {
  const { line, ...drawn } = fanned(story, round, node, () => null, texts.heads);
  return { line, picture: { kind: 'heads', ...drawn } };
}

/** Hydra: the same, each with the guesses before its own. */
export function fedOf(story, round, moment, node) {
  const fed = (branch, place) => branch.slice(0, place).map((at) => show(round.verdicts[at].text));
  const { line, ...drawn } = fanned(story, round, node, fed, texts.fed);
  return { line, picture: { kind: 'fed', ...drawn } };
}

/**
 * { line, state: [piece], rows: [{ name, focus, fed: [text] or null, best, note }] } of heads on one state,
 * fed(branch, place) being the guesses that a head is told; what they rate highest hangs on those.
 */
function fanned(story, round, node, fed, { line }) {
  const { places, pending } = story.trace.info.heads;
  const branch = branchOf(round, node);
  const { depth } = round.verdicts[node];
  const about = startOf(story, round);
  const told = fed(branch, depth);
  return {
    line: line({
      ...about,
      place: depth + 1,
      places,
      told: pending ? about.pending : '',
      fed: told?.length ? told.map(inSentence) : null,
    }),
    state: texts.state({ last: about.last, told: pending ? about.pending : '' }),
    rows: Array.from({ length: places }, (_, place) => {
      const waits = told !== null && place > depth;
      return {
        name: texts.head({ place: place + 1 }),
        focus: place === depth,
        fed: waits ? [] : fed(branch, place),
        ...(waits ? { best: [], note: texts.waits } : bestAt(round, branch, place)),
      };
    }),
  };
}

/** The last token that the target's state has read, and the one drawn from it, which is in the text too. */
function startOf({ text }, { position }) {
  const [last, pending] = [position - 2, position - 1].map((at) => inSentence(text[at]?.text ?? '…'));
  return { last, pending };
}

/**
 * What is rated highest at a place of a branch, or of any other where it is shorter: { best: [{ text, q,
 * share, guess, late, far }], note }. guess: it is the branch's own; late: it lands in this beat; far: it is none
 * of the highest. share: of the largest q.
 */
function bestAt(round, branch, place) {
  const { verdicts } = round;
  const node = branch[place] ?? null;
  const first =
    node === null
      ? verdicts.findIndex(({ depth }) => depth === place)
      : childrenOf(round, verdicts[node].parent)[0];
  if (first < 0) return { best: [], note: texts.unused };
  const late = place === branch.length - 1;
  const own = ({ token }) => node !== null && token === verdicts[node].token;
  const entry = (each, more) => ({
    text: show(each.text),
    q: verdicts[first].law === 'row' ? chance(each.q) : '',
    share: each.q,
    guess: own(each),
    late: late && own(each),
    far: false,
    ...more,
  });
  const rated =
    verdicts[first].law === 'row'
      ? [...verdicts[first].view.bars].filter(({ q }) => q > 0).sort((one, other) => other.q - one.q)
      : childrenOf(round, verdicts[first].parent).map((at) => verdicts[at]);
  const best = rated.slice(0, LIKELIEST).map((each) => entry(each));
  if (node === null || best.some(({ guess }) => guess)) return { best, note: '' };
  return { best: [...best.slice(0, LIKELIEST - 1), entry(verdicts[node], { far: true })], note: '' };
}

/** A probability in the little room of a row. */
function chance(q) {
  return q < 0.01 ? texts.tiny : number(q, 2);
}

/** A layer for multi-token prediction: the same steps, each with the block that state and embedding go through. */
export function putOutOf(story, round, moment, node) {
  return imaginedOf(story, round, moment, node, texts.mtp);
}

/**
 * EAGLE: { kind: 'imagined', into, rows: [{ name, focus, imagined, token, own, true, cosine, best, note }] }: a step
 * reads a state, the target's or one it imagined itself, and a token; own is the state it imagines after
 * that, true the one the target has there once its pass is over, as shares of the largest of both. into: what both
 * go through, "" where it is not named.
 */
export function imaginedOf(story, round, moment, node, said = texts.imagined) {
  const { verdicts, imagined = [] } = round;
  if (!verdicts.length) return { line: '', picture: null };
  const checked = moment.order >= ORDER.verify;
  const branch = checked ? spineOf(round, node) : branchOf(round, node);
  const { last, pending } = startOf(story, round);
  const depth = branch.length - 1;
  const token = (place) => (place ? inSentence(verdicts[branch[place - 1]].text) : pending);
  const from = Math.max(0, branch.length - ROWS);
  const rows = branch.slice(from).map((each, at) => {
    const place = from + at;
    const pair = imagined.find((state) => state.node === verdicts[each].parent);
    const largest = pair ? Math.max(...[...pair.own, ...pair.true].map(Math.abs)) || 1 : 1;
    return {
      name: texts.step({ place: place + 1 }),
      focus: !checked && place === depth,
      reads: place > 0 ? 'imagined' : 'true',
      token: place
        ? show(verdicts[branch[place - 1]].text)
        : show(story.text[round.position - 1]?.text ?? '…'),
      own: pair ? pair.own.map((value) => value / largest) : null,
      true: pair && checked ? pair.true.map((value) => value / largest) : null,
      cosine: pair && checked ? texts.imagined.cosine({ cosine: number(pair.likeness, 2) }) : '',
      ...(checked ? settled(bestAt(round, branch.slice(0, place + 1), place)) : bestAt(round, branch, place)),
    };
  });
  const line = checked ? said.checked : said.line({ last, token: token(depth), imagined: depth > 0 });
  return {
    line,
    picture: {
      kind: 'imagined',
      key: checked ? texts.imagined.key : said.before,
      into: said.block ?? '',
      rows,
    },
  };
}

/** Nothing of it is to land any more. */
function settled({ best, note }) {
  return { best: best.map((each) => ({ ...each, late: false })), note };
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

/**
 * DFlash: { kind: 'blanks', states, pending, columns: [{ name, focus, best }], more, pass }: blanks after the
 * last token, a column for each that guesses; the others are counted.
 */
export function blanksOf(story, round, moment, node) {
  const { places } = story.trace.info.heads;
  const branch = branchOf(round, node);
  const place = branch.length - 1;
  const { last, pending } = startOf(story, round);
  const used = Math.min(BLANKS, offeredOf(round));
  return {
    line: texts.blanks.line({ places, place: place + 1, pending }),
    picture: {
      kind: 'blanks',
      states: texts.blanks.states({ last }),
      pending: show(story.text[round.position - 1]?.text ?? '…'),
      columns: Array.from({ length: used }, (_, at) => ({
        name: texts.blanks.blank({ place: at + 1 }),
        focus: at === place,
        ...bestAt(round, branch, at),
      })),
      more: places > used ? texts.blanks.more({ many: places - used }) : '',
      pass: texts.blanks.pass,
    },
  };
}

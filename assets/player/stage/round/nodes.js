/**
 * nodes.js: a round's guesses as the lane draws them: nodes with a parent and a column, which is their depth. Pure. A
 * chain is a tree in which every guess has one child: under its chips there is room for numbers, and its nodes have a
 * tier: 1 is what the text will be, 2 below it the guesses that were rejected or never tested.
 */

import { apart, bytesOf, number, plainName, show, spelt } from '../../base/format.js';
import { speak } from '../../words/words.js';
import { branchOf, isSettled, isThrown, ORDER, stateOf } from '../../trace/moment.js';
import { lastBefore, token } from '../../trace/story.js';
import { childrenOf, isChain, offeredOf, ownState } from '../../trace/timeline.js';
import { ruleOf } from '../../rules/rules.js';
import { keepChance, letterAt, scored } from '../../trace/chance.js';
import { isTargetToken } from './bars.js';
import { cheapDrafter, innerOf } from './inner.js';
import { isForced } from './grammar.js';
import { trialOf } from './trial.js';
import { words } from '../words.js';

/** The edge to a guess, by its state. */
const EDGES = { draft: 'guess', accepted: 'kept', rejected: 'refused', untested: 'dropped' };
/** A guess without q gets an edge as wide as this q would. */
const CHOSEN = 0.1;
const RANK = {
  focus: 200,
  own: 180,
  path: 150,
  accepted: 140,
  rejected: 90,
  sibling: 70,
  child: 50,
  likely: 20,
};

/** What a node has that says nothing. */
const BARE = {
  node: null,
  token: null,
  state: null,
  tier: 1,
  order: 1,
  siblings: 1,
  letter: '',
  says: '',
  note: '',
  p: null,
  q: null,
  keep: null,
  u: null,
  strip: null,
  weight: null,
  edge: 'none',
  inner: null,
  certain: false,
};

/**
 * The lane of a round at a moment: { shape, columns, root, nodes, focus, cheap, held, places, trial, drafters, rows }.
 * The guesses come first, as they were drawn, then the target's own token, then what was cut. In a tree the token has
 * its place from the first beat on and is seen when it is drawn; in a chain the place where a bonus would be is seen,
 * and after a refusal it comes last. cheap: who guessed for the draft model, or ''. drafters: [[letter, name], ...]
 * where several guess; rows: the most nodes a column holds.
 */
export function treeOf(story, round, moment, focus) {
  const { verdicts, path, extra, position } = round;
  const forks = !isChain(round);
  const parent = isTargetToken(round, moment, focus) ? (path.at(-1) ?? -1) : (verdicts[focus]?.parent ?? -1);
  const drafters = forks ? [...new Set(verdicts.map(({ source }) => source.who))] : [];
  const looked = {
    forks,
    focus,
    parent,
    line: new Set(focus < verdicts.length ? branchOf(round, focus) : path),
    several: drafters.length > 1,
  };
  const nodes = verdicts.map((verdict) => guess(story, round, moment, verdict, looked));
  const checked = Math.max(offeredOf(round) + (forks ? 0 : 1), extra ? path.length + 1 : 0);
  nodes.push(...afterGuesses(round, moment, checked, looked));
  const every = [...waiting(nodes, round), ...cutGuesses(round, moment, nodes.length, forks)];
  const columns = Math.max(checked, ...every.map(({ column }) => column));
  return {
    shape: forks ? 'tree' : 'chain',
    columns,
    root: rootOf(story, round),
    nodes: every.map((node, index) => ({ ...node, focused: index === focus })),
    focus,
    cheap: forks ? '' : cheapDrafter(verdicts),
    held: !forks && Boolean(story.trace.info.config.grammar),
    places: forks ? Array.from({ length: columns + 1 }, (_, at) => position - 1 + at) : [],
    trial: forks ? trialOf(story, round, moment, focus, parent) : null,
    drafters: looked.several ? drafters.map((who) => [letterOf(who), plainName(who)]) : [],
    rows: Math.max(...Array.from({ length: columns }, (_, at) => inColumn(every, at + 1))),
  };
}

const letterOf = (who) => (who[0] ?? '').toLowerCase();
const inColumn = (nodes, at) => nodes.filter(({ column }) => column === at).length;

/** The text so far, which the first guesses hang on. */
export function rootOf(story, { position }) {
  const before = lastBefore(story, position);
  return { text: before ? `…${before.text}`.replace(/^…·+/u, '… ') : '…' };
}

function guess(story, round, moment, verdict, looked) {
  const { node, text, source } = verdict;
  const seen = { ...BARE, ...placed(round, moment, verdict, looked) };
  const position = seen.column;
  if (!seen.state) {
    const says = looked.forks ? '' : words.lane.notYet;
    return { ...seen, kind: 'empty', says, label: words.lane.empty({ position }) };
  }
  const { chance, mark, ...numbers } = numbersOf(round, moment, verdict, looked.forks);
  const { p, q, strip: bar, stands: name } = numbers;
  const values = bar ? words.lane.values({ p: p === null ? null : number(p), q: number(q), name }) : '';
  const note = noteOf(moment, seen.state, looked.forks);
  const inner = looked.forks ? null : innerOf(verdict);
  const certain = isForced(verdict);
  return {
    ...seen,
    ...numbers,
    token: token(text, verdict.token, seen.state, null),
    edge: EDGES[seen.state],
    inner,
    certain,
    note,
    label: words.lane.guess({
      position,
      text: named(story, round, moment, node, values),
      who: looked.several ? plainName(source.who) : '',
      state: note || words.states[seen.state],
      chance,
      u: mark,
      inner: inner?.says,
      certain,
    }),
  };
}

/** Under a chip of a chain, on the first screen: what became of it. */
function noteOf({ kind }, state, forks) {
  return kind === 'rest' && !forks ? words.lane.ends[state] : '';
}

/** Where a guess is, and what it has before anything is known of it. */
function placed(round, moment, { node, parent, depth, q, text, source, law }, looked) {
  const state = stateOf(round, moment, node);
  const siblings = childrenOf(round, parent);
  return {
    node,
    parent,
    column: depth + 1,
    kind: 'guess',
    state,
    tier: looked.forks ? 1 : tierOf(round, moment, state),
    order: siblings.indexOf(node) + 1,
    siblings: siblings.length,
    text,
    weight: law === 'point' || ruleOf(moment.info).bare ? CHOSEN : q,
    slot: round.position + node,
    letter: looked.several ? letterOf(source.who) : '',
    rank: rank({ node, parent, state }, looked) + RANK.likely * likely(round, node),
  };
}

/** The numbers of a guess that was made, and their words: p and q, its chance, and u where it landed. */
function numbersOf(round, moment, verdict, forks) {
  const { node, q } = verdict;
  const { by, chances, bare } = ruleOf(moment.info);
  if (bare) return { p: null, q: null, u: null, keep: null, stands: '', strip: null, chance: '', mark: '' };
  const state = stateOf(round, moment, node);
  const u = isThrown(round, moment, node) && by === 'number' ? verdict.u : null;
  const p = moment.order >= ORDER.verify ? scored(round, node) : null;
  const known = state !== 'untested' && (forks ? u !== null : p !== null);
  const keep = known ? keepChance(verdict) : null;
  const [mark, chance] = u === null ? ['', number(keep)] : apart(u, keepChance(verdict));
  const measured = !forks && moment.kind !== 'rest' && (p === null || known);
  return {
    p,
    q,
    u,
    keep,
    stands: letterAt(round, node),
    strip: measured ? strip(moment, known, state, keep, u) : null,
    chance: known && chances ? chance : '',
    mark,
  };
}

/** How much a guess matters, by which chips are given out. */
function rank({ node, parent, state }, { focus, parent: tested, line }) {
  if (node === focus) return RANK.focus;
  if (line.has(node)) return RANK.path;
  if (state === 'accepted') return RANK.accepted;
  if (state === 'rejected') return RANK.rejected;
  if (parent === tested) return RANK.sibling;
  return parent === focus ? RANK.child : 0;
}

/** The product of q along a branch, up to a guess. */
function likely(round, node) {
  return branchOf(round, node).reduce((product, each) => product * round.verdicts[each].q, 1);
}

/** The target's own token, or its place until it is drawn; in a chain a place that stays empty is seen, too. */
function afterGuesses(round, moment, columns, { forks }) {
  const { verdicts, path, extra } = round;
  const at = { parent: path.at(-1) ?? -1, column: path.length + 1 };
  const settled = isSettled(moment);
  const own = extra && (settled ? targetNode(round, at, moment, forks) : forks && coming(round, at));
  const last = verdicts.findIndex(({ depth }) => depth === columns - 2);
  const free = !forks && !(own && extra.emission !== 'resampled');
  return [
    ...(own ? [own] : []),
    ...(free ? [freePlace(round, { parent: last, column: columns }, settled)] : []),
  ];
}

/**
 * A guess for a screen reader, with the values that are under it; bytes say which character they are part
 * of, once all of it is there.
 */
function named({ text, places }, round, moment, node, values) {
  const { verdicts } = round;
  const label = speak(verdicts[node].text) + values;
  if (!bytesOf(verdicts[node].text)) return label;
  const codes = [];
  const open = text
    .slice(places[round.position]?.from ?? round.position, round.position)
    .flatMap((each) => each.codes ?? []);
  const branch = branchOf(round, node);
  for (
    let at = node;
    at >= 0 && stateOf(round, moment, at) !== null;
    at = verdicts.findIndex(({ parent }) => parent === branch.at(-1))
  ) {
    if (at !== node) branch.push(at);
  }
  for (const at of branch) {
    const part = bytesOf(verdicts[at].text);
    if (!part) {
      if (branch.indexOf(at) > branch.indexOf(node)) break;
      open.length = codes.length = 0;
    } else {
      codes.push(...part);
      const letter = spelt([...open, ...codes]);
      if (letter !== null && branch.indexOf(at) >= branch.indexOf(node))
        return words.lane.part({ bytes: label, letter: show(letter) });
      if (letter !== null) open.length = codes.length = 0;
    }
  }
  return words.lane.part({ bytes: label, letter: null });
}

/**
 * The chance of a guess as a bar from 0 to 1. Where no number is drawn it fills, or not, with the verdict.
 */
function strip({ info }, known, state, keep, dart) {
  if (ruleOf(info).by === 'number') return { accept: known ? keep : 0, known, dart };
  const accepted = state === 'accepted';
  return { accept: accepted ? 1 : 0, known: accepted || state === 'rejected', dart: null };
}

/** What never counted steps down once that is known; the refused guess when its place is taken. */
function tierOf(round, moment, state) {
  if (state === 'untested') return 2;
  return state === 'rejected' && isSettled(moment) && round.extra?.emission === 'resampled' ? 2 : 1;
}

/** What a γ rule cut from a draft of one pass, once the last guess that is checked is there; no hand reaches it. */
function cutGuesses(round, moment, before, forks) {
  const { verdicts, unchecked = [] } = round;
  const made = moment.kind !== 'draft' || verdicts[moment.slot].depth + 1 === offeredOf(round);
  return unchecked.map(({ parent, depth, token: id, text, q }, at) => ({
    ...BARE,
    kind: 'cut',
    parent: parent < verdicts.length ? parent : parent - verdicts.length + before,
    column: depth + 1,
    text,
    q,
    rank: 0,
    ...(made && { state: 'untested', token: token(text, id, 'untested', null), edge: 'dropped' }),
    tier: forks ? 1 : 2,
    note: made && !forks && at === 1 ? words.lane.cut : '', // above the first is the place of the bonus
    label: words.lane.cutAt({ position: depth + 1, text: speak(text), q: number(q) }),
  }));
}

function coming({ extra }, at) {
  const label = words.lane.empty({ position: at.column });
  return { ...BARE, ...at, kind: 'coming', text: extra.text, rank: RANK.own, label };
}

function freePlace({ verdicts, extra }, at, settled) {
  const { lane } = words;
  const says = settled
    ? lane[extra ? 'notReached' : 'ended']
    : lane[verdicts.length ? 'bonusWaits' : 'ownOnly'];
  const label = !verdicts.length ? says : settled ? lane.bonusPlace({ note: says }) : lane.bonusIfAll;
  return { ...BARE, ...at, kind: 'empty', text: says, rank: RANK.own, says, label };
}

/** The target's own token, once it is drawn. */
function targetNode(round, at, moment, forks) {
  const { extra } = round;
  const state = ownState(round);
  return {
    ...BARE,
    ...at,
    kind: 'own',
    state,
    token: token(extra.text, extra.token, state, null),
    text: extra.text,
    rank: RANK.own,
    p: ruleOf(moment.info).bare ? null : extra.p,
    edge: state === 'bonus' ? 'bonus' : 'own',
    note: noteOf(moment, state, forks),
    label: words.lane.own({ position: at.column, text: speak(extra.text), state: words.states[state] }),
  };
}

/** Empty places hang on an edge while they may still be filled; the last of those is the bonus token's. */
function waiting(nodes, { unchecked }) {
  const settled = ['rejected', 'untested', 'resampled', 'bonus', 'plain'];
  if (nodes.some(({ state }) => settled.includes(state))) return nodes;
  return nodes.map((node) =>
    node.says
      ? {
          ...node,
          edge: 'waits',
          note: node.node === null && nodes.length > 1 && !unchecked ? words.look.ifAll : '',
        }
      : node,
  );
}

/**
 * The node that a key leads to from another: up to its parent, down to the child on the kept path or the
 * first, beside it.
 */
export function turned({ nodes }, from, key) {
  const seen = (index) =>
    nodes[index].kind !== 'cut' && (nodes[index].state !== null || Boolean(nodes[index].says));
  const { parent, column } = nodes[from];
  if (key === 'ArrowLeft') return parent < 0 ? from : parent;
  if (key === 'ArrowRight') {
    const below = nodes.flatMap((node, index) =>
      node.parent === from && seen(index) && nodes[from].kind === 'guess' ? [index] : [],
    );
    return (
      below.find((index) => ['accepted', 'resampled', 'bonus', 'plain'].includes(nodes[index].state)) ??
      below[0] ??
      from
    );
  }
  const order = (parent_) =>
    nodes.flatMap((node, index) =>
      node.parent === parent_ ? [index, ...(node.kind === 'guess' ? order(index) : [])] : [],
    );
  const level = order(-1).filter((index) => nodes[index].column === column && seen(index));
  return level[level.indexOf(from) + (key === 'ArrowUp' ? -1 : 1)] ?? from;
}

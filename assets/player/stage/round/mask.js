/**
 * mask.js: what each guess sees in the target's one pass, and where it lies: rows are nodes, columns the
 * text and the nodes. Pure. A position is a depth, a slot an order: a tree is where the two part.
 */

import { along } from '../../base/dom.js';
import { inSentence, show } from '../../base/format.js';
import { branchOf, stateOf } from '../../trace/moment.js';
import { lastBefore } from '../../trace/story.js';
import { isChain } from '../../trace/timeline.js';
import { words } from '../words.js';

/**
 * { title, columns, rows: [{ node, text, state, place, slot, sees, seen, focus }], says }, null for
 * a chain. The first row is the pending token, node -1; sees are the columns of its ancestors and its own,
 * the text before them apart; seen is the same in words.
 */
export function maskOf(story, round, moment, focus) {
  if (isChain(round)) return null;
  const { verdicts, position } = round;
  const before = lastBefore(story, position);
  const root = {
    node: -1,
    text: before ? before.text : '…',
    state: 'root',
    place: position - 1,
    slot: position - 1,
    sees: [0],
    seen: seenBy([]),
    focus: false,
  };
  const rows = verdicts.map(({ text, depth }, node) => ({
    node,
    text: show(text),
    state: stateOf(round, moment, node),
    place: position + depth,
    slot: position + node,
    sees: [0, ...branchOf(round, node).map((each) => each + 1)],
    seen: seenBy(ancestors(round, node)),
    focus: node === focus,
  }));
  return {
    title: words.mask.title,
    columns: verdicts.length + 1,
    rows: [root, ...rows],
    says: said(round, moment, focus),
  };
}

/** The ancestors of a guess, as text. */
function ancestors(round, node) {
  return branchOf(round, node)
    .slice(0, -1)
    .map((each) => inSentence(round.verdicts[each].text));
}

/**
 * The guess whose row is that many rows on from the one looked at, or the one at that end; those still to
 * come are left out.
 */
export function rowBeside({ rows }, way) {
  const seen = rows.filter(({ node, state }) => node >= 0 && state !== null);
  const at = seen.findIndex(({ focus }) => focus);
  return along(seen, at < 0 && way < 0 ? seen.length : at, way).node;
}

function seenBy(before) {
  return words.mask.seen({
    many: before.length,
    before: before.map((token) => words.quoted({ token })).join(words.grammar.comma),
  });
}

/** A sentence about the node in focus. */
function said(round, moment, focus) {
  const { verdicts, position } = round;
  if (!verdicts[focus] || stateOf(round, moment, focus) === null)
    return words.mask.rows({ rows: verdicts.length + 1 });
  return words.mask.sees({
    text: inSentence(verdicts[focus].text),
    seen: seenBy(ancestors(round, focus)),
    place: position + verdicts[focus].depth,
    slot: position + focus,
  });
}

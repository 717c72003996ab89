/**
 * mask.js: what each guess sees in the target's one pass, and where it lies: rows are nodes, columns the text and the nodes.
 * Pure. A position is a depth, a slot an order: a tree is where the two part.
 */

import { plain, show } from '../base/format.js';
import { branchOf, stateOf } from '../trace/moment.js';
import { isChain } from '../trace/timeline.js';
import { words } from './words.js';

/**
 * { title, source, columns, rows: [{ node, text, state, place, slot, sees, focus }], says }, null for a chain. The first row
 * is the pending token, node -1; sees are the columns of its ancestors and its own, the text before them apart.
 */
export function maskOf(story, round, moment, focus) {
  if (isChain(round)) return null;
  const { verdicts, position } = round;
  const before = story.text[position - 1];
  const root = { node: -1, text: before ? before.text : '…', state: 'root', place: position - 1, slot: position - 1, sees: [0], focus: false };
  const rows = verdicts.map(({ text, depth }, node) => ({
    node, text: show(text), state: stateOf(round, moment, node), place: position + depth, slot: position + node,
    sees: [0, ...branchOf(round, node).map((each) => each + 1)], focus: node === focus,
  }));
  return { title: words.mask.title, source: words.mask.source, columns: verdicts.length + 1, rows: [root, ...rows], says: said(round, moment, focus) };
}

/** A sentence of the node that is looked at. */
function said(round, moment, focus) {
  const { verdicts, position } = round;
  if (!verdicts[focus] || stateOf(round, moment, focus) === null) return words.mask.rows(verdicts.length + 1);
  const before = branchOf(round, focus).slice(0, -1).map((node) => plain(verdicts[node].text));
  return words.mask.sees(plain(verdicts[focus].text), before, position + verdicts[focus].depth, position + focus);
}

/**
 * parts.js: what the pictures of sources are made of, and what several of them ask of a round. Pure.
 *
 * A picture is rows of cells, drawn by draw/draw-source.js and laid out by its kind in sources.css:
 * @typedef {{ text?: string, value?: string, share?: number, look?: string, at?: number, guess?: boolean,
 *   lands?: string }} Cell share: a bar; look: how it is dressed; at: its column; guess: framed as a guess; lands:
 *   what of it gives away where a number lands, and so waits for it: 'frame' or 'whole'
 * @typedef {{ name?: string, note?: string, end?: string, cells: Cell[], now?: boolean, look?: string,
 *   guess?: boolean, lands?: string, mark?: string, states?: { own: number[], true: ?number[] } }} Row
 * @typedef {{ kind: string, title?: string, from?: object[], columns?: number, rows: Row[], key?: object[],
 *   beside?: { title: string, rows: Row[], key?: string } }} Picture kind: table, copied, stack, heads, blanks,
 *   window or tree; from: what all rows read; beside: more rows
 */

import { show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { tell } from '../../words/words.js';
import { words } from '../words.js';

/** In words, as the engine gives them, or else what the drafter does. */
export function told({ trace }, { verdicts }, _, node) {
  const summary = words.plugins[trace.info.config.drafter]?.summary;
  return { line: tell(verdicts[node]?.source.words) || summary, picture: null };
}

/** The tokens right before a guess, of the text and of its branch, the last ones last. */
export function tokensBefore({ text }, round, node, many) {
  const branch = branchOf(round, node)
    .slice(0, -1)
    .map((each) => show(round.verdicts[each].text));
  const committed = text.slice(Math.max(0, round.position - many), round.position).map((each) => each.text);
  return [...committed, ...branch].slice(-many);
}

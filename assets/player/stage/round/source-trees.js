/**
 * source-trees.js: where the guesses of a tree come from: the small model's rows, of which several tokens are taken,
 * or several drafters with a branch each. Pure. Everything is read from the record.
 */

import { inSentence, number, plainName, show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { childrenOf, offeredOf } from '../../trace/timeline.js';
import { words } from '../words.js';
import { tokensBefore } from './source-counts.js';

const texts = words.source;
/** How many places of a branch are shown. */
const PLACES = 3;

/** The small model's row at each place on the way to a guess, the tokens taken from it, and what they left. */
export function takenOf(story, round, { slot }, node) {
  const { verdicts } = round;
  const { text, law, depth } = verdicts[node];
  const rows = branchOf(round, node).map((each) => takenAt(story, round, each));
  const { after, cells } = rows.at(-1);
  const kind = law === 'row' ? 'drawn' : 'chosen';
  const order = cells.findIndex(({ guess }) => guess) + 1;
  const shown = rows.slice(-PLACES);
  return {
    line: texts.taken.line[kind]({ after, text: inSentence(text), order, many: cells.length }),
    picture: {
      kind: 'taken',
      title: texts.taken.title[kind],
      rows: shown,
      most: Math.max(...shown.map((row) => row.cells.length)),
      late: depth === verdicts[slot].depth && kind === 'drawn',
    },
  };
}

/** One such row: q of a token is told given those taken before it, `share` is what that was of the whole row. */
function takenAt(story, round, node) {
  const { verdicts } = round;
  let left = 1;
  const cells = childrenOf(round, verdicts[node].parent).map((each) => {
    const { text, q, law } = verdicts[each];
    const share = law === 'row' ? left * q : 0;
    left -= share;
    return { text: show(text), q: law === 'row' ? number(q, 2) : '', share, guess: each === node };
  });
  const after = inSentence(tokensBefore(story, round, node, 1)[0] ?? '…');
  const drawn = verdicts[node].law === 'row';
  return { after, cells, left: drawn ? texts.taken.left({ left: number(left, 2) }) : '' };
}

/** The drafters of a round, each with its branch as far as it has grown, and where another one guesses the same. */
export function membersOf(_, round, { slot }, node) {
  const { verdicts } = round;
  const grown = verdicts[slot].depth;
  const others = ({ node: own, parent, token }) =>
    verdicts.filter((each) => each.node !== own && each.parent === parent && each.token === token);
  const members = [...new Set(verdicts.map(({ source }) => source.who))];
  const with_ = others(verdicts[node]).map(({ source }) => plainName(source.who));
  return {
    line: texts.members.line({
      members: members.length,
      who: plainName(verdicts[node].source.who),
      text: inSentence(verdicts[node].text),
      others: with_.length,
      with: with_,
    }),
    picture: {
      kind: 'members',
      title: texts.members.title,
      places: offeredOf(round),
      rows: members.map((who) => ({
        name: plainName(who),
        cells: verdicts
          .filter(({ source, depth }) => source.who === who && depth <= grown)
          .map((each) => ({
            text: show(each.text),
            agrees: others(each).length > 0,
            focus: each.node === node,
            late: each.depth === grown,
          })),
      })),
    },
  };
}

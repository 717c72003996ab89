/**
 * blanks.js: guesses that fill blanks, all in one pass: the states so far and the last token, then a column for each
 * blank with what it holds. Pure.
 */

import { show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { offeredOf } from '../../trace/timeline.js';
import { words } from '../words.js';
import { bestAt, startOf } from './heads.js';

const texts = words.source.blanks;
/** So many blanks are shown. */
const BLANKS = 8;

/** DFlash: blanks after the last token, a row for each that guesses; the others are counted. */
export function blanksOf(story, round, moment, node) {
  const { places } = story.trace.info.heads;
  const branch = branchOf(round, node);
  const { last, pending } = startOf(story, round);
  const used = Math.min(BLANKS, offeredOf(round));
  const more = places > used ? [' ', texts.more({ many: places - used })] : [];
  return {
    line: texts.line({ places, place: branch.length, pending }),
    picture: {
      kind: 'blanks',
      from: [texts.states({ last }), ' ', show(story.text[round.position - 1]?.text ?? '…')].flat(),
      columns: 1,
      rows: Array.from({ length: used }, (_, at) => ({
        name: texts.blank({ place: at + 1 }),
        now: at === branch.length - 1,
        ...bestAt(round, branch, at),
      })),
      key: [texts.pass, ...more],
    },
  };
}

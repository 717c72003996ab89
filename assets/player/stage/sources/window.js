/**
 * window.js: guesses for which nobody drafts: what the target said in its passes before, a column a position. Pure.
 * The guesses of a round are what the last pass said there; its scouts are the window of the pass.
 */

import { inSentence, show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { words } from '../words.js';

const texts = words.source;
/** How many passes, places and groups are shown. */
const PASSES = 5;
const PLACES = 10;
const GROUPS = 5;
/** The levels of a window where the run does not say. */
const LEVELS = 4;

/** Jacobi: the guesses that each pass read; framed is what the pass before read there too. */
export function passesOf(story, round) {
  const { rounds } = story.trace;
  const from = Math.max(0, round.index - PASSES + 1);
  const shown = rounds.slice(from, round.index + 1);
  const first = Math.max(round.position - 2, Math.min(...shown.map(({ position }) => position)));
  const read = (each) =>
    new Map((each?.verdicts ?? []).map(({ depth, text }) => [each.position + depth, text]));
  const rows = shown.map((each, at) => {
    const before = read(rounds[from + at - 1]);
    const cells = [...read(each)].map(([position, text]) => ({
      at: position - first,
      text: show(text),
      look: before.get(position) === text ? 'still' : 'said',
    }));
    return {
      name: texts.passes.pass({ number: from + at + 1 }),
      now: each === round,
      cells: cells.filter(fits),
    };
  });
  const before = rounds[round.index - 1];
  const still = rows.at(-1).cells.filter(({ look }) => look === 'still').length;
  const places = Array.from({ length: PLACES }, (_, at) => ({ at, text: String(first + at), look: 'place' }));
  return {
    line: before?.verdicts.length ? texts.passes.line({ still }) : texts.passes[before ? 'said' : 'first'],
    picture: { kind: 'window', columns: PLACES, rows: [...rows, { cells: places }], key: [texts.passes.key] },
  };
}

const fits = ({ at }) => at >= 0 && at < PLACES;

/** Lookahead: the window, a row a level, beside the groups that the same pass checks. node: a guess, or none. */
export function windowOf(story, round, moment, node) {
  const { trace, text } = story;
  const levels = levelsOf(round);
  const { verdicts, position } = round;
  const leaves = verdicts.flatMap((_, at) => (verdicts.every(({ parent }) => parent !== at) ? [at] : []));
  const branch = verdicts[node] ? branchOf(round, node) : [];
  const wanted = (trace.info.config.params.levels ?? LEVELS) - 1;
  const pending = inSentence(text[position - 1]?.text ?? '…');
  const line = leaves.length
    ? texts.window.tries({ many: leaves.length, pending })
    : levels.length < wanted
      ? texts.window.fills({ level: levels.length, of: wanted })
      : texts.window.none({ pending });
  const rows = levels.map((level, at) => ({
    name: texts.window.level({ ago: levels.length - at }),
    cells: level.map((scout) => ({ at: scout.depth, text: show(scout.text), look: 'said' })).filter(fits),
  }));
  return {
    line,
    picture: {
      kind: 'window',
      title: texts.window.window,
      columns: 1 + Math.max(0, ...rows.flatMap(({ cells }) => cells.map(({ at }) => at))),
      rows,
      beside: {
        title: texts.window.check({ pending }),
        rows: leaves
          .slice(0, GROUPS)
          .map((leaf) => ({
            cells: branchOf(round, leaf).map((at) => ({
              text: show(verdicts[at].text),
              look: 'said',
              guess: branch.includes(at),
            })),
          })),
        key: leaves.length ? '' : texts.window.empty,
      },
      key: [texts.window.once],
    },
  };
}

/** A level begins where a scout is not deeper than the one before it. */
function levelsOf({ scouts = [] }) {
  const levels = [];
  scouts.forEach((scout, at) =>
    at && scout.depth > scouts[at - 1].depth ? levels.at(-1).push(scout) : levels.push([scout]),
  );
  return levels;
}

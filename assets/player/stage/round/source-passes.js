/**
 * source-passes.js: where a guess comes from for which nobody drafts: what the target said in its passes before.
 * Pure. The guesses of a round are what the last pass said there; its scouts are the window of the pass.
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

/**
 * Jacobi: { kind: 'passes', places: [position], rows: [{ name, now, cells: [{ at, text, still }] }] }: the
 * guesses that each pass reads, a column a position; still: the pass before read the same token there.
 */
export function passesOf(story, round) {
  const { rounds } = story.trace;
  const from = Math.max(0, round.index - PASSES + 1);
  const shown = rounds.slice(from, round.index + 1);
  const first = Math.max(round.position - 2, Math.min(...shown.map(({ position }) => position)));
  const read = (each) =>
    new Map((each?.verdicts ?? []).map(({ depth, text }) => [each.position + depth, text]));
  const rows = shown.map((each, at) => {
    const before = read(rounds[from + at - 1]);
    return {
      name: texts.passes.pass({ number: from + at + 1 }),
      now: each === round,
      cells: [...read(each)]
        .map(([position, text]) => ({
          at: position - first,
          text: show(text),
          still: before.get(position) === text,
        }))
        .filter(({ at: column }) => column >= 0 && column < PLACES),
    };
  });
  const before = rounds[round.index - 1];
  const still = rows.at(-1).cells.filter((cell) => cell.still).length;
  return {
    line: before?.verdicts.length ? texts.passes.line({ still }) : texts.passes[before ? 'said' : 'first'],
    picture: {
      kind: 'passes',
      places: Array.from({ length: PLACES }, (_, at) => first + at),
      rows,
      key: texts.passes.key,
    },
  };
}

/**
 * Lookahead: { kind: 'window', window: { title, rows: [{ name, cells: [{ at, text }] }] }, check: { title,
 * groups: [{ focus, cells: [{ text, guess }] }] } }: the two things that one pass reads. node: a guess, or none.
 */
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
  return {
    line,
    picture: {
      kind: 'window',
      window: {
        title: texts.window.window,
        rows: levels.map((level, at) => ({
          name: texts.window.level({ ago: levels.length - at }),
          cells: level
            .map((scout) => ({ at: scout.depth, text: show(scout.text) }))
            .filter(({ at: column }) => column >= 0 && column < PLACES),
        })),
      },
      check: {
        title: texts.window.check({ pending }),
        note: leaves.length ? '' : texts.window.empty,
        groups: leaves
          .slice(0, GROUPS)
          .map((leaf) => ({
            focus: branchOf(round, leaf).includes(branch.at(-1)),
            cells: branchOf(round, leaf).map((at) => ({
              text: show(verdicts[at].text),
              guess: branch.includes(at),
            })),
          })),
      },
      once: texts.window.once,
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

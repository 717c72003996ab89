/**
 * memory.js: what a drafter that remembers the target's rows has learned at one moment, as a heat map over
 * the vocabulary. Pure. Every token of a pass, guesses that were not accepted included, teaches it the row
 * after that token, once its round is over. Such a drafter is known by its guesses: they are chosen, by
 * what was counted in this run.
 */

import { count } from '../../base/format.js';
import { isJoined } from '../../trace/moment.js';
import { words } from '../words.js';

const COLUMNS = 128;
/** Tokens of a larger vocabulary share cells. */
const CELLS = 4096;
/** A cell is so hot that was learned as often as that. */
const HEATS = [1, 2, 4];
/**
 * What each round of a story taught: [[id, state]], the prompt's first; as many as there were when they
 * were asked for.
 */
const lessons = new WeakMap();

/**
 * { says, key: [{ kind, text }], width, height, paths: [{ kind, heat, d }] }, null of other drafters. kinds
 * say what taught a cell last: `text`, or `rejected`, a guess that was not accepted; the cells of the last
 * lesson are `fresh` besides.
 */
export function memory(story, { round: index, order }) {
  const { trace } = story;
  const [guess] = trace.rounds.find(({ verdicts }) => verdicts.length)?.verdicts ?? [];
  if (guess?.law !== 'point' || !guess.source.counts?.own) return null;
  const taught = lessonsOf(story);
  const over = isJoined({ order });
  const rows = new Map();
  taught.slice(0, index + 1 + over).forEach((lesson, at) =>
    lesson.forEach(([id, kind]) => {
      rows.set(id, { kind, times: 1 + (rows.get(id)?.times ?? 0), at });
    }),
  );
  const size = Math.ceil(trace.info.vocab_size / CELLS);
  const cells = new Map();
  for (const [id, { kind, times, at }] of rows) {
    const cell = Math.floor(id / size);
    const before = cells.get(cell);
    const latest = !before || at >= before.at;
    cells.set(cell, {
      kind: latest ? kind : before.kind,
      at: latest ? at : before.at,
      times: times + (before?.times ?? 0),
    });
  }
  const fresh = over ? index + 1 : index;
  const paths = new Map();
  for (const [cell, { kind, times, at }] of cells) {
    const name = `${kind} ${HEATS.findLastIndex((least) => times >= least)}`;
    const square = `M${cell % COLUMNS} ${Math.floor(cell / COLUMNS)}h1v1h-1z`;
    paths.set(name, (paths.get(name) ?? '') + square);
    if (at === fresh) paths.set('fresh 0', (paths.get('fresh 0') ?? '') + square);
  }
  const by = (wanted) => [...rows.values()].filter(({ kind }) => kind === wanted).length;
  return {
    says: words.memory.says({ rows: count(rows.size), all: count(trace.info.vocab_size) }),
    key: Object.entries(words.memory.learned).map(([kind, says]) => ({
      kind,
      text: says({ rows: count(by(kind)) }),
    })),
    width: COLUMNS,
    height: Math.ceil(Math.ceil(trace.info.vocab_size / size) / COLUMNS),
    paths: [...paths]
      .sort()
      .map(([name, d]) => ({ kind: name.split(' ')[0], heat: Number(name.split(' ')[1]), d })),
  };
}

function lessonsOf(story) {
  const { trace, text } = story;
  const known = lessons.get(story) ?? [trace.prompt.slice(0, -1).map((id) => [id, 'text'])];
  for (let index = known.length - 1; index < trace.rounds.length; index += 1) {
    const { position, path, verdicts } = trace.rounds[index];
    known.push([
      [text[position - 1].id, 'text'],
      ...verdicts.map(({ node, token }) => [token, path.includes(node) ? 'text' : 'rejected']),
    ]);
  }
  lessons.set(story, known);
  return known;
}

/**
 * passes.js: for methods without a draft model, what the target said at each position, pass by pass, and
 * the groups of tokens it tried. Pure. Everything is read from the recorded rounds: what a pass said is the
 * next round's guesses, or its newest scouts.
 */

import { inSentence, show } from '../../base/format.js';
import { branchOf, isSettled, stateOf } from '../../trace/moment.js';
import { ownState } from '../../trace/timeline.js';
import { words } from '../words.js';

/** So many passes, places and groups are shown. */
const PASSES = 7;
const PLACES = 8;
const GROUPS = 5;
/** The levels of a window where the run does not say. */
const LEVELS = 4;
const BY_DRAFTER = { jacobi: refined, lookahead: ahead };

/**
 * { says, places: [positions], rows: [{ name, now, cells: [{ at, text, look }] }], groups: [{ title,
 * groups: [{ hit, cells: [{ text, look }] }] }] }; null where somebody drafts. at is a column, look a
 * token's state.
 */
export function passesOf(story, moment) {
  const made = BY_DRAFTER[story.trace.info.config.drafter]?.(story, moment);
  return made ?? null;
}

/** The window of guesses that each pass refines. */
function refined({ trace: { rounds } }, moment) {
  const round = rounds[moment.round];
  const first = Math.max(rounds[0].position, round.position - 2);
  const from = Math.max(0, moment.round - PASSES + 1);
  const rows = rounds.slice(from, moment.round + 1).map((each, index) => {
    const now = from + index === moment.round;
    const cells =
      now && !isSettled(moment) ? waiting(each, moment) : answered(each, rounds[from + index + 1]);
    return { name: words.passes.pass({ number: from + index + 1 }), now, cells: placed(cells, first) };
  });
  const { path, extra } = round;
  const text = extra ? inSentence(extra.text) : '';
  const says = !isSettled(moment)
    ? words.passes.asks
    : path.length
      ? words.passes.settles({ kept: path.length, all: path.length + (extra ? 1 : 0) })
      : words.passes.moves({ own: text });
  return { says, places: placesFrom(first), rows, groups: [] };
}

function waiting(round, moment) {
  return round.verdicts
    .map(({ depth, text }, node) => ({
      position: round.position + depth,
      text,
      look: stateOf(round, moment, node),
    }))
    .filter(({ look }) => look);
}

/** What a pass made certain, and what it said behind that. */
function answered({ position, verdicts, path, extra }, next) {
  const certain = path.map((node, depth) => ({
    position: position + depth,
    text: verdicts[node].text,
    look: 'accepted',
  }));
  if (extra)
    certain.push({ position: position + path.length, text: extra.text, look: ownState({ verdicts, extra }) });
  return [
    ...certain,
    ...(next?.verdicts ?? []).map(({ depth, text }) => ({
      position: next.position + depth,
      text,
      look: 'draft',
    })),
  ];
}

/** The window ahead of the text, level by level, and the groups that were tried. */
function ahead({ trace: { rounds, info }, text }, moment) {
  const round = rounds[moment.round];
  const next = rounds[moment.round + 1];
  const settled = isSettled(moment);
  const levels = levelsOf(round);
  const cells = (level, { position }) =>
    level.map((scout) => ({ position: position + scout.depth, text: scout.text, look: 'draft' }));
  const rows = levels.map((level, at) => ({
    name: words.passes.level({ ago: levels.length - at }),
    now: false,
    cells: placed(cells(level, round), round.position),
  }));
  const newest = settled && next ? levelsOf(next).at(-1) : null;
  if (newest)
    rows.push({
      name: words.passes.now,
      now: true,
      cells: placed(cells(newest, { position: round.position + 1 }), round.position),
    }); // levels come nearer by a place
  const leaves = round.verdicts
    .map((_, node) => node)
    .filter((node) => round.verdicts.every(({ parent }) => parent !== node));
  const tried = leaves.map((leaf) => ({
    hit: settled && round.path.length > 0 && branchOf(round, leaf).includes(round.path.at(-1)),
    cells: branchOf(round, leaf).map((node) => ({
      text: show(round.verdicts[node].text),
      look: stateOf(round, moment, node) ?? 'draft',
    })),
  }));
  const wanted = (info.config.params.levels ?? LEVELS) - 1;
  const full = levels.length === wanted;
  const groups = [{ title: words.passes.tried, groups: tried.slice(0, GROUPS) }];
  if (newest && full)
    groups.push({
      title: words.passes.fresh,
      groups: columnsOf(levels, newest, text[round.position - 1]).slice(0, GROUPS),
    });
  return {
    says: said(round, settled, levels.length, wanted, text),
    places: placesFrom(round.position),
    rows,
    groups: groups.filter((each) => each.groups.length),
  };
}

function said({ verdicts, path, extra, position }, settled, made, wanted, text) {
  const { fills, none, tries, misses, hits, ends } = words.passes;
  if (verdicts.length && !settled)
    return tries({
      many: verdicts.filter((_, node) => verdicts.every(({ parent }) => parent !== node)).length,
    });
  if (verdicts.length) return path.length ? hits({ all: path.length + (extra ? 1 : 0) }) : misses;
  if (!made) return ends;
  return made < wanted ? fills({ level: made, of: wanted }) : none({ pending: text[position - 1].text });
}

/**
 * A level begins where a scout is not deeper than the one before it. The first level's first token is the
 * pending one.
 */
function levelsOf({ scouts = [] }) {
  const levels = [];
  scouts.forEach((scout, at) =>
    at && scout.depth > scouts[at - 1].depth ? levels.at(-1).push(scout) : levels.push([scout]),
  );
  return levels;
}

/** Each column with the newest token below it. */
function columnsOf([first, ...others], newest, pending) {
  const top = [{ text: pending.text, shown: true }, ...first];
  return newest.map((last, column) => ({
    hit: false,
    cells: [top[column], ...others.map((level) => level[column]), last]
      .filter(Boolean)
      .map(({ text, shown }) => ({ text: shown ? text : show(text), look: 'draft' })),
  }));
}

function placesFrom(first) {
  return Array.from({ length: PLACES }, (_, at) => first + at);
}

/** Those of the cells that have a column. */
function placed(cells, first) {
  return cells
    .filter(({ position }) => position >= first && position < first + PLACES)
    .map(({ position, text, look }) => ({ at: position - first, text: show(text), look }));
}

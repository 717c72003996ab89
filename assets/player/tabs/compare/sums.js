/**
 * sums.js: lanes side by side: the question asked, what each lane cost, and how their texts must compare.
 * Pure.
 * A lane: { drafter, gamma, gamma_rule, rule, temperature }. A decoded lane also has a letter, its tokens,
 * what fixes them (noDiceOf in timeline.js) and its cells (Cell in specviz/lab/measured.py, one per lap).
 * Times are milliseconds.
 */

import { count } from '../../base/format.js';
import { median } from '../../base/statistics.js';
import { noDiceOf } from '../../trace/timeline.js';
import { token } from '../../trace/story.js';
import { words } from '../words.js';

export const FEWEST = 2;
export const MOST = 4;
/** Lanes to begin with; there is room for one more. */
const FIRST = 3;
/** Tokens a lane writes at most. */
export const LONGEST = 64;

/** The letter of lane 0, 1, ... */
export const letter = (index) => String.fromCharCode(65 + index);

/** The first lanes: the settings of the run on stage with each of the first draft methods. */
export function firstLanes({ gamma, gamma_rule, rule, temperature }, drafters) {
  return drafters
    .slice(0, FIRST)
    .map(({ name: drafter }) => ({ drafter, gamma, gamma_rule, rule, temperature }));
}

/**
 * A lane as changes to a run's config; shared: { prompt, seed, max_new_tokens }. Parameters stay only if
 * their method does.
 */
export function changesOf(lane, base, shared) {
  return {
    ...shared,
    ...lane,
    params: lane.drafter === base.drafter ? base.params : {},
    gamma_params: lane.gamma_rule === base.gamma_rule ? base.gamma_params : {},
  };
}

/**
 * What the laps of one configuration cost: { alpha (null where nothing was tested), kept, tested, made,
 * passes, perPass, wasted, time, low, high, each, rate, speedup, range }: median time, its ends, and as
 * much for the speed-up.
 */
export function measured(cells) {
  // every lap decodes the same text
  const [{ tokens, gammas, tested, accepted, rolled_back: wasted }] = cells;
  const times = cells.map(({ draft, verify, rest }) => draft + verify + rest);
  const speedups = cells.map(({ plain }, lap) => plain / times[lap]);
  const [time, made, passes] = [median(times), tokens.length, gammas.length];
  return {
    alpha: tested ? accepted / tested : null,
    kept: accepted,
    tested,
    made,
    passes,
    wasted,
    perPass: made / passes,
    time,
    low: Math.min(...times),
    high: Math.max(...times),
    each: time / made,
    rate: (1000 * made) / time,
    speedup: median(speedups),
    range: [Math.min(...speedups), Math.max(...speedups)],
  };
}

/**
 * What the server reports of a lane, to be drawn. tokens: as the ribbon shows them, each with whether a
 * target pass begins there. fixed: what fixes them whatever the draft method: `greedy`, `coupled`, or null.
 */
export function decoded({ written, traits, cells }) {
  return {
    tokens: written.map(({ token: id, text, state, round }, index) => ({
      ...token(text, id, state, null),
      starts: round !== written[index - 1]?.round,
    })),
    fixed: traits.plain_text ? noDiceOf({ config: cells[0].config, traits }) : null,
    cells,
    cost: measured(cells),
  };
}

/** What every lane wrote at a position: [[letter, token or null], ...]. */
export function across(lanes, position) {
  return lanes
    .filter(({ tokens }) => tokens)
    .map(({ letter: name, tokens }) => [name, tokens[position] ?? null]);
}

/**
 * What may be said of the texts of lanes { letter, lane, tokens, fixed }: [{ kind, sentence, at }], kind
 * being `equal`, `different` or `same` (the distribution), and at the position from which lanes differ that
 * must not, else null.
 */
export function judgements(lanes) {
  const texts = words.compare.texts;
  if (lanes.length < 2)
    return [
      {
        kind: 'none',
        sentence: lanes.length ? texts.alone({ lane: lanes[0].letter }) : texts.none,
        at: null,
      },
    ];
  const said = [];
  for (const group of grouped(lanes, ({ lane, fixed }) => `${fixed ?? ''} ${lane.temperature}`)) {
    const by = group[0].fixed;
    if (by && group.length > 1) said.push(sameText(group, by));
  }
  const laws = grouped(lanes, ({ lane }) => lane.temperature);
  for (const group of laws) {
    const free = group.some(({ fixed }) => fixed !== group[0].fixed || !fixed);
    if (!free || group.length < 2) continue;
    const alike = group.every(({ tokens }) => firstDifference(group[0].tokens, tokens) === null);
    said.push({
      kind: 'same',
      sentence: texts[alike ? 'chance' : 'law']({ lanes: group.map(({ letter: name }) => name) }),
      at: null,
    });
  }
  if (laws.length > 1) said.push({ kind: 'same', sentence: texts.laws, at: null });
  return said;
}

function sameText(group, by) {
  const texts = words.compare.texts;
  const [first, ...others] = group;
  const [at, other] = others
    .map((lane) => [firstDifference(first.tokens, lane.tokens), lane])
    .reduce(
      (least, candidate) =>
        candidate[0] !== null && (least[0] === null || candidate[0] < least[0]) ? candidate : least,
      [null, null],
    );
  if (at === null)
    return {
      kind: 'equal',
      sentence: texts[by]({ lanes: group.map(({ letter: name }) => name), many: count(first.tokens.length) }),
      at,
    };
  const [here, there] = [first, other].map(({ tokens }) => tokens[at]?.text ?? words.compare.ended);
  return {
    kind: 'different',
    sentence: texts.differ({
      one: first.letter,
      other: other.letter,
      position: count(at + 1),
      here,
      there,
      why: texts.must[by],
    }),
    at,
  };
}

/** The first position where two texts differ, null if there is none. */
function firstDifference(one, other) {
  const at = Array.from({ length: Math.max(one.length, other.length) }).findIndex(
    (_, index) => one[index]?.id !== other[index]?.id,
  );
  return at < 0 ? null : at;
}

function grouped(items, key) {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}

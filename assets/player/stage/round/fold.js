/**
 * fold.js: how many rows of a figure fit, which tokens join the rest, and how wide the bars may be.
 * Pure: rows as in scene.js, the last one being all other tokens; sizes are pixels.
 */

/** Lines of text a row takes at least. */
const LINE = 1.12;
/** Rows in a figure of q alone; it has no second bar to compare. */
const GUESSED = 7;
const FEW = 4;
const FEWER = 3;
/** Bars are at one of these multiples of the ruler's scale. */
const SCALES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 75, 100];
/** Shares that may be marked over the bars. */
const MARKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** A mark is no farther right than this share of the room. */
const INSIDE = 0.96;
const SUMS = ['count', 'p', 'q', 'overlap', 'residual', 'before'];

/** How many named rows fit in a height in pixels, beside the row of the rest; a tree leaves less room. */
export function room(height, type, mode, forks = false) {
  const fits = Math.floor(height / (type * LINE)) - 1;
  return Math.max(forks ? FEWER : FEW, mode === 'q' ? Math.min(GUESSED, fits) : fits);
}

/**
 * The rows to draw: as many as there is room for, largest first as they came; the smallest join the rest,
 * number by number, so that the sums of all columns stay what they were. A row the beat is about always
 * keeps its place.
 */
export function fold(rows, most) {
  const named = rows.filter(({ rest }) => !rest);
  const rest = rows.find((row) => row.rest);
  let over = named.length - most;
  if (over <= 0 || !rest) return rows;
  const dropped = new Set();
  for (let index = named.length - 1; index >= 0 && over > 0; index -= 1) {
    if (matters(named[index])) continue;
    dropped.add(named[index]);
    over -= 1;
  }
  const sum = { ...rest };
  for (const row of dropped) {
    for (const name of SUMS)
      if (sum[name] !== null && sum[name] !== undefined) sum[name] += name === 'count' ? 1 : (row[name] ?? 0);
  }
  return [...named.filter((row) => !dropped.has(row)), sum];
}

/**
 * The multiple of the ruler's scale at which the largest named token still fits `area`, the ruler being
 * `ruler` wide.
 */
export function zoom(rows, area, ruler) {
  const largest = Math.max(
    0,
    ...rows.filter(({ rest }) => !rest).map(({ p, q, before }) => Math.max(p ?? 0, q ?? 0, before ?? 0)),
  );
  if (!largest || !ruler || !area) return 1;
  const fitting = SCALES.filter((scale) => largest * scale * ruler <= area);
  return fitting.length ? fitting.at(-1) : area / (largest * ruler);
}

/** The share to mark where one so large would fill the room, so that bars of two figures can be compared. */
export function markOf(widest) {
  return MARKS.findLast((mark) => mark <= INSIDE * widest) ?? null;
}

function matters({ drafted, emitted, focus, dart }) {
  return Boolean(drafted || emitted || focus || (dart !== null && dart !== undefined));
}

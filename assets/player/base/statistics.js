/**
 * statistics.js: sums, averages and intervals of lists of numbers. Pure; an empty list has no average: null.
 */

/** A normal variable lies within this many standard deviations of its mean in 95 % of cases. */
export const Z95 = 1.959964;

export function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

export function mean(values) {
  return values.length ? sum(values) / values.length : null;
}

export function median(values) {
  if (!values.length) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The most frequent value; if several are equally frequent, the largest. */
export function mode(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([one, many], [other, more]) => more - many || other - one)[0]?.[0] ?? null;
}

/** Standard deviation of a sample; 0 of one value, which has none. */
export function deviation(values) {
  if (values.length < 2) return 0;
  const average = mean(values);
  return Math.sqrt(sum(values.map((value) => (value - average) ** 2)) / (values.length - 1));
}

/**
 * Wilson's 95 % interval of part / whole independent trials: { low, high }; null without a trial. JASA 22
 * (1927).
 */
export function wilson(part, whole) {
  if (!whole) return null;
  const share = part / whole;
  const middle = share + (Z95 * Z95) / (2 * whole);
  const reach = Z95 * Math.sqrt((share * (1 - share)) / whole + (Z95 * Z95) / (4 * whole * whole));
  const [low, high] = [middle - reach, middle + reach].map((end) => end / (1 + (Z95 * Z95) / whole));
  return { low: Math.max(0, low), high: Math.min(1, high) };
}

/** A share with its interval: { part, whole, value, low, high }; the last three are null without a trial. */
export function share(part, whole) {
  return { part, whole, value: whole ? part / whole : null, low: null, high: null, ...wilson(part, whole) };
}

/** Numbers from 0 to 1 that are the same for the same seed: Mulberry32, by Tommy Ettinger, in the public domain. */
export function numbersOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

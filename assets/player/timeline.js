/**
 * timeline.js: a trace as a list of beats, the unit of playing, stepping and scrubbing.
 * Pure: no DOM, no clock. A beat is { round, kind, slot }: slot is null for beats that concern the whole round.
 * The list only grows at its end, so a live run extends it round by round.
 */

/** Milliseconds of player time a beat stays on screen at pace 1. The model's own clock plays no part. */
export const DURATION = {
  draft: 520, verify: 1100, dart: 900, verdict: 700, residual: 1500, bonus: 1300, trim: 1400,
};

/** The beats of one round in order: drafts, one verify, a dart and a verdict per tested token, the target's token, trim. */
export function beatsOf(round, index) {
  const beat = (kind, slot = null) => ({ round: index, kind, slot });
  const beats = round.verdicts.map((_, slot) => beat('draft', slot));
  beats.push(beat('verify'));
  round.verdicts.forEach((verdict, slot) => {
    if (verdict.verdict !== 'untested') beats.push(beat('dart', slot), beat('verdict', slot));
  });
  if (round.extra) beats.push(beat(round.extra.emission === 'bonus' ? 'bonus' : 'residual', round.path.length));
  beats.push(beat('trim'));
  return beats;
}

/** All beats of the rounds there are, appended to those already listed. */
export function extend(beats, rounds) {
  const known = beats.length ? beats.at(-1).round + 1 : 0;
  for (let index = known; index < rounds.length; index += 1) beats.push(...beatsOf(rounds[index], index));
  return beats;
}

/** The still a recording opens on: the first rejection, about to be resampled; else the first verify. */
export function still(beats, rounds) {
  const refused = beats.findIndex(
    ({ round, kind, slot }) => kind === 'verdict' && rounds[round].verdicts[slot].verdict === 'rejected');
  return refused >= 0 ? refused : Math.max(0, beats.findIndex(({ kind }) => kind === 'verify'));
}

/** The beat one round on (direction 1) or back (-1): rounds are entered at their first beat. */
export function roundStep(beats, at, direction) {
  if (!beats.length) return 0;
  const first = (round) => beats.findIndex((beat) => beat.round === round);
  const here = beats[at].round;
  if (direction > 0) {
    const next = first(here + 1);
    return next < 0 ? beats.length - 1 : next;
  }
  return at > first(here) ? first(here) : Math.max(0, first(here - 1));
}

/**
 * timeline.js: a round as beats, the unit of playing, stepping and scrubbing, and how long each stays on screen.
 * Pure: no DOM, no clock. A beat is { round, kind, slot }: slot is null for beats that concern the whole round.
 * Times are milliseconds of player time; only the real paces take them from the run's own clock.
 */

/** How long things move at a pace; "auto" teaches the first rounds, then goes on at normal. */
const MOVE = {
  teach: { draft: 260, verify: 600, dart: 520, verdict: 260, residual: 700, bonus: 600, trim: 700 },
  normal: { draft: 110, verify: 300, dart: 220, verdict: 110, residual: 350, bonus: 300, trim: 350 },
  fast: { draft: 40, verify: 120, dart: 80, verdict: 40, residual: 120, bonus: 100, trim: 120 },
};
/** The still after each phase: moving is quick, looking takes time. */
const REST = { teach: 250, normal: 100, fast: 0 };
const PHASE = { draft: 1, verify: 2, dart: 3, verdict: 3, residual: 4, bonus: 4, trim: 5 };
const TAUGHT = 2;
const REAL = { real20: 20, real5: 5, real1: 1 };

export const PACES = ['auto', 'teach', 'normal', 'fast', ...Object.keys(REAL)];

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

/** The still a recording opens on: the first rejection, about to be resampled; else the first verify. */
export function still(beats, rounds) {
  const refused = beats.findIndex(
    ({ round, kind, slot }) => kind === 'verdict' && rounds[round].verdicts[slot].verdict === 'rejected');
  return refused >= 0 ? refused : Math.max(0, beats.findIndex(({ kind }) => kind === 'verify'));
}

/** Whether a pace explains itself slowly at that round. */
export function teaches(pace, round) {
  return pace === 'teach' || (pace === 'auto' && round < TAUGHT);
}

/** How long a beat moves: 0 at the real paces, which cut. */
export function moving({ kind, round }, pace) {
  return MOVE[named(pace, round)]?.[kind] ?? 0;
}

/** How long a beat stays before the next: its move and, where a phase ends, a rest. Real paces take the measured time. */
export function stay(story, at, pace) {
  const beat = story.beats[at];
  if (pace in REAL) return REAL[pace] * measured(story.trace.rounds[beat.round], beat);
  const next = story.beats[at + 1];
  const ends = !next || PHASE[next.kind] !== PHASE[beat.kind] || next.round !== beat.round;
  return moving(beat, pace) + (ends ? REST[named(pace, beat.round)] : 0);
}

/**
 * Where playing stands when a beat's time ran out `late` milliseconds ago: { at, left }, the beat to show and how long.
 * Real paces make up for lost time; the others show every beat, since each is a still somebody wants to read.
 */
export function passed(story, at, pace, late) {
  const last = story.beats.length - 1;
  if (at >= last) return { at, left: 0 };
  let next = at + 1;
  let left = stay(story, next, pace) - (pace in REAL ? late : 0);
  while (left <= 0 && next < last) {
    next += 1;
    left += stay(story, next, pace);
  }
  return { at: next, left: Math.max(0, left) };
}

/** Milliseconds the run itself spent on a beat: judging is timed as one, so its beats share it evenly. */
function measured({ timing, verdicts, extra }, { kind, slot }) {
  if (kind === 'draft') return timing.draft[slot];
  if (kind === 'verify') return timing.verify;
  if (kind === 'trim') return timing.trim + timing.overhead;
  const judged = 2 * verdicts.filter(({ verdict }) => verdict !== 'untested').length + (extra ? 1 : 0);
  return timing.accept / judged;
}

function named(pace, round) {
  if (pace !== 'auto') return pace;
  return teaches(pace, round) ? 'teach' : 'normal';
}

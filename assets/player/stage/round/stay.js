/**
 * stay.js: how long a beat stays, and how fast it moves, at the paces that are read. Pure: functions of (story, at,
 * pace).
 */

import { headline, spoken } from './say.js';

/** Milliseconds after a beat's motion in which nothing moves. */
const AFTER = 250;
/** Milliseconds that the motion of each kind of beat takes at speed 1, about. */
const MOTION = {
  draft: 1300,
  verify: 900,
  dart: 1240,
  verdict: 900,
  adjust: 700,
  residual: 2350,
  replace: 1600,
  bonus: 1400,
  join: 1200,
  gather: 900,
  trim: 1200,
};
/** A kind of beat that the round had before needs this share of its time. */
const AGAIN = 0.4;
/** Milliseconds that it takes to put a running state back, instead of the roll-back's own. */
const PUT_BACK = 3000;
const QUICK = 0.35;
/** What moves faster than that many times is not seen, so it is cut. */
const FASTEST = 4;
const SPEEDS = { auto: 1, reading: 1, quick: 2.5 };
/** At `auto`, the milliseconds of a round at most: its first two are read, five more followed. */
const ROUNDS = [...Array(2).fill(20_000), ...Array(5).fill(4_000)];
const LATER = 1_000;

/** How fast things move at a pace where a person steps; at the real ones nothing does. */
export function speedAt(pace) {
  return SPEEDS[pace] ?? 0;
}

/** How fast the motion of a beat is while playing, 0 where it is cut. */
export function speedOf(story, at, pace) {
  const motion = motionOf(story, at);
  if (pace !== 'auto' || !motion) return speedAt(pace);
  const speed = Math.max(1, motion / (0.9 * stay(story, at, pace, 0)));
  return speed > FASTEST ? 0 : speed;
}

/**
 * Milliseconds a beat stays while playing, its motion taking `motion`: as long as its sentence needs, shared with the
 * neighbours that say the same. At `auto` all beats of a round share what it has.
 */
export function stay(story, at, pace, motion) {
  if (story.beats[at].kind === 'result') return 0;
  if (pace === 'auto') return sharesOf(story, story.beats[at].round).get(at) ?? 0;
  const time = readingTime(headline(story, at)) / neighbours(story, at);
  return pace === 'quick' ? Math.max(motion, QUICK * time) : Math.max(motion + AFTER, time);
}

const shares = new WeakMap();

/** The milliseconds of each beat of a round, by its place among all beats. */
function sharesOf(story, round) {
  if (!shares.has(story)) shares.set(story, new Map());
  const rounds = shares.get(story);
  if (!rounds.has(round)) rounds.set(round, shareOut(story, round));
  return rounds.get(round);
}

function shareOut(story, round) {
  const { beats, rounds } = story;
  const seen = new Set();
  const times = new Map();
  for (let at = rounds[round].beat; at < rounds[round + 1].beat; at += 1) {
    const { kind } = beats[at];
    const time = Math.max(
      motionOf(story, at) + AFTER,
      readingTime(headline(story, at)) / neighbours(story, at),
    );
    times.set(at, seen.has(kind) ? AGAIN * time : time);
    seen.add(kind);
  }
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  const share = Math.min(1, (ROUNDS[round] ?? LATER) / all);
  times.forEach((time, at) => times.set(at, share * time));
  return times;
}

/** Milliseconds that the motion of a beat takes at speed 1, about; 0 where nothing moves. */
function motionOf({ beats, trace }, at) {
  const { kind, round } = beats[at];
  const back = kind === 'trim' && trace.rounds[round].target_cache.reread;
  return back ? PUT_BACK : (MOTION[kind] ?? 0);
}

/** Milliseconds a sentence takes to read: never more than four words a second. */
function readingTime(pieces) {
  const many = spoken(pieces).split(/\s+/u).filter(Boolean).length;
  return Math.max(400 + 220 * many, 250 * many);
}

/** How many beats in a row have this sentence. */
function neighbours(story, at) {
  const sentence = spoken(headline(story, at));
  const same = (beat) =>
    story.beats[beat]?.round === story.beats[at].round && spoken(headline(story, beat)) === sentence;
  let [first, last] = [at, at];
  while (same(first - 1)) first -= 1;
  while (same(last + 1)) last += 1;
  return last - first + 1;
}

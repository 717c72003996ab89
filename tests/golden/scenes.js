/**
 * scenes.js: for the player's tests: scenes at beats of the first and the last rounds of the recorded
 * traces, and printed numbers as numbers.
 */

import assert from 'node:assert/strict';
import { scene } from '../../assets/player/stage/scene.js';
import { storyOf } from '../../assets/player/trace/story.js';
import { traces } from './traces.js';

const ROUNDS = 6;
/** Whether every scene of every trace is looked at, which takes minutes. */
export const ALL = process.env.SPECVIZ_LONG === '1';
export const SEED = Number(process.env.SPECVIZ_SEED ?? 1) % 2 ** 31;
let all = null;

/** Of what is alike one in so many, by the run's seed; all of it where every scene is looked at. */
export function some(list, many) {
  return list.filter((_, at) => ALL || (at + SEED) % Math.min(many, list.length) === 0);
}

/** One trace of each kind: a drafter, a rule, and whether its guesses branch. */
function kinds() {
  const found = new Map();
  for (const trace of traces()) {
    const { drafter, rule, temperature } = trace.info.config;
    const tree = trace.rounds.some(({ verdicts }) => verdicts.some(({ parent }, at) => parent !== at - 1));
    const kind = ALL ? trace.name : [drafter, rule, temperature > 0, tree].join();
    if (!found.has(kind)) found.set(kind, trace);
  }
  return [...found.values()];
}

/** Whether a beat is among the one in eight that the seed of the run picks. */
function picked(trace, at) {
  return ALL || Math.imul(Math.imul(trace + 1, 7919) ^ (at + SEED), 0x9e3779b1) >>> 29 === 0;
}

/**
 * Calls check(scene, beat, round, trace, story, at) at one in eight beats, and the first of every kind, of
 * the first rounds and the last two of a trace of every kind, but for its result; where SPECVIZ_LONG is 1,
 * at every such beat of every trace.
 */
export function everywhere(check) {
  all ??= kinds().flatMap((trace, index) => {
    const story = storyOf(trace);
    const seen = new Set();
    return story.beats.flatMap((beat, at) => {
      if (beat.kind === 'result' || (beat.round >= ROUNDS && beat.round < trace.rounds.length - 2)) return [];
      const first = !seen.has(beat.kind);
      seen.add(beat.kind);
      return first || picked(index, at)
        ? [[scene(story, at), beat, trace.rounds[beat.round], trace, story, at]]
        : [];
    });
  });
  assert.ok(all.length > 50);
  for (const each of all) check(...each);
}

/** Where a story first has a beat of a kind, and of a round or a guess where one is named. */
export function beatOf({ beats }, kind, where = {}) {
  return beats.findIndex((beat) =>
    Object.entries({ kind, ...where }).every(([name, value]) => beat[name] === value),
  );
}

/** The scene there. */
export function sceneOf(story, kind, where) {
  return scene(story, beatOf(story, kind, where));
}

/** Fails where two numbers differ by more than a rounding. */
export function close(left, right, name, by = 1e-4) {
  assert.ok(Math.abs(left - right) < by, `${name}: ${left} and ${right}`);
}

/** A printed number as a number. */
export function value(text) {
  return Number(
    text
      .replace(/[ =]/g, '')
      .replace('×10', 'e')
      .replace(/[⁻⁰¹²³⁴-⁹]/gu, (sign) => '-0123456789'['⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign)]),
  );
}

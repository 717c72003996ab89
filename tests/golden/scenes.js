/**
 * scenes.js: for the player's tests: the scene at every beat of the first and the last rounds of every
 * recorded trace, and printed numbers as numbers.
 */

import assert from 'node:assert/strict';
import { scene } from '../../assets/player/stage/scene.js';
import { storyOf } from '../../assets/player/trace/story.js';
import { traces } from './traces.js';

const ROUNDS = 6;
let all = null;

/**
 * Calls check(scene, beat, round, trace, story, at) at every beat of every trace's first rounds and last
 * two, but for its result.
 */
export function everywhere(check) {
  all ??= traces().flatMap((trace) => {
    const story = storyOf(trace);
    return story.beats.flatMap((beat, at) =>
      beat.round < ROUNDS || beat.round >= trace.rounds.length - 2
        ? [[scene(story, at), beat, trace.rounds[beat.round], trace, story, at]]
        : [],
    );
  });
  all = all.filter(([{ kind }]) => kind !== 'result');
  assert.ok(all.length > 50);
  for (const each of all) check(...each);
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

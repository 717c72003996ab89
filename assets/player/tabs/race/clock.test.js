import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from './clock.js';

/** A clock over frames that come when the test says so. */
function clockOf(total) {
  const frames = { time: 1000, waiting: null };
  let moves = 0;
  const clock = createClock(
    {
      now: () => frames.time,
      next: (react) => {
        frames.waiting = react;
        return 7;
      },
      cancel: () => {
        frames.waiting = null;
      },
    },
    () => {
      moves += 1;
    },
  );
  const pass = (milliseconds) => {
    frames.time += milliseconds;
    const react = frames.waiting;
    frames.waiting = null;
    react?.();
  };
  clock.open(total);
  return { clock, pass, moves: () => moves };
}

test('a race opens on its end, plays from the start, and stops at the end', () => {
  const { clock, pass } = clockOf(100);
  assert.deepEqual([clock.at(), clock.playing()], [100, false]);
  clock.play();
  assert.deepEqual([clock.at(), clock.playing()], [0, true]);
  pass(40);
  assert.equal(clock.at(), 40);
  pass(90);
  assert.deepEqual([clock.at(), clock.playing()], [100, false]);
});

test('a slower race takes so many times longer, from where it stands', () => {
  const { clock, pass } = clockOf(100);
  clock.slow(10);
  clock.play();
  pass(200);
  assert.equal(clock.at(), 20);
  clock.slow(50);
  pass(500);
  assert.equal(clock.at(), 30);
});

test('a paused race stays where it is and goes on from there', () => {
  const { clock, pass, moves } = clockOf(100);
  clock.play();
  pass(30);
  clock.pause();
  const before = moves();
  pass(500);
  assert.deepEqual([clock.at(), moves()], [30, before]);
  clock.play();
  pass(5);
  assert.equal(clock.at(), 35);
});

/**
 * playing.js: the clock of playback, a chain of timeouts. It is not the model's clock, and the model never
 * waits for it.
 */

import { isReal, passed, realStay } from '../../trace/timeline.js';
import { speedAt, speedOf, stay } from '../round/stay.js';

/**
 * @typedef {object} Playing
 * @property {() => void} play
 * @property {() => void} pause
 * @property {() => void} begin gives the beat on screen its time again
 * @property {() => void} onRounds a live run has more rounds
 * @property {() => number} speed
 */

/**
 * state: { story, at, playing, waiting }, which this keeps; pace(); show(at, speed) draws a beat and
 * returns how long it moves.
 * @returns {Playing}
 */
export function createPlaying(state, pace, show) {
  let timer = 0;
  let due = 0;
  const move = (at) => show(at, speedOf(state.story, at, pace()));

  function pause() {
    clearTimeout(timer);
    state.playing = false;
    state.waiting = false;
  }

  function wait(time) {
    clearTimeout(timer);
    due = performance.now() + time;
    timer = setTimeout(tick, time);
  }

  /** Gives the beat on screen its time, of which it moves so long. */
  function schedule(moving) {
    const { story, at } = state;
    wait(isReal(pace()) ? realStay(story, at, pace()) : stay(story, at, pace(), moving));
  }

  /** Continues. Only real time may owe several beats at once; a live run's next round is waited for. */
  function tick() {
    const { story, at } = state;
    const next = isReal(pace())
      ? passed(story, at, pace(), performance.now() - due)
      : { at: Math.min(at + 1, story.beats.length - 1) };
    state.waiting = next.at === at && !story.trace.stop;
    if (state.waiting) return;
    if (next.at === at) {
      pause();
      show(at, 0);
    } else if (isReal(pace())) {
      show(next.at, 0);
      wait(next.left);
    } else schedule(move(next.at));
  }

  return {
    pause,
    speed: () => speedAt(pace()),
    begin: () => schedule(0),
    onRounds: () => state.waiting && tick(),
    play() {
      const { story } = state;
      state.playing = true;
      if (story.trace.stop && state.at === story.beats.length - 1) state.at = 0;
      if (story.beats[state.at].kind === 'rest') schedule(move(1));
      else {
        show(state.at, 0);
        schedule(0);
      }
    },
  };
}

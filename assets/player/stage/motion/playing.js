/**
 * playing.js: the clock of playback, a chain of timeouts. It is not the model's clock, and the model never
 * waits for it.
 */

import { isReal, passed, realStay } from '../../trace/timeline.js';
import { stay } from '../round/say.js';

/** How fast things move at a pace that is read; at the real ones nothing does. */
const SPEED = { auto: 1, reading: 1, quick: 2.5 };

/**
 * state: { story, at, playing, waiting }, which this keeps; pace(); show(at, speed) draws a beat and
 * returns how long it moves. { play(), pause(), begin(), grew(), speed() }: begin gives the beat on screen
 * its time anew, grew hears that a live run has more rounds.
 */
export function createPlaying(state, pace, show) {
  let timer = 0;
  let due = 0;
  const speed = () => SPEED[pace()] ?? 0;

  function pause() {
    clearTimeout(timer);
    state.playing = false;
    state.waiting = false;
  }

  /** Shows a beat and gives it its time. */
  function go(at) {
    schedule(show(at, speed()));
  }

  function schedule(moving) {
    clearTimeout(timer);
    const { story, at } = state;
    const time = isReal(pace()) ? realStay(story, at, pace()) : stay(story, at, pace(), moving);
    due = performance.now() + time;
    timer = setTimeout(tick, time);
  }

  /**
   * Goes on. Only real time may owe several beats at once; a live run's next round is waited for, see
   * grew().
   */
  function tick() {
    const { story, at } = state;
    const next = isReal(pace())
      ? passed(story, at, pace(), performance.now() - due)
      : { at: Math.min(at + 1, story.beats.length - 1) };
    state.waiting = next.at === at && !story.trace.stop;
    if (next.at === at) {
      if (state.waiting) return;
      pause();
      show(at, 0);
    } else if (isReal(pace())) {
      show(next.at, 0);
      due = performance.now() + next.left;
      timer = setTimeout(tick, next.left);
    } else go(next.at);
  }

  return {
    pause,
    speed,
    begin: () => schedule(0),
    grew: () => state.waiting && tick(),
    play() {
      const { story } = state;
      state.playing = true;
      if (story.trace.stop && state.at === story.beats.length - 1) state.at = 0;
      if (story.beats[state.at].kind === 'rest') go(1);
      else {
        show(state.at, 0);
        schedule(0);
      }
    },
  };
}

/**
 * clock.js: the position of a race while it plays, in milliseconds of the race; it can play slower than it
 * was. Pure but for the clock and the frames it is given.
 */

/**
 * frames: { now(), next(react) -> a number, cancel(number) }; onMove() hears of every new place, and of
 * playing's end. { open(total), play(), pause(), seek(at), slow(factor), at(), playing() }: a race opens on
 * its end.
 */
export function createClock(frames, onMove) {
  let [total, at, factor] = [0, 0, 1];
  let [from, since] = [0, 0]; // playing began at this place of the race, and at this time
  let frame = null;

  function tick() {
    at = Math.min(total, from + (frames.now() - since) / factor);
    frame = at < total ? frames.next(tick) : null;
    onMove();
  }

  function begin() {
    [from, since] = [at, frames.now()];
  }

  function pause() {
    if (frame !== null) frames.cancel(frame);
    frame = null;
  }

  return {
    open(length) {
      pause();
      total = length;
      at = length;
      onMove();
    },
    play() {
      if (frame !== null) return;
      if (at >= total) at = 0;
      begin();
      frame = frames.next(tick);
      onMove();
    },
    pause() {
      pause();
      onMove();
    },
    seek(place) {
      at = Math.max(0, Math.min(total, place));
      begin();
      onMove();
    },
    slow(times) {
      factor = times;
      begin();
    },
    at: () => at,
    playing: () => frame !== null,
  };
}

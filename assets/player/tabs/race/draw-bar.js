/**
 * draw-bar.js: the transport of a race: play, back to the start, a place in time, and how much slower than
 * it was.
 */

import { ICONS } from '../../page/controls.js';
import { el, icon, set, write } from '../../base/dom.js';
import { count, duration } from '../../base/format.js';
import { words } from '../words.js';

/** Times slower than it was, slowest first: further on is faster, as with the stage's paces. */
const SPEEDS = [50, 10, 1];
const USUAL = 10;
const AGAIN = 'M12 5V1L6.500 5.500 12 10V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z';

/**
 * want: { toggle(), seek(ms), slow(factor) }. { node, show(at, total, playing, made), faster(by), focus()
 * }; made is tokens by lane.
 */
export function createRaceBar(want) {
  const texts = words.race;
  const button = (name, act) => {
    const node = el('button', {
      type: 'button',
      'data-sv': `race-${name}`,
      'aria-label': texts[name],
      title: texts[name],
    });
    node.addEventListener('click', act);
    return node;
  };
  const [play, restart] = [button('play', want.toggle), button('restart', () => want.seek(0))];
  const scrub = el('input', {
    type: 'range',
    min: 0,
    step: 'any',
    'data-sv': 'race-scrub',
    'aria-label': texts.scrub,
  });
  const time = el('output', { 'data-sv': 'race-time' });
  const speed = el(
    'select',
    { 'data-sv': 'race-speed', 'aria-label': texts.speed },
    ...SPEEDS.map((factor) =>
      el('option', { value: factor, selected: factor === USUAL }, texts.speeds[factor]),
    ),
  );
  const slow = () => want.slow(Number(speed.value));
  restart.append(icon(AGAIN));
  scrub.addEventListener('input', () => want.seek(Number(scrub.value)));
  speed.addEventListener('change', slow);
  slow();
  return {
    node: el(
      'div',
      { 'data-sv': 'race-bar', role: 'group', 'aria-label': texts.playback },
      play,
      restart,
      scrub,
      time,
      speed,
    ),
    show(at, total, playing, made) {
      const name = playing ? 'pause' : 'play';
      if (play.dataset.shows !== name) {
        set(play, { 'data-shows': name, 'aria-label': texts[name], title: texts[name] });
        play.replaceChildren(icon(ICONS[name]));
      }
      set(scrub, {
        max: total,
        'aria-valuetext': texts.said({
          time: duration(at),
          speculative: count(made.speculative),
          plain: count(made.plain),
        }),
      });
      scrub.value = at;
      write(
        time,
        total < 1e4
          ? texts.at({ time: at.toFixed(1), total: total.toFixed(1), unit: 'ms' })
          : texts.at({ time: (at / 1e3).toFixed(2), total: (total / 1e3).toFixed(2), unit: 's' }),
      );
    },
    faster(by) {
      speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, speed.selectedIndex + by));
      slow();
    },
    focus: () => play.focus(),
  };
}

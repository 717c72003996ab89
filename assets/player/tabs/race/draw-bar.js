/**
 * draw-bar.js: the transport of a race: play, back to the start, a place in time, and how much slower than
 * it was.
 */

import { ICONS } from '../../page/controls.js';
import { button, el, icon, set, write } from '../../base/dom.js';
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
  const play = button({ 'data-sv': 'race-play' }, want.toggle);
  const again = { 'data-sv': 'race-restart', 'aria-label': texts.restart, title: texts.restart };
  const restart = button(again, () => want.seek(0), icon(AGAIN));
  const scrub = createScrub(want.seek);
  const time = el('output', { 'data-sv': 'race-time' });
  const speed = createSpeed();
  const slow = () => want.slow(Number(speed.value));
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
      showPlay(play, playing ? 'pause' : 'play');
      const { speculative, plain } = made;
      const said = { time: duration(at), speculative: count(speculative), plain: count(plain) };
      set(scrub, { max: total, 'aria-valuetext': texts.said(said) });
      scrub.value = at;
      write(time, timeLine(at, total));
    },
    faster(by) {
      speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, speed.selectedIndex + by));
      slow();
    },
    focus: () => play.focus(),
  };
}

function createScrub(seek) {
  const look = {
    type: 'range',
    min: 0,
    step: 'any',
    'data-sv': 'race-scrub',
    'aria-label': words.race.scrub,
  };
  const scrub = el('input', look);
  scrub.addEventListener('input', () => seek(Number(scrub.value)));
  return scrub;
}

function createSpeed() {
  const { speed, speeds } = words.race;
  const options = SPEEDS.map((factor) =>
    el('option', { value: factor, selected: factor === USUAL }, speeds[factor]),
  );
  return el('select', { 'data-sv': 'race-speed', 'aria-label': speed }, ...options);
}

/** What the button does: 'play' or 'pause'. */
function showPlay(node, name) {
  if (node.dataset.shows === name) return;
  set(node, { 'data-shows': name, 'aria-label': words.race[name], title: words.race[name] });
  node.replaceChildren(icon(ICONS[name]));
}

function timeLine(at, total) {
  const [unit, size, digits] = total < 1e4 ? ['ms', 1, 1] : ['s', 1e3, 2];
  const [time, all] = [at, total].map((ms) => (ms / size).toFixed(digits));
  return words.race.at({ time, total: all, unit });
}

/**
 * controls.js: transport, timeline and keys. Knows nothing of traces: it reports what a person wants.
 * Keys work while focus is inside the stage: Space plays, arrows step, with Shift by round, Home and End jump.
 */

import { el, icon, set, write } from './dom.js';
import { words } from './words.js';

const ICONS = {
  roundBack: 'M6 5h2v14H6zM20 5v14L9 12z',
  back: 'M17 5v14L6 12z',
  play: 'M7 4v16l13-8z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  forward: 'M7 5v14l11-7z',
  roundForward: 'M16 5h2v14h-2zM4 5v14l11-7z',
};

/**
 * Appends the transport to root. want has: step(direction), round(direction), seek(beat), toggle(), slot(direction).
 * Returns { show({ at, max, text, playing }), pace() }.
 */
export function createControls(root, caption, want) {
  const button = (name, act) => {
    const node = el('button', { type: 'button', 'data-sv': name, 'aria-label': words.buttons[name], title: words.buttons[name] }, icon(ICONS[name]));
    node.addEventListener('click', act);
    return node;
  };
  const play = button('play', () => want.toggle());
  const scrub = el('input', { type: 'range', min: 0, max: 0, step: 1, 'data-sv': 'scrub', 'aria-label': words.buttons.scrub });
  scrub.addEventListener('input', () => want.seek(Number(scrub.value)));
  const pace = el('select', { 'data-sv': 'pace', 'aria-label': words.buttons.pace },
    ...words.paces.map(([value, name]) => el('option', { value, selected: value === '1' }, name)));
  root.append(el('div', { 'data-sv': 'transport' }, caption,
    el('div', { role: 'toolbar', 'aria-label': words.toolbar, 'data-sv': 'toolbar' },
      button('roundBack', () => want.round(-1)), button('back', () => want.step(-1)), play,
      button('forward', () => want.step(1)), button('roundForward', () => want.round(1)), scrub, pace)));
  root.addEventListener('keydown', (event) => key(event, want));

  return {
    pace: () => Number(pace.value),
    show({ at, max, text, playing }) {
      set(scrub, { max, 'aria-valuetext': text });
      scrub.value = at;
      const name = playing ? 'pause' : 'play';
      if (play.dataset.shows !== name) {
        play.dataset.shows = name;
        set(play, { 'aria-label': words.buttons[name], title: words.buttons[name] });
        play.replaceChildren(icon(ICONS[name]));
      }
    },
  };
}

function key(event, want) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('select')) return;
  const act = action(event, want);
  if (!act) return;
  event.preventDefault();
  act();
}

function action({ key: name, shiftKey, target }, want) {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[name];
  if (direction && target.closest('[data-sv="lane"]')) return () => want.slot(direction);
  if (direction) return () => (shiftKey ? want.round(direction) : want.step(direction));
  if (name === ' ' && !target.matches('button, a')) return () => want.toggle();
  return { Home: () => want.seek(0), End: () => want.seek(Infinity) }[name];
}

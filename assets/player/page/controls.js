/**
 * controls.js: transport, position and keys. Knows nothing of traces: it reports what a person wants.
 * Keys work while the focus is inside the stage, and everywhere while presenting.
 */

import { along, button, el, icon, set } from '../base/dom.js';
import { remember, remembered } from '../base/memory.js';
import { PACES } from '../trace/timeline.js';
import { words } from '../words/words.js';

export const ICONS = {
  roundBack: 'M6 5h2v14H6zM20 5v14L9 12z',
  back: 'M17 5v14L6 12z',
  play: 'M7 4v16l13-8z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  forward: 'M7 5v14l11-7z',
  roundForward: 'M16 5h2v14h-2zM4 5v14l11-7z',
};

/**
 * The transport: a toolbar that is one tab stop, the position, the pace, and the keys. want has:
 * step(direction), round(direction), seek(beat), toggle(), branch(key), row(way),
 * cell(strip, way), token(direction), paced(), dock(), table(), notes(), leave(), tab(place), press(key) for
 * everything the page does, letters() whether letter keys act, presenting(), guided(event) whether the
 * guide or the questions took it, and instead(): what of all this the tab on show does its own way.
 * @returns {{parts: object, show: (beat: {at: number, max: number, text: string, playing: boolean}) => void,
 * pace: () => string}}
 */
export function createControls(root, want) {
  const scrub = el('input', {
    type: 'range',
    min: 0,
    max: 0,
    step: 1,
    'data-sv': 'scrub',
    'aria-label': words.buttons.scrub,
  });
  scrub.addEventListener('input', () => want.seek(Number(scrub.value)));
  const pace = createPace(want);
  const { buttons, play, notes, leave } = createTransport(want);
  mindKeys(root, want, pace);
  mindBlank(root);
  return {
    parts: { buttons, scrub, pace, notes, leave },
    pace: () => pace.value,
    show({ at, max, text, playing }) {
      set(root, { 'data-plays': playing });
      set(scrub, { max, 'aria-valuetext': text });
      scrub.value = at;
      const name = playing ? 'pause' : 'play';
      if (play.dataset.shows !== name) {
        set(play, { 'data-shows': name, 'aria-label': words.buttons[name], title: words.buttons[name] });
        play.replaceChildren(icon(ICONS[name]));
      }
    },
  };
}

/** The buttons, one tab stop together: { buttons: their toolbar, play, notes, leave }. */
function createTransport(want) {
  const act = (name, run) => {
    const says = words.buttons[name];
    return button({ 'data-sv': name, 'aria-label': says, title: says }, run, icon(ICONS[name]));
  };
  const play = act('play', () => want.toggle());
  const notes = button(
    { 'data-sv': 'notes-switch', 'aria-pressed': 'false' },
    () => want.notes(),
    words.buttons.notes,
  );
  const leave = button({ 'data-sv': 'leave-switch' }, () => want.leave(), words.buttons.leave);
  const buttons = el(
    'div',
    { role: 'toolbar', 'aria-label': words.toolbar, 'data-sv': 'buttons' },
    act('roundBack', () => want.round(-1)),
    act('back', () => want.step(-1)),
    play,
    act('forward', () => want.step(1)),
    act('roundForward', () => want.round(1)),
    notes,
    leave,
  );
  const stopAt = (chosen) =>
    buttons.querySelectorAll('button').forEach((node) => set(node, { tabindex: node === chosen ? 0 : -1 }));
  buttons.addEventListener('focusin', ({ target }) => stopAt(target));
  buttons.addEventListener('focusout', () => stopAt(play)); // the play button never hides
  stopAt(play);
  return { buttons, play, notes, leave };
}

/** The choice of pace, as it was left at the last visit. */
function createPace(want) {
  const pace = el(
    'select',
    { 'data-sv': 'pace', 'aria-label': words.buttons.pace },
    ...PACES.map((value) => el('option', { value }, words.paces[value])),
  );
  pace.value = remembered('pace', PACES, PACES[0]);
  pace.addEventListener('change', () => {
    remember('pace', pace.value);
    want.paced();
  });
  return pace;
}

/** Rows of buttons around the round. One of them that was clicked has had its turn. */
const BARS = '#sv-top, [data-sv="head"], [data-sv="tabs"], [data-sv="foot"]';

function mindKeys(root, want, pace) {
  set(root, { tabindex: -1 }); // a click beside all buttons leaves it the keys
  const keys = (event) => key(event, { ...want, faster: (by) => turn(pace, by), ...want.instead() });
  root.addEventListener('keydown', keys);
  document.addEventListener('keydown', (event) => {
    // the page has it on arrival and after a click on what takes no focus, a button when its menu was closed
    const free = event.target.matches('body, #sv-top button');
    if (free || (want.presenting() && !root.contains(event.target))) keys(event);
  });
  document.addEventListener('click', ({ detail }) => {
    const { activeElement: focused } = document;
    const clicked = detail > 0 && focused.matches('button') && focused.closest(BARS); // no key has detail
    if (clicked) root.focus({ preventScroll: true });
  });
}

/** While the screen is blank, whatever is pressed or clicked brings it back and does nothing else. */
function mindBlank(root) {
  for (const name of ['keydown', 'click', 'pointerdown']) {
    window.addEventListener(
      name,
      (event) => {
        if (!root.hasAttribute('data-blank')) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        if (name !== 'pointerdown') set(root, { 'data-blank': null });
      },
      true,
    );
  }
}

/** Moves the focus along the buttons that are in sight. */
function walk(button, way) {
  const all = [...button.parentElement.querySelectorAll('button')].filter((node) => node.checkVisibility());
  along(all, all.indexOf(button), way).focus();
}

function turn(pace, by) {
  pace.selectedIndex = Math.max(0, Math.min(pace.length - 1, pace.selectedIndex + by));
  pace.dispatchEvent(new Event('change'));
}

// those fields need letters and arrows themselves
const TYPED = 'select, textarea, input:not([type="range"], [type="checkbox"], [type="radio"])';
const SLIDER = 'input[type="range"]:not([data-sv="scrub"])';

function key(event, want) {
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    document.querySelector('dialog[open]') ||
    event.target.matches(`${TYPED}, dialog *, [data-sv="why"] *`)
  )
    return;
  if (want.guided?.(event)) return;
  const act = action(event, want);
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

function action({ key: name, shiftKey, target }, want) {
  if (/^(Arrow|Home|End|Page)/.test(name) && target.matches(SLIDER)) return null;
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[name];
  if (direction && shiftKey) return () => want.round(direction);
  const way = { Home: -Infinity, End: Infinity }[name] ?? direction;
  if (way && target.closest('[data-begun] [role="toolbar"]')) return () => walk(target, way);
  if (way && target.matches('[data-sv="cells"], [data-sv="strip-cells"]'))
    return () => want.cell(target, way);
  if ((direction || /^Arrow(Up|Down)$/.test(name)) && target.closest('[data-sv="lane"]'))
    return () => want.branch(name);
  if (direction && target.closest('[data-sv="ribbon"]')) return () => want.token(direction);
  const row = { Home: -Infinity, End: Infinity, ArrowUp: -1, ArrowDown: 1 }[name];
  if (row && target.matches('[data-sv="mask-rows"]')) return () => want.row(row);
  if (direction) return () => want.step(direction);
  if (name === 'Enter')
    return target.closest('[data-sv="node"], [data-sv="token"]') && (() => want.why(target));
  if (name === ' ') return target.matches('button, a, summary') ? null : () => want.toggle();
  if (name.length === 1 && !want.letters()) return null; // WCAG 2.1.4
  if (want.presenting()) {
    const presented = {
      PageDown: () => want.step(1),
      PageUp: () => want.step(-1),
      b: () => want.blank(),
      '.': () => want.blank(),
    }[name.length === 1 ? name.toLowerCase() : name];
    if (presented) return presented;
  }
  if (/^[1-9]$/.test(name)) return () => want.tab(Number(name));
  const plain = {
    Home: () => want.seek(0),
    End: () => want.seek(Infinity),
    ',': () => want.faster(-1),
    '.': () => want.faster(1),
    '[': () => want.press('gamma-down'),
    ']': () => want.press('gamma-up'),
    d: () => want.press('drafter'),
    r: () => want.press('run'),
    n: () => want.press('seed'),
    c: () => want.press('settings'),
    t: () => want.table(),
    i: () => want.dock(),
    g: () => want.guide(),
    q: () => want.quiz(),
    l: () => want.share(),
    f: () => want.present(),
    '?': () => want.help(),
    Escape: () => want.leave(),
  };
  return plain[name.length === 1 ? name.toLowerCase() : name];
}

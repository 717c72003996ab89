/**
 * gradio.js: the page around the stage as the player sees it: its buttons, its drawer, its theme.
 * This and widgets.js alone know Gradio's element ids.
 */

import { button, set, write } from '../base/dom.js';
import {
  byId,
  choices,
  earlierNow,
  explainRules,
  fieldOf,
  inBar,
  radios,
  settingOf,
  type,
} from './widgets.js';
import { count } from '../base/format.js';
import { modelLines } from '../trace/tried.js';
import { words } from '../words/words.js';
import { remember, remembered } from '../base/memory.js';

/** What the keys of the stage change on the page; only `run`, and `seed` with it, starts a run. */
export const PRESSES = {
  run: () => run(),
  settings: () => byId('sv-settings').click(),
  drafter: () => {
    const all = radios('sv-drafter');
    all[(all.findIndex(({ checked }) => checked) + 1) % all.length].click();
  },
  seed: () => {
    type(fieldOf('seed'), Math.floor(Math.random() * 10000));
    run();
  },
  'gamma-up': () => turn(1),
  'gamma-down': () => turn(-1),
};

let staged = null;

/** Takes the settings of the run on stage, with which the bar is compared. */
export function stagedAs(info) {
  staged = info.config;
  mark();
  showTried(info);
  setTimeout(group, 300); // once Gradio has set the widgets to it
}

/** Says under the pair of the run on stage what it was tried for. */
function showTried(info) {
  const note = byId('sv-pairs')?.querySelector('[data-sv="pair-tried"]');
  if (!note) return;
  const { pair } = note.closest('[data-sv="pair"]').dataset;
  set(note, { 'data-of': info.config.pair, hidden: info.config.pair !== pair });
  write(note, modelLines(info).join('\n'));
}

/**
 * Gradio names each radio apart, and does so again when it draws one again. As one group they are one tab
 * stop, and arrow keys choose.
 */
function group() {
  for (const id of ['sv-drafter', 'sv-rule', 'sv-gamma-rule']) {
    const all = radios(id);
    const settled = all.filter(({ checked }) => checked).length < 2; // a group would keep the wrong one of two
    if (settled) for (const input of all) input.name = id;
  }
}

/** Says on Run whether the bar shows other settings than the run on stage has. */
export function mark() {
  const now = choices();
  const turns = JSON.stringify(earlierNow()) !== JSON.stringify(staged?.earlier ?? []);
  const changed = staged !== null && (turns || inBar().some((name) => now[name] !== staged[name]));
  document.body.classList.toggle('sv-changed', changed);
  reuseCosts(changed ? null : staged?.costs);
  set(byId('sv-run'), { title: changed ? words.changed : null });
}

/**
 * Gives the next run the costs that the run on stage measured, so that it repeats that run; null: it
 * measures its own.
 */
function reuseCosts(costs) {
  const field = fieldOf('costs');
  const text = costs ? JSON.stringify(costs) : '';
  if (field && field.value !== text) type(field, text);
}

/** Why the server would not even read a run's request, in its own words; undefined where it would. */
function tooLong() {
  const said = Object.entries({ prompt: [fieldOf('prompt').value], earlier: earlierNow() });
  return said
    .map(([name, texts]) => ({ name, length: [...texts.join('')].length, most: settingOf(name).high }))
    .filter(({ length, most }) => length > most)
    .map(({ name, length, most }) => ({
      code: 'refusals.long',
      name,
      length: count(length),
      most: count(most),
    }))[0];
}

/**
 * Enter in the prompt runs, Shift+Enter begins a line, radios are groups; what is typed or chosen is kept
 * for the next visit. refuse(sentence) hears why a run was not asked for.
 */
export function mindControls(refuse) {
  byId('sv-run').addEventListener(
    'click',
    (event) => {
      const why = tooLong();
      if (!why) return;
      event.stopImmediatePropagation();
      refuse(why);
    },
    true,
  );
  fieldOf('prompt').addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.stopImmediatePropagation();
      if (event.shiftKey) return;
      event.preventDefault();
      event.target.blur();
      run();
    },
    true,
  );
  // Gradio would take Shift+Enter for itself.
  fieldOf('prompt').addEventListener(
    'keypress',
    (event) => event.key === 'Enter' && event.stopImmediatePropagation(),
    true,
  );
  // on a phone, who turns to the round is done with the bar
  document.addEventListener(
    'pointerdown',
    ({ target }) => target.closest('[data-sv="round"], [data-sv="foot"], [data-sv="tabs"]') && putMoreAway(),
  );
  group();
  let timer = 0;
  const storeChoices = () => {
    timer = 0;
    remember('choices', JSON.stringify(choices()));
    mark();
    group();
  };
  const storeSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(storeChoices, 150);
  };
  for (const id of ['sv-top', 'sv-drawer'])
    for (const name of ['input', 'change']) byId(id).addEventListener(name, storeSoon);
  window.addEventListener('pagehide', () => timer && storeChoices());
  explainRules();
}

/** The choices stored at the last visit, null where there are none or they cannot be read. */
export function chosenBefore() {
  const text = remembered('choices', (choices) => choices.length < 20_000, '');
  try {
    const choices = JSON.parse(text);
    return choices && typeof choices === 'object' ? choices : null;
  } catch {
    return null;
  }
}

export function focusPrompt() {
  putMoreAway();
  fieldOf('prompt').focus();
  fieldOf('prompt').select();
}

/** Writes an acceptable value into a field, and starts a run. */
export function mend(field, value) {
  type(fieldOf(field), value);
  setTimeout(run, 50);
}

/** On a phone the bar shows the prompt and Run; this shows the rest. */
export function toggleMore() {
  const open = document.body.classList.toggle('sv-more');
  set(byId('sv-more'), { 'aria-expanded': String(open) });
}

export function putMoreAway() {
  document.body.classList.remove('sv-more');
  set(byId('sv-more'), { 'aria-expanded': 'false' });
}

/** Shows that the server does not answer: no run can start until it does. */
export function showGone(gone) {
  document.body.classList.toggle('sv-gone', gone);
  byId('sv-run').disabled = gone;
}

/** Puts how the page looks before the models, and the examples after them; folds what few people set. */
export function fillDrawer(examples, looks) {
  byId('sv-pairs').after(examples);
  byId('sv-drawer').prepend(looks);
  const rare = byId('sv-text');
  const fold = () => {
    rare.hidden = !rare.hidden;
    set(door, { 'aria-expanded': String(!rare.hidden) });
  };
  const door = button({ 'data-sv': 'rare', 'aria-controls': 'sv-text' }, fold, words.looks.sampling);
  rare.before(door);
  fold();
}

/** Closes the drawer when Esc is pressed in it. */
export function mindDrawer() {
  byId('sv-drawer').addEventListener('keydown', ({ key }) => key === 'Escape' && toggleDrawer());
}

/** Shows or hides the drawer of settings; says so on its button. */
export function toggleDrawer() {
  const open = document.body.classList.toggle('sv-open');
  set(byId('sv-settings'), { 'aria-expanded': String(open) });
  if (open) byId('sv-drawer').querySelector('summary, button, input')?.focus();
  else byId(byId('sv-settings').checkVisibility() ? 'sv-settings' : 'sv-more').focus();
}

/** Hides the drawer again if it is there, and says whether it was. */
export function putDrawerAway() {
  const there = document.body.classList.contains('sv-open');
  if (there) toggleDrawer();
  return there;
}

/** Switches between light and dark, or to the one asked for; returns whether it is dark now. */
export function toggleDark(dark = !isDark(), lasting = true) {
  if (lasting) remember('theme', dark ? 'dark' : 'light');
  document.body.classList.toggle('dark', dark);
  const box = byId('sv-dark'); // in the drawer a field, on the page of one file a button
  box.checked = dark;
  if (box.matches('button')) set(box, { 'aria-pressed': String(dark) });
  return dark;
}

/** Takes the mode of the address, else of the last visit. */
export function showTheme() {
  const inAddress = new URLSearchParams(location.search).get('__theme');
  const before = remembered('theme', ['dark', 'light'], '');
  toggleDark(inAddress || !before ? isDark() : before === 'dark', false);
}

/**
 * Hears the place in the queue of what the stage waits for, and the queue's length. Gradio tells them
 * nobody but its own status line, which is unseen over the stage.
 */
export function watchQueue(react) {
  const line = byId('sv-stage').querySelector(':scope > .wrap');
  if (!line) return;
  new MutationObserver(() => {
    const [, place, size] = /(\d+)\/(\d+)/.exec(line.textContent) ?? [];
    if (place) react(place, size);
  }).observe(line, { childList: true, characterData: true, subtree: true });
}

export function isDark() {
  return document.body.classList.contains('dark');
}

/** Shows on the page whether a run is being made: Stop stands where Run stood, and the stage has the keys. */
export function showRunning(running) {
  const loses = document.activeElement.matches(running ? 'body, #sv-run' : 'body, #sv-stop');
  document.body.classList.toggle('sv-running', running);
  if (loses) byId('sv-stage').querySelector('[data-sv="stage"]').focus({ preventScroll: true });
}

/** Says under Stop how far the run has come that Run asked for; '' where nothing is awaited. */
export function showPending(text) {
  set(byId('sv-stop'), { 'data-pending': text || null });
}

/** Puts everything around the stage out of reach while it is covered. */
export function cover(covered) {
  ['sv-top', 'sv-drawer'].forEach((id) => byId(id)?.toggleAttribute('inert', covered));
}

function run() {
  byId('sv-run').click();
}

function turn(by) {
  if (byId('sv-gamma').hasAttribute('data-idle')) return;
  const input = fieldOf('gamma');
  const { low, high } = settingOf('gamma');
  type(input, Math.max(low, Math.min(high, Number(input.value) + by)));
}

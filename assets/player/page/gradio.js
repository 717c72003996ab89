/**
 * gradio.js: the page around the stage as the player sees it: Gradio's own widgets, its theme.
 * The one module that knows their element ids.
 */

import { el, set, write } from '../base/dom.js';
import { keep, kept } from '../base/memory.js';

const byId = (id) => document.getElementById(id);

/** What the keys of the stage can do on the page; each runs again with what was changed. */
export const PRESSES = {
  run: () => run(),
  settings: () => byId('sv-settings').click(),
  open: () => byId('sv-open').click(),
  drafter: () => {
    const all = [...byId('sv-drafter').querySelectorAll('input')];
    all[(all.findIndex(({ checked }) => checked) + 1) % all.length].click();
  },
  seed: () => {
    type(byId('sv-seed').querySelector('input'), Math.floor(Math.random() * 10000));
    run();
  },
  'gamma-up': () => turn(1),
  'gamma-down': () => turn(-1),
};

/** The inputs by the names a run's config has for them. */
const FIELDS = {
  prompt: '#sv-prompt textarea', gamma: '#sv-gamma input', temperature: '#sv-temperature input', top_k: '#sv-top-k input', top_p: '#sv-top-p input',
  max_new_tokens: '#sv-length input', seed: '#sv-seed input',
};
/** What this module turns to before anybody has touched the page: each may come later than the stage, and than another. */
const NEEDED = [
  '#sv-top', '#sv-run', '#sv-stop', '#sv-settings', '#sv-share', '#sv-more', '#sv-dark', '#sv-drawer', '#sv-presets', '#sv-charts', '#sv-drafter input', '#sv-rule input',
  '#sv-pair-name input, #sv-pair-name textarea', ...Object.values(FIELDS),
];

/** Resolves once Gradio has put up what this module turns to: it may come later than the stage. */
export function surroundings() {
  const there = () => NEEDED.every((wanted) => document.querySelector(wanted));
  return new Promise((done) => {
    if (there()) return done();
    return new MutationObserver((_, watch) => {
      if (!there()) return;
      watch.disconnect();
      done();
    }).observe(document.body, { childList: true, subtree: true });
  });
}

const NUMBERS = ['gamma', 'temperature', 'top_k', 'top_p', 'max_new_tokens', 'seed'];
/** What the bar shows: where it differs from the run on stage, Run says so. */
const TOLD = ['prompt', 'drafter', 'gamma', 'temperature'];
let staged = null;

/** The input of a field of the config, if it is on the page. */
export function fieldOf(name) {
  return FIELDS[name] ? document.querySelector(FIELDS[name]) : null;
}

/** What the controls hold, by the config's names. */
export function choices() {
  const chosen = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, fieldOf(name)?.value ?? '']));
  for (const name of NUMBERS) chosen[name] = chosen[name] === '' ? null : Number(chosen[name]);
  const radio = (id) => byId(id)?.querySelector('input:checked')?.value ?? null;
  return {
    ...chosen, drafter: radio('sv-drafter'), rule: radio('sv-rule'), gamma_rule: byId('sv-gamma-rule')?.querySelector('input')?.value ?? null,
    params: params('drafter'), gamma_params: params('gamma'),
  };
}

/** What the drafter or gamma rule on show is tuned with, numbers and choices by name. */
function params(kind) {
  const start = `sv-${kind}-param-`;
  const inputs = [...document.querySelectorAll(`[id^="${start}"] input`)].filter(({ value }) => value !== '');
  return Object.fromEntries(inputs.map((input) => [input.closest(`[id^="${start}"]`).id.slice(start.length), input.type === 'number' ? Number(input.value) : input.value]));
}

/** A way to guess as the page calls it, the chosen one where none is named: { name, label }; null where there is none. */
export function drafterOf(name = choices().drafter) {
  const input = [...byId('sv-drafter').querySelectorAll('input')].find(({ value }) => value === name);
  return input ? { name, label: input.closest('label').textContent.trim() } : null;
}

export function chooseDrafter(name) {
  [...byId('sv-drafter').querySelectorAll('input')].find(({ value }) => value === name).click();
}

/** Where the ways to guess stand. */
export function drafterHome() {
  return byId('sv-drafter').querySelector('.wrap:has(label)') ?? byId('sv-drafter');
}

/** Offers a rule, or says in its place why it would be another one. */
export function offerRule(name, instead) {
  const input = [...byId('sv-rule').querySelectorAll('input')].find(({ value }) => value === name);
  const label = input.closest('label');
  input.disabled = instead !== '';
  const note = label.querySelector('small') ?? label.appendChild(el('small'));
  write(note, instead);
}

/** Hears of the run on stage, whose settings the bar is held against. */
export function stagedAs(config) {
  staged = config;
  mark();
}

/** Says on Run whether the bar shows other settings than the run on stage has. */
export function mark() {
  const now = choices();
  const changed = staged !== null && TOLD.some((name) => now[name] !== staged[name]);
  document.body.classList.toggle('sv-changed', changed);
  again(changed ? null : staged?.costs);
  set(byId('sv-run'), { title: changed ? 'Settings changed; Run uses them' : null });
}

/** Has the next run go by the costs the run on stage measured, so that it is that run again; null for costs of its own. */
function again(costs) {
  const field = byId('sv-costs')?.querySelector('input, textarea');
  const text = costs ? JSON.stringify(costs) : '';
  if (field && field.value !== text) type(field, text);
}

/** Enter in the prompt runs, Shift+Enter begins a line, radios are groups; what is typed or chosen is kept for the next visit. */
export function mindControls() {
  fieldOf('prompt').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.stopImmediatePropagation();
    if (event.shiftKey) return;
    event.preventDefault();
    event.target.blur();
    run();
  }, true);
  // Gradio would take Shift+Enter for itself.
  fieldOf('prompt').addEventListener('keypress', (event) => event.key === 'Enter' && event.stopImmediatePropagation(), true);
  let timer = 0;
  const remember = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      keep('choices', JSON.stringify(choices()));
      mark();
    }, 150);
  };
  // Gradio names each radio apart; as one group they are one tab stop, and arrow keys choose.
  for (const id of ['sv-drafter', 'sv-rule']) byId(id).querySelectorAll('input').forEach((input) => { input.name = id; });
  for (const id of ['sv-top', 'sv-drawer']) for (const name of ['input', 'change']) byId(id).addEventListener(name, remember);
  byId('sv-presets').addEventListener('click', ({ target }) => {
    if (!target.closest('button')) return;
    putDrawerAway();
    setTimeout(run, 150); // once Gradio has written the preset into the prompt
  });
}

/** What a person had chosen when they left, null where nothing is kept or it is not what was kept. */
export function chosenBefore() {
  const text = kept('choices', (found) => found.length < 20_000, '');
  try {
    const found = JSON.parse(text);
    return found && typeof found === 'object' ? found : null;
  } catch {
    return null;
  }
}

/**
 * Sets the controls to a config: what can be typed at once, so that nothing a person types meanwhile is lost; what is
 * chosen from what the page offers by ask(), the server's.
 */
export function adopt(config, ask) {
  for (const name of Object.keys(FIELDS)) {
    if (typeof config[name] === (name === 'prompt' ? 'string' : 'number')) type(fieldOf(name), config[name]);
  }
  const names = Object.entries(config).filter(([name, value]) => ['drafter', 'rule', 'gamma_rule'].includes(name) && typeof value === 'string' && value.length < 100);
  const tuning = ['params', 'gamma_params'].map((name) => [name, Object.fromEntries(Object.entries(config[name] ?? {}).filter(([, value]) => typeof value === 'number' || (typeof value === 'string' && value.length < 100)).slice(0, 20))]);
  ask(Object.fromEntries([...names, ...tuning]));
}

export function focusPrompt() {
  putMoreAway();
  fieldOf('prompt').focus();
  fieldOf('prompt').select();
}

/** Writes a value that would do into a field, and runs. */
export function mend(field, value) {
  type(fieldOf(field), value);
  setTimeout(run, 50);
}

/** On a phone the bar shows prompt and Run; the rest is asked for. */
export function toggleMore() {
  const open = document.body.classList.toggle('sv-more');
  set(byId('sv-more'), { 'aria-expanded': String(open) });
}

export function putMoreAway() {
  document.body.classList.remove('sv-more');
  set(byId('sv-more'), { 'aria-expanded': 'false' });
}

/** Says that nobody answers: nothing can be run until somebody does. */
export function showGone(gone) {
  document.body.classList.toggle('sv-gone', gone);
  byId('sv-run').disabled = gone;
}

/** Closes the drawer when Esc is pressed in it. */
export function mindDrawer() {
  byId('sv-drawer').addEventListener('keydown', ({ key }) => key === 'Escape' && toggleDrawer());
}

/** Shows or hides the drawer of settings; says so on its button. */
export function toggleDrawer() {
  const open = document.body.classList.toggle('sv-open');
  set(byId('sv-settings'), { 'aria-expanded': String(open) });
  if (open) byId('sv-drawer').querySelector('summary, button')?.focus();
  else byId(byId('sv-settings').checkVisibility() ? 'sv-settings' : 'sv-more').focus();
}

/** Hides the drawer again if it is there, and says whether it was. */
export function putDrawerAway() {
  const there = document.body.classList.contains('sv-open');
  if (there) toggleDrawer();
  return there;
}

/** Says in the place of the charts why there are none; with '' they are back. */
export function insteadOfCharts(text) {
  const line = document.querySelector('[data-sv="no-charts"]') ?? byId('sv-charts').appendChild(el('p', { 'data-sv': 'no-charts' }));
  write(line, text);
  document.body.classList.toggle('sv-no-charts', text !== '');
}

/** Switches between light and dark, or to the one asked for; returns whether it is dark now. */
export function toggleDark(dark = !isDark(), remember = true) {
  if (remember) keep('theme', dark ? 'dark' : 'light');
  document.body.classList.toggle('dark', dark);
  set(byId('sv-dark'), { 'aria-pressed': String(dark) });
  return dark;
}

/** Hears of every change between light and dark, whoever made it; the button says which it is from the start. */
export function watchTheme(react) {
  const asked = new URLSearchParams(location.search).get('__theme');
  const before = kept('theme', ['dark', 'light'], '');
  let dark = toggleDark(asked || !before ? isDark() : before === 'dark', false);
  new MutationObserver(() => {
    if (dark === isDark()) return;
    dark = !dark;
    react();
  }).observe(document.body, { attributeFilter: ['class'] });
}

/**
 * Hears the place in the queue of what the stage waits for, and the queue's length. Gradio tells them nobody but its own
 * status line, which stands unseen over the stage.
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

/** Shows on the page whether a run is being made: Stop stands where Run stood, and takes its focus over. */
export function showRunning(running) {
  const [stands, comes] = running ? ['sv-run', 'sv-stop'] : ['sv-stop', 'sv-run'];
  const focused = byId(stands)?.contains(document.activeElement);
  document.body.classList.toggle('sv-running', running);
  if (focused) byId(comes).focus();
}

/** Makes a pair the one that runs are made with; the chat template is asked about only where there is one. */
export function choosePair({ name, chat }) {
  type(byId('sv-pair-name').querySelector('input, textarea'), name);
  document.body.classList.toggle('sv-chat', chat);
}

/** Writes a prompt into the bar. */
export function writePrompt(text) {
  type(byId('sv-prompt').querySelector('textarea'), text);
}

/** Puts everything around the stage out of reach while it is covered. */
export function cover(covered) {
  ['sv-top', 'sv-drawer', 'sv-charts'].forEach((id) => { byId(id).inert = covered; });
}

/** Puts text on the clipboard; tells on the button that it is there. */
export async function copy(text, button, done) {
  await navigator.clipboard.writeText(text);
  write(button, done);
}

function run() {
  byId('sv-run').click();
}

function turn(by) {
  const input = byId('sv-gamma').querySelector('input');
  type(input, Math.max(0, Math.min(20, Number(input.value) + by)));
  window.addEventListener('keyup', run, { once: true });
}

/** Types into a widget the way a person would, so that its framework hears of it. */
function type(input, value) {
  input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

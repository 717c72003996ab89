/**
 * widgets.js: Gradio's widgets of a run's settings: what they hold, and setting them the way a person would.
 */

import { el, set, write } from '../base/dom.js';
import { linesOf, textsIn } from '../base/typed.js';
import { announceStaged } from './loading.js';
import { words } from '../words/words.js';

export const byId = (id) => document.getElementById(id);

/** The inputs of a radio group of Gradio's, or the one of that value. */
export const radios = (id) => [...document.querySelectorAll(`#${id} input`)];
const radio = (id, name) => radios(id).find(({ value }) => value === name);

/** The table of specviz/config/choices.py; `surroundings` is given it. */
let settings = [];

/** The settings whose kind is one of these, by name. Models and machine are chosen otherwise. */
const named = (...kinds) =>
  settings
    .filter(({ kind, group }) => kinds.includes(kind) && !['models', 'machine'].includes(group))
    .map(({ name }) => name);
const numbers = () => named('whole', 'number');
const typed = () => [...named('text', 'texts'), ...numbers()];
const idOf = (name) => `sv-${name.replaceAll('_', '-')}`;

/** The elements this module needs from the start. Gradio may mount each of them later than the stage. */
const NEEDED = ['top', 'run', 'stop', 'settings', 'share', 'more', 'drawer'].map((name) => `#sv-${name}`);

/** Takes the table of settings, and resolves once Gradio has mounted all that is needed. */
export function surroundings(table = settings) {
  settings = table;
  const inputs = ['pair', ...typed(), ...named('entry', 'option')].map(
    (name) => `#${idOf(name)} :is(input, textarea)`,
  );
  const there = () => [...NEEDED, ...inputs].every((wanted) => document.querySelector(wanted));
  return new Promise((done) => {
    if (there()) return done();
    return new MutationObserver((_, watch) => {
      if (!there()) return;
      watch.disconnect();
      done();
    }).observe(document.body, { childList: true, subtree: true });
  });
}

/** A setting as the table has it. */
export function settingOf(name) {
  return settings.find((each) => each.name === name);
}

/** The names of the settings that are always in sight. */
export function inBar() {
  return settings.filter(({ group }) => group === 'bar').map(({ name }) => name);
}

/** The input of a setting or of one of the drafter's parameters, if it is on the page. */
export function fieldOf(name) {
  if (!name) return null;
  const id = settingOf(name) ? idOf(name) : `sv-drafter-param-${name}`;
  return document.querySelector(`#${id} :is(input, textarea)`);
}

/** What the controls hold, by the names of settings. */
export function choices() {
  const chosen = Object.fromEntries(typed().map((name) => [name, fieldOf(name)?.value ?? '']));
  for (const name of numbers()) chosen[name] = chosen[name] === '' ? null : Number(chosen[name]);
  for (const name of named('texts')) chosen[name] = textsIn(chosen[name]);
  for (const name of named('entry', 'option'))
    chosen[name] = byId(idOf(name))?.querySelector('input:checked')?.value ?? null;
  for (const name of named('params')) chosen[name] = params(settingOf(name).of);
  return chosen;
}

/** What the plug-in on show is tuned with, numbers and choices by name. chooser: the setting that chooses it. */
function params(chooser) {
  const start = `${idOf(chooser)}-param-`;
  const typed = document.querySelectorAll(`[id^="${start}"] input:not([type='range'])`);
  const inputs = [...typed].filter(({ value }) => value !== '');
  return Object.fromEntries(
    inputs.map((input) => [
      input.closest(`[id^="${start}"]`).id.slice(start.length),
      input.type === 'number' ? Number(input.value) : input.value,
    ]),
  );
}

/**
 * A way to guess as the page calls it, the chosen one where none is named: { name, label }; null where
 * there is none.
 */
export function drafterOf(name = choices().drafter) {
  const input = radio('sv-drafter', name);
  return input ? { name, label: input.closest('label').textContent.trim() } : null;
}

export function chooseDrafter(name) {
  radio('sv-drafter', name).click();
}

/** Chooses a method and presses Run. gamma: null leaves it. */
export function chooseMethod(drafter, rule, gamma) {
  if (gamma !== null) type(fieldOf('gamma'), gamma);
  const judge = radio('sv-rule', rule);
  judge.disabled = false; // the drafter so far may have no use for it, see offerRule
  judge.click();
  chooseDrafter(drafter);
  setTimeout(() => byId('sv-run').click(), 50); // once Gradio knows them
}

/** Where the ways to guess are. */
export function drafterHome() {
  return byId('sv-drafter').querySelector('.wrap:has(label)') ?? byId('sv-drafter');
}

/** Says under each acceptance rule and each γ rule what it does. */
export function explainRules() {
  for (const id of ['sv-rule', 'sv-gamma-rule'])
    for (const input of radios(id)) say(input.closest('label'), words.plugins[input.value]?.summary ?? '');
}

/** Offers a rule, or says in its place why it would be another one. */
export function offerRule(name, instead) {
  const input = radio('sv-rule', name);
  input.disabled = instead !== '';
  say(input.closest('label'), instead || words.plugins[name].summary);
}

/** Offers a drafter of the bar, or greys it: the reason shows under the pointer. */
export function offerDrafter(name, reason) {
  const input = radio('sv-drafter', name);
  if (!input) return;
  input.disabled = reason !== '';
  set(input.closest('label'), { title: reason || null });
}

/** Offers γ and its rule, or says why they do nothing; in the bar there is room for one word. */
export function offerGamma(instead) {
  const rule = byId('sv-gamma-rule');
  const { idle, gamma, temperature } = words.methods;
  set(byId('sv-gamma'), { title: instead || gamma, 'data-idle': instead !== '' });
  set(byId('sv-temperature'), { title: temperature });
  say(fieldOf('gamma').parentElement, instead && idle);
  if (rule) say(rule, instead);
}

/**
 * Says in the bar how many of its γ guesses the round on stage has, where those are fewer: "1 of" before the
 * number, while the field has that γ. part: { made, of }, or null.
 */
export function tellOffered(part) {
  const field = fieldOf('gamma');
  if (!field) return; // a saved page has no bar
  const home = field.parentElement;
  const node =
    home.querySelector(':scope > [data-sv="offered"]') ??
    home.insertBefore(el('span', { 'data-sv': 'offered' }), field);
  write(node, part && Number(field.value) === part.of ? words.methods.offered({ made: part.made }) : '');
}

function say(home, text) {
  write(home.querySelector(':scope > small') ?? home.appendChild(el('small')), text);
}

/** What comes with the chosen pair: its files, and 'draft'; null until one was chosen. */
let files = null;

/** Whether the server is choosing, and what to ask it for when it has chosen: it forgets an earlier question. */
let [choosing, next] = [false, null];

/** The server has chosen. Returns whether nothing else is to be chosen. */
export function onChosen() {
  choosing = false;
  next?.();
  return !choosing;
}

/**
 * Sets the controls to a config: what can be typed at once, so that nothing a person types meanwhile is
 * lost; what is chosen from what the page offers by ask(), the server's. A page that comes with these
 * choices asks nothing, for the answer could undo what a person chose before it came. Returns whether an
 * answer is to come.
 */
export function adopt(given, ask) {
  // what is at its default in this group, a config does not name
  const usual = settings.filter(({ group }) => group === 'text').map((each) => [each.name, each.default]);
  const config = { ...Object.fromEntries(usual), ...given };
  for (const name of named('text')) if (typeof config[name] === 'string') type(fieldOf(name), config[name]);
  for (const name of numbers()) if (typeof config[name] === 'number') type(fieldOf(name), config[name]);
  for (const name of named('texts')) type(fieldOf(name), linesOf(config[name] ?? []));
  const short = (value) => typeof value === 'string' && value.length < 100;
  const tuning = (name) =>
    Object.entries(config[name] ?? {}).filter(([, value]) => typeof value === 'number' || short(value));
  const wanted = [
    ...named('entry', 'option')
      .filter((name) => short(config[name]))
      .map((name) => [name, config[name]]),
    ...named('params').map((name) => [name, Object.fromEntries(tuning(name).slice(0, 20))]),
  ];
  const choose = () => {
    [choosing, next] = [true, null];
    ask(Object.fromEntries(wanted));
  };
  const now = choices();
  const differs = ([name, value]) => JSON.stringify(now[name]) !== JSON.stringify(value);
  if (choosing) next = choose;
  else if (wanted.some(differs)) choose();
  const chat = document.querySelector('#sv-chat input');
  if (chat && typeof config.chat === 'boolean' && chat.checked !== config.chat) chat.click();
  follow(config.earlier ?? []);
  if (given.pair) announceStaged(given.pair);
  return choosing;
}

/** The turns that the next prompt follows on, where the pair chats. */
let turns = [];

/** Has the next prompt follow on these turns. */
export function follow(said) {
  turns = said;
  heedChat();
}

/** Gives the next run the turns, or none where there is no chat template to put them in. */
export function heedChat() {
  const field = fieldOf('earlier');
  const text = turns.length && chats() ? JSON.stringify(turns) : '';
  if (field && field.value !== text) type(field, text);
}

/** The turns that the next run's prompt follows on. */
export function earlierNow() {
  return JSON.parse(fieldOf('earlier')?.value || '[]');
}

/** True if the next prompt goes into a chat template. */
export function chats() {
  return (
    document.body.classList.contains('sv-chat') && Boolean(document.querySelector('#sv-chat input')?.checked)
  );
}

/** True if the next prompt can follow on a run of this config. */
export function isNext({ pair }) {
  return chats() && pair === pairNow();
}

/** The name of the pair that runs are made with. */
export function pairNow() {
  return fieldOf('pair').value;
}

/**
 * Makes a pair the one that runs are made with, with the settings that it begins with; the chat template
 * is asked about only where there is one.
 * @typedef {{ name: string, label: string, about: string, ready: boolean, chat?: boolean, assets?: object,
 *   first?: Record<string, string | number>, why?: string, prompt?: string }} Offer
 * @param {Offer} offer
 */
export function choosePair({ name, chat, assets, first }) {
  files = assets;
  drafterHome().dispatchEvent(new Event('change'));
  document.body.classList.toggle('sv-chat', chat);
  type(fieldOf('pair'), name);
  if (!first) return;
  const { drafter, ...fields } = first;
  chooseDrafter(drafter);
  for (const [field, value] of Object.entries(fields)) type(fieldOf(field), value);
}

/**
 * What a drafter needs that the pair that runs are made with lacks: a file, or 'draft', a draft model; '' if
 * nothing. The page comes with a pair that has all.
 */
export function lackOf({ modelled, asset }) {
  return [modelled && 'draft', asset].find((name) => name && files && !files.includes(name)) ?? '';
}

/** Hears of whoever turns to the prompt or to Run, by whatever they do it. */
export function onPrompt(react) {
  for (const event of ['focusin', 'click'])
    document.addEventListener(event, ({ target }) => target.closest?.('#sv-prompt, #sv-run') && react());
}

/** Presses Run. */
export function press() {
  byId('sv-run').click();
}

/** Writes a prompt into the bar. */
export function writePrompt(text) {
  type(fieldOf('prompt'), text);
}

/** Types into a widget the way a person would, so that its framework hears of it. */
export function type(input, value) {
  input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * link.js: what a link to the page holds: how a run was made, the place in it, and what of the page it
 * shows. Pure. A link is text from anywhere, so only known names with values of their kind come out of it,
 * and what was mended or left out is said.
 */

import { words } from '../words/words.js';

const VERSION = 1;
/** Letters that are read of a link at most, of its prompt, and of a trace that rides along. */
export const LONGEST = 200_000;
const TEXTS = { prompt: 16_000, pair: 200, grammar: 20_000 };
export const TRACE = 10_000;
/** Tokens by which another machine is told to decode otherwise. */
const TOKENS = 256;
/** Names of parameters that a drafter or a rule may have, and how many of them a link may bring. */
const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const MANY = 20;
/** The key that assets/language.js reads. */
const LANGUAGE = 'lang';
/** The key that article/article.js reads. */
const ARTICLE = 'article';

/** The language that the fragment of an address asks for, or null. */
export function languageIn(address) {
  return new URLSearchParams(new URL(address).hash.slice(1)).get(LANGUAGE);
}

/** Parts of the page that a link may leave out. */
export const PARTS = ['bar', 'settings', 'tabs', 'models'];
/** Keys of the stage that a link locks with a part it leaves out. */
const LOCKS = {
  tabs: ['tab'],
  bar: ['run', 'drafter', 'seed', 'settings', 'gamma-up', 'gamma-down'],
  settings: ['drafter', 'seed', 'settings', 'gamma-up', 'gamma-down'],
};
/** What may be open beside the round. */
export const VIEWS = ['details'];
/** How a link asks for predictions: of one person, or of a room, where answers wait for Enter. */
export const ASKS = ['one', 'room'];
/** Names of a pair of screens. */
const PAIRED = /^[a-z0-9]{4,12}$/;
/** Keys of what the page shows, in the order of a link. */
const SHOWN = ['node', 'tab', 'view', 'step', 'quiz', 'follow', 'hide', 'embed'];
/** Tabs of links that were made before, and where what they showed is now. */
const MOVED = { alpha: 'race', why: 'race', compare: 'methods' };
/** What a link inside another page leaves out. */
const FRAMED = ['bar', 'tabs'];
/**
 * Keys of a place in a run and of what the page shows, with how each is read: undefined where it holds
 * something else.
 */
const PLACES = {
  at: placeOf,
  node: (text) => (/^\d{1,3}$/.test(text) ? Number(text) : undefined),
  step: within(1, 7),
  view: some(VIEWS),
  hide: some(PARTS),
  quiz: (text) => (ASKS.includes(text) ? text : ASKS[0]),
  follow: (text) => (PAIRED.test(text) ? text : undefined),
  embed: (text) => (text === '1' ? true : undefined),
};

/**
 * A place as the part of a link after #. settings: the table of specviz/config/choices.py. place: { recorded:
 * the name of a recorded run; config; at: a beat; node, tab, view: some of VIEWS, step: a still of the guide,
 * quiz: one of ASKS, follow: a pair of screens, hide: some of PARTS, embed, tokens: the
 * first ones of the run, trace: a packed one }; whatever is not there is left out.
 */
export function encode(place, settings = []) {
  const { recorded, config, at, view = [], hide = [], embed, tokens = [], trace = '' } = place;
  const params = new URLSearchParams({ v: String(VERSION) });
  const put = (key, value) => value !== undefined && value !== null && value !== '' && params.set(key, value);
  put('run', recorded);
  for (const { key, kind, name, default: usual } of config ? settings.filter((each) => each.key) : []) {
    const value = config[name];
    if (['texts', 'turns'].includes(kind)) put(key, value?.length ? JSON.stringify(value) : '');
    else if (kind === 'params')
      for (const [param, each] of Object.entries(value ?? {})) put(`${key}.${param}`, marked(each));
    else if (!['flag', 'text', 'option'].includes(kind) || value !== usual)
      put(key, kind === 'flag' && value !== undefined ? Number(value) : value);
  }
  if (at) put('at', [at.round + 1, at.kind, ...(at.slot === null ? [] : [at.slot + 1])].join('.'));
  const shown = { ...place, view: view.join(','), hide: hide.join(','), embed: embed ? 1 : '' };
  for (const key of SHOWN) put(key, shown[key]);
  const first = tokens.slice(0, TOKENS).map((id) => id.toString(36));
  put('x', first.join('.'));
  if (trace.length <= TRACE) put('z', trace);
  return params.toString();
}

/**
 * What a link holds, as `encode` takes it, with said: what was mended or left out, a sentence each; null
 * where it is no link of ours. known: { recorded: names, settings: as encode takes them, names: { drafter:
 * names, … }, tabs: names }.
 */
export function decode(fragment, known) {
  if (fragment.length > LONGEST) return { said: [texts.long] };
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  if (!params.has('v')) return null;
  const said = [];
  if (params.get('v') !== String(VERSION))
    said.push(texts.version({ version: params.get('v').slice(0, 20) }));
  const place = { said };
  const config = {};
  for (const [key, text] of params) {
    const [name, param] = key.split('.');
    const setting = known.settings.find((each) => each.key === name);
    const isParam = NAME.test(param ?? '') && text.length < 100;
    if (name && setting && (setting.kind === 'params' ? isParam : param === undefined))
      READ[setting.kind]({ setting, key, param, text, names: known.names[setting.name] }, config, said);
    else if (Object.hasOwn(PLACES, key)) put(key, text, place, said);
    else if (key === 'tab' && known.tabs.includes(MOVED[text] ?? text)) place.tab = MOVED[text] ?? text;
    else if (key === 'run') place.recorded = text;
    else if (key === 'x') place.tokens = tokensOf(text);
    else if (key === 'z' && text.length <= TRACE && /^[\w-]+$/.test(text)) place.trace = text;
    else if (!['v', LANGUAGE, ARTICLE].includes(key)) said.push(meaningless(key, text));
  }
  if (place.recorded !== undefined && !known.recorded.includes(place.recorded)) {
    // else it is decoded again
    if (!config.prompt)
      said.push(texts.unknown({ name: texts.names.recorded, given: place.recorded.slice(0, 40) }));
    delete place.recorded;
  }
  if (Object.keys(config).length) place.config = config;
  return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
}

/** The parts of the page that a place leaves out. */
export function hidden({ hide = [], embed }) {
  return PARTS.filter((part) => hide.includes(part) || (embed && FRAMED.includes(part)));
}

/** True if a key is locked on a page that leaves these parts out, names in one text. */
export function locked(hides, press) {
  return (hides ?? '').split(' ').some((part) => LOCKS[part]?.includes(press));
}

/**
 * The number of the first token, counted from 1, where another run's tokens differ from those of a link; 0
 * where none does.
 */
export function firstDifference(tokens, actual) {
  return tokens.findIndex((id, index) => actual[index] !== id) + 1;
}

const texts = words.link;

/** How a setting is read from a link, by its kind: each puts it into the config, or says why it is not there. */
const READ = {
  whole: readNumber,
  number: readNumber,
  entry({ setting: { name }, text, names }, config, said) {
    if (names.includes(text)) config[name] = text;
    else said.push(texts.unknown({ name: texts.names[name], given: text.slice(0, 40) }));
  },
  option({ setting: { name, options }, key, text }, config, said) {
    if (options.includes(text)) config[name] = text;
    else said.push(meaningless(key, text));
  },
  text({ setting: { name }, text }, config) {
    config[name] = text.slice(0, TEXTS[name] ?? 100);
  },
  texts: readTexts,
  turns: readTexts,
  flag({ setting: { name }, text }, config) {
    config[name] = text !== '0';
  },
  params({ setting: { name }, param, text }, config) {
    tune(name, param, text, config);
  },
};

/** Texts in a JSON list; another thing is left out. */
function readTexts({ setting: { name, many }, key, text }, config, said) {
  const list = jsonOf(text);
  if (Array.isArray(list) && list.length <= many && list.every((each) => typeof each === 'string'))
    config[name] = list;
  else said.push(meaningless(key, text));
}

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readNumber({ setting, key, text }, config, said) {
  const { name, low, high, zero } = setting;
  const value = isNumber(text) ? Number(text) : NaN;
  if (Number.isNaN(value)) {
    said.push(meaningless(key, text));
    return;
  }
  const rounded = setting.kind === 'whole' ? Math.round(value) : value;
  const least = zero ? 0 : low;
  const fits = Math.min(high, Number.MAX_SAFE_INTEGER, Math.max(least, rounded));
  if (fits !== value)
    said.push(texts.mended({ name: texts.names[name], given: text.slice(0, 20), used: fits }));
  config[name] = fits;
}

/** Takes in a part of a place; what another page would make of it, or nothing, is said. */
function put(key, text, place, said) {
  const value = PLACES[key](text);
  const [many, total] = Array.isArray(value) ? [value.length, text.split(',').length] : [1, 1];
  if (value === undefined || many < total) said.push(meaningless(key, text));
  else if (['number', 'string'].includes(typeof value) && String(value) !== text)
    said.push(texts.mended({ name: key, given: text.slice(0, 20), used: value }));
  if (value !== undefined) place[key] = value;
}

function meaningless(key, text) {
  return texts.ignored({ key: `${key.slice(0, 20)}=${text.slice(0, 20)}` });
}

/** A parameter: a number where it reads as one, unless it is marked as a text. The server checks it. */
function tune(name, param, text, config) {
  config[name] ??= {};
  if (Object.keys(config[name]).length < MANY)
    config[name][param] = isNumber(text) ? Number(text) : text.replace(/^\*/, '');
}

/** A parameter as a link writes it: a text that would read as a number, or as marked, gets a mark. */
function marked(value) {
  return typeof value === 'string' && (isNumber(value) || value.startsWith('*')) ? `*${value}` : value;
}

function isNumber(text) {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

/** The beat that a link leads to; rounds and guesses are counted from 1. */
function placeOf(text) {
  const [round, kind, slot = null] = text.split('.');
  const [at, guess] = [readInteger(round, 1, 99_999), slot === null ? null : readInteger(slot, 1, 128)];
  if (at === undefined || guess === undefined || !Object.hasOwn(words.kinds, kind ?? '')) return undefined;
  return { round: at - 1, kind, slot: guess === null ? null : guess - 1 };
}

function tokensOf(text) {
  return text
    .split('.')
    .slice(0, TOKENS)
    .map((part) => (/^[0-9a-z]{1,6}$/.test(part) ? parseInt(part, 36) : -1));
}

/** What reads some of these names, parted by commas. */
function some(names) {
  return (text) => names.filter((name) => text.split(',').includes(name));
}

function within(min, max) {
  return (text) => readInteger(text, min, max);
}

function readInteger(text, min, max) {
  return /^\d{1,6}$/.test(text) ? Math.min(max, Math.max(min, Number(text))) : undefined;
}

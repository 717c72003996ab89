/**
 * readers.js: readers of untrusted JSON. A reader takes a parsed value and its path in the file, and
 * returns a value it made itself: only text, numbers and booleans survive, under field names that are
 * written here. Pure. A reader throws Unfit if it cannot; withFallback() then leaves that part out, and
 * calls left(why).
 */

import { clean, count } from '../base/format.js';
import { words } from '../words/words.js';

/** Why a file, or a part of it, cannot be taken; the message is a clause for people. */
export class Unfit extends Error {}

const texts = words.file;
/** Rounding may carry a number this far over its bounds; it is clamped. */
const CLOSE = 2e-5;
const QUOTED = 40;
/** Names of parameters, none of which is a built-in property of objects. */
const PLAIN = /^[a-z][a-z0-9_]{0,39}$/;

export function unfit(where, value, wanted) {
  throw new Unfit(texts.unfit({ where, found: quoted(value), wanted }));
}

export function number(low, high) {
  return (value, where) => {
    if (typeof value !== 'number' || !(value >= low - CLOSE && value <= high + CLOSE))
      unfit(where, value, texts.wanted.number({ low, high }));
    return Math.max(low, Math.min(high, value));
  };
}

export function integer(low, high) {
  return (value, where) => {
    if (!Number.isInteger(value) || value < low || value > high)
      unfit(where, value, texts.wanted.whole({ low, high }));
    return value;
  };
}

/** Text, cut after `most` letters. */
export function text(most) {
  return (value, where, left) => {
    if (typeof value !== 'string') unfit(where, value, texts.wanted.text);
    if (value.length <= most) return value;
    left(texts.cut({ where, length: count(value.length), most: count(most) }));
    return `${value.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
  };
}

/** Text that the page shows as it is: invisible characters are spelt out. */
export function label(most) {
  const read = text(most);
  return (value, where, left) => clean(read(value, where, left));
}

export function flag(value, where) {
  if (typeof value !== 'boolean') unfit(where, value, texts.wanted.flag);
  return value;
}

export function oneOf(...names) {
  return (value, where) => {
    if (!names.includes(value)) unfit(where, value, texts.wanted.oneOf({ names: names.join(', ') }));
    return value;
  };
}

/** A field that may be there but is not kept. */
export function ignored() {}

export function nullable(read) {
  return (value, where, left) => (value === null ? null : read(value, where, left));
}

/** A field that may be missing. */
export function optional(read) {
  return Object.assign((value, where, left) => read(value, where, left), { optional: true });
}

/** What `read` makes of the value, or `instead` if it is unfit. */
export function withFallback(read, instead) {
  return (value, where, left) => {
    try {
      return read(value, where, left);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      left(error.message);
      return instead;
    }
  };
}

export function list(read, most) {
  return (value, where, left) => {
    if (!Array.isArray(value) || value.length > most)
      unfit(where, value, texts.wanted.list({ most: count(most) }));
    return value.map((item, index) => read(item, `${where}[${index}]`, left));
  };
}

/** An object with exactly these fields. Ignored ones are not kept; unknown ones are left out and reported. */
export function object(fields) {
  const entries = Object.entries(fields);
  return (value, where, left) => {
    plainObject(value, where);
    for (const name of Object.keys(value))
      if (!Object.hasOwn(fields, name)) left(texts.unknown({ where, name: quoted(name) }));
    const kept = {};
    for (const [name, read] of entries) {
      if (!Object.hasOwn(value, name)) {
        if (read.optional) continue;
        throw new Unfit(texts.missing({ where: `${where}.${name}` }));
      }
      const made = read(value[name], `${where}.${name}`, left);
      if (made !== undefined) kept[name] = made;
    }
    return kept;
  };
}

/** An object of at most `most` numbers, under names that match PLAIN. */
export function numbers(read, most) {
  return (value, where, left) => {
    plainObject(value, where);
    const entries = Object.entries(value);
    if (entries.length > most) unfit(where, entries, texts.wanted.list({ most: count(most) }));
    const one = withFallback(([name, each]) => {
      if (!PLAIN.test(name) || name in {}) unfit(where, name, texts.wanted.name);
      return [name, read(each, `${where}.${name}`, left)];
    }, null);
    return Object.fromEntries(entries.map((entry) => one(entry, where, left)).filter(Boolean));
  };
}

function plainObject(value, where) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    unfit(where, value, texts.wanted.object);
}

/** The value found, short enough for a sentence. */
function quoted(value) {
  if (typeof value === 'string')
    return clean(JSON.stringify(value.length > QUOTED ? `${value.slice(0, QUOTED)}…` : value));
  if (Array.isArray(value)) return texts.found.list({ length: count(value.length) });
  if (value === undefined) return texts.found.nothing;
  return value !== null && typeof value === 'object' ? texts.found.object : String(value);
}

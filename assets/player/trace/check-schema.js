/**
 * check-schema.js: reads parsed JSON that nobody vouches for by the schema of a trace. What it returns it made itself:
 * only text, numbers and booleans survive, under field names that the schema has. Pure.
 */

import { clean, count } from '../base/format.js';
import { words } from '../words/words.js';
import { schema } from './schema.min.js';

/** Why a file, or a part of it, cannot be taken; the message is a clause for people. */
export class Unfit extends Error {}

const texts = words.file;
/** Rounding may carry a number this far over its bounds; it is clamped. */
const CLOSE = 2e-5;
const QUOTED = 40;
/** Names that a file is free to choose, none of which is a built-in property of objects. */
const PLAIN = /^[a-z][a-z0-9_-]{0,39}$/;

export function unfit(where, value, wanted) {
  throw new Unfit(texts.unfit({ where, found: quoted(value), wanted }));
}

/**
 * A value as a part of the schema has it; throws Unfit if it is not one. where: its path in the file; left(why) hears
 * of what is left out: fields that nobody knows, and the ends of texts that are too long.
 */
export function read(part, value, where, left) {
  if (part.$ref) return read(schema.$defs[part.$ref.split('/').at(-1)], value, where, left);
  if (part.anyOf)
    return read(part.anyOf.find((each) => isOf(each, value)) ?? part.anyOf[0], value, where, left);
  if (part.enum && !part.enum.includes(value))
    unfit(where, value, texts.wanted.oneOf({ names: part.enum.join(', ') }));
  return part.enum || part.const ? value : READERS[part.type](part, value, where, left);
}

const READERS = {
  null: (part, value, where) => (value === null ? null : unfit(where, value, texts.found.nothing)),
  boolean: (part, value, where) =>
    typeof value === 'boolean' ? value : unfit(where, value, texts.wanted.flag),
  integer: (part, value, where) =>
    Number.isInteger(value) ? inside(part, value, where, 0) : inside(part, NaN, where, 0, value),
  number: (part, value, where) => inside(part, typeof value === 'number' ? value : NaN, where, CLOSE, value),
  string: text,
  array: list,
  object,
};

/** Whether a value is of the kind of a part, whatever is in it. */
function isOf({ type, $ref: ref, enum: names }, value) {
  if (names) return names.includes(value);
  if (value === null || Array.isArray(value)) return type === (value ? 'array' : 'null');
  return typeof value === 'object' ? Boolean(ref) || type === 'object' : type === typeof value;
}

function inside({ type, minimum, exclusiveMinimum, maximum: high }, value, where, close, found = value) {
  const low = minimum ?? exclusiveMinimum;
  if (!(value >= low - close && value <= high + close))
    unfit(where, found, texts.wanted[type === 'integer' ? 'whole' : 'number']({ low, high }));
  return Math.max(low, Math.min(high, value));
}

function text({ maxLength: most = Infinity, format, pattern }, value, where, left) {
  if (typeof value !== 'string') unfit(where, value, texts.wanted.text);
  if (pattern && !new RegExp(pattern).test(value)) unfit(where, value, texts.wanted.code);
  const letters = value.length > most ? [...value] : [];
  const cut = letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : value;
  if (cut !== value) left(texts.cut({ where, length: count(letters.length), most: count(most) }));
  return format === 'line' ? clean(cut) : cut;
}

function list({ items, prefixItems: parts, minItems: least = 0, maxItems: most }, value, where, left) {
  if (!Array.isArray(value) || value.length > most || value.length < least)
    unfit(where, value, texts.wanted.list({ most: count(most) }));
  return value.map((item, index) => read(parts ? parts[index] : items, item, `${where}[${index}]`, left));
}

function object({ properties = {}, required = [], additionalProperties, maxProperties }, value, where, left) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    unfit(where, value, texts.wanted.object);
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing) throw new Unfit(texts.missing({ where: `${where}.${missing}` }));
  const names = Object.keys(value);
  if (names.length > maxProperties) unfit(where, names, texts.wanted.list({ most: count(maxProperties) }));
  const kept = {};
  for (const name of names) {
    const free = additionalProperties && PLAIN.test(name) && !(name in {});
    const part = Object.hasOwn(properties, name) ? properties[name] : free && additionalProperties;
    if (part) kept[name] = read(part, value[name], `${where}.${name}`, left);
    else left(texts.unknown({ where, name: quoted(name) }));
  }
  return kept;
}

/** The value found, short enough for a sentence. */
function quoted(value) {
  if (typeof value === 'string')
    return clean(JSON.stringify(value.length > QUOTED ? `${value.slice(0, QUOTED)}…` : value));
  if (Array.isArray(value)) return texts.found.list({ length: count(value.length) });
  if (value === undefined) return texts.found.nothing;
  return value !== null && typeof value === 'object' ? texts.found.object : String(value);
}

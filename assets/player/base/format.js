/**
 * format.js: numbers and token text as people read them. Pure: no DOM. Token text is hostile; what comes
 * back is plain text in which nothing is invisible or reorders its neighbours, still to be shown with
 * textContent only.
 */

const RAISED = Object.fromEntries(Array.from('-0123456789', (one, at) => [one, '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'[at]]));

/** What a language writes for the point and the comma of 1,234.5; none: these. */
let marks = null;

/** Writes numbers as a language does from now on, by its tag; returns its two marks. */
export function speakNumbers(tag) {
  const parts = new Intl.NumberFormat(tag).formatToParts(1234567.5);
  const of = (kind) => parts.find(({ type }) => type === kind).value;
  const [point, comma] = [of('decimal'), of('group')];
  marks = { '.': point, ',': comma };
  return [point, comma];
}

/** A number that is written with a point and commas, as the language writes it. */
export function local(text) {
  return marks ? text.replace(/[.,]/g, (mark) => marks[mark]) : text;
}

/** A probability or any number in three significant figures: 0.863, 3.40×10⁻⁴, 12.5. Null is a dash. */
export function number(value, digits = 3) {
  if (value === null || value === undefined) return '–';
  if (value === 0) return '0';
  if (Math.abs(value) < 1e-3) {
    const [front, power] = value.toExponential(digits - 1).split('e');
    return `${local(front)}×10${raised(power)}`;
  }
  return local(Math.abs(value) >= 1 ? String(Number(value.toPrecision(digits))) : value.toPrecision(digits));
}

/** Several numbers by name, each as a text. */
export function numbers(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, number(value)]));
}

/** A number to three figures at most, without trailing zeros: 0.8, 1.4, 40. */
export function trimmed(value) {
  return local(String(Number(value.toPrecision(3))));
}

/** A factor above 1, with its zeros: 2.30, 12.5, 1,340. */
export function times(value) {
  return value < 1e3 ? local(value.toPrecision(3)) : count(Number(value.toPrecision(3)));
}

/** A factor to two decimals, or to three figures from ten on: 0.96, 1.71, 12.3. */
export function factor(value) {
  return value >= 10 ? number(value) : local(value.toFixed(2));
}

/** A factor with its sign: 1.71×. */
export function multiple(value) {
  return `${factor(value)}×`;
}

/** A share in per cent: 51.2 %. */
export function percent(share) {
  return `${number(100 * share)} %`;
}

/** A share as people say it: 51 %. */
export function share(value) {
  return `${number(100 * value, 2)} %`;
}

/** A whole number as a superscript: ¹². */
export function raised(value) {
  return Array.from(String(value), (sign) => RAISED[sign]).join('');
}

/** Two numbers that differ, with as many figures as it takes to see that they do. */
export function apart(left, right) {
  for (let digits = 3; digits < 17; digits += 1) {
    if (left === right || left.toPrecision(digits) - right.toPrecision(digits))
      return [number(left, digits), number(right, digits)];
  }
  return [String(left), String(right)];
}

/** 1234 as 1,234. */
export function count(value) {
  return local(value.toLocaleString('en-US'));
}

/** Milliseconds, or seconds from ten of them on: 0.856 ms, 1,234 ms, 11.2 s. */
export function duration(ms) {
  if (ms >= 1e4) return `${number(ms / 1e3)} s`;
  return `${ms < 1e3 ? number(ms) : count(Math.round(ms))} ms`;
}

/** Bytes in the unit that suits them: 512 B, 312 MB, 1.2 GB. */
export function bytes(value) {
  const power = value < 1 ? 0 : Math.min(4, Math.floor(Math.log10(value) / 3));
  return `${number(value / 1e3 ** power)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}

const PICTURES = new Map([
  [' ', '·'],
  ['\n', '⏎'],
  ['\t', '⇥'],
]);
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u034F\u115F\u1160\u3164\uFE00-\uFE0F]|[^\S \n\t]/u;

/** Token text with every space, break and invisible character made visible. */
export function show(text) {
  return Array.from(
    text,
    (letter) => PICTURES.get(letter) ?? (UNSEEN.test(letter) ? chip(letter) : letter),
  ).join('');
}

/** A sentence that may quote token text: only invisible characters are replaced. */
export function clean(text) {
  return Array.from(text, (letter) => (UNSEEN.test(letter) ? chip(letter) : letter)).join('');
}

/** A text to be read as it was written: spaces and line breaks stay what they are. */
export function readable(text) {
  return Array.from(text, (letter) => (PICTURES.has(letter) ? letter : clean(letter))).join('');
}

/** Letters of a file's name that are shown. */
const LONGEST = 60;

/** A file's name, between marks that keep right-to-left letters from reordering what is beside it. */
export function named(name) {
  const letters = Array.from(name);
  const shown = letters.length > LONGEST ? [...letters.slice(0, LONGEST), '…'] : letters;
  return `\u2068${clean(shown.join(''))}\u2069`;
}

/** Token text inside a sentence: without the space before it. */
export function inSentence(text) {
  const shown = show(text);
  return shown.replace(/^·+(?=.)/u, '') || shown;
}

/** The name of a drafter, or of a rule, as a sentence has it. */
export function plainName(name) {
  return name === 'ngram' ? 'n-gram' : clean(name.replaceAll(/[-_]/g, ' '));
}

const BYTES = /^(<[0-9A-F]{2}>)+$/;

/** The bytes of a token that is only part of a character, else null. */
export function bytesOf(text) {
  return BYTES.test(text) ? text.match(/[0-9A-F]{2}/g).map((pair) => parseInt(pair, 16)) : null;
}

/** The text that bytes spell; null where they end inside a character or spell none. */
export function spelt(codes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(codes));
  } catch {
    return null;
  }
}

function chip(letter) {
  return `<U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

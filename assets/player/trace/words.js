/**
 * words.js: what is said of traces from files, beside the words of base. Pure. File names and whatever a
 * file says arrive raw; here they are made visible, and cannot reorder what stands beside them.
 */

import { inLanguage } from '../base/language.js';
import { words as below } from '../base/words.js';
import { bytes, clean, count, plural } from '../base/format.js';

const LONGEST = 60;

/** Between marks that keep right-to-left letters from reordering what stands beside them. */
function named(name) {
  const letters = Array.from(name);
  const shown = letters.length > LONGEST ? [...letters.slice(0, LONGEST), '…'] : letters;
  return `\u2068${clean(shown.join(''))}\u2069`;
}

const file = {
  drop: 'Drop a trace here. It is opened in this browser and sent nowhere.',
  another: 'Open another file',
  opened: ({ name, of, dropped, why }) =>
    `opened from a file: ${named(name)}${of > 1 ? `, the first of ${count(of)}` : ''}` +
    (dropped
      ? ` · ${plural(count(dropped), 'part')} of this file ${dropped === 1 ? 'was' : 'were'} left out: ${why}${dropped > 1 ? '; …' : ''}`
      : ''),
  refused: (name, of, reason) =>
    `${named(name)}${of > 1 ? `, the first of ${count(of)} files,` : ''} was not opened: ${reason}.`,
  unreadable: 'the browser could not read it; is it a file, and still there?',
  unanswerable:
    'this run came from a file, which the server never sees; press Run for one that it can answer for',
  alone: 'the whole vocabulary needs the models, which this page does not have',
  charts:
    'This run came from a file, which the server never sees, and these charts are drawn there. The lanes under the round show the same numbers.',

  large: (size, most) => `it has ${bytes(size)}; at most ${bytes(most)} are opened`,
  encoding: 'it is not UTF-8 text; save it as python -m specviz run … --out trace.json writes it',
  syntax: 'it is not JSON, or not all of it; make it again with python -m specviz run … --out trace.json',
  noTrace:
    'it is JSON, but no trace of specviz, which has a number named schema; python -m specviz run … --out trace.json writes one',
  schema: (found, wanted) =>
    found < wanted
      ? `it is a trace of schema ${found}, and this page reads schema ${wanted}; make the run again with this version: python -m specviz run … --out trace.json`
      : `it is a trace of schema ${found}, and this page reads schema ${wanted}; it takes a newer specviz to open it`,
  unfit: (where, found, wanted) => `${where} is ${found}; wanted ${wanted}`,
  missing: (where) => `${where} is missing`,
  unknown: (where, name) => `${where} has an unknown field, ${name}`,
  cut: (where, length, most) => `${where}, beyond ${count(most)} of its ${count(length)} letters`,
  found: { list: (length) => `a list, ${count(length)} long`, object: 'an object', nothing: 'missing' },
  wanted: {
    object: 'an object',
    text: 'text',
    flag: 'true or false',
    name: 'a plain name',
    list: (most) => `a list of at most ${count(most)}`,
    number: (low, high) => `a number from ${low} to ${high}`,
    whole: (low, high) => `a whole number from ${low} to ${high}`,
    oneOf: (names) => `one of ${names.join(', ')}`,
  },
  contradicts: (where, what) =>
    `${where} contradicts itself: ${what}; python -m specviz check FILE lists all that is wrong`,
  wrong: {
    rounds: 'it has no rounds to show',
    prompt: 'a text for each token of the prompt, and at least one',
    tokens: (most) => `the text is longer than ${count(most)} tokens`,
    place: 'index and position do not follow on the round before',
    tree: (node) => `guess ${node} does not hang on an earlier one`,
    path: 'the path does not follow the guesses that were accepted',
    walk: (node) => `guess ${node} cannot have this verdict where it stands`,
    numbers: (node) => `guess ${node} lacks a number it was decided by, or has one nobody drew`,
    placed: (node) => `guess ${node} does not stand where its number fell`,
    decided: (node) => `guess ${node} has a verdict that its numbers do not give`,
    imagined: (node) => `no state can have been imagined behind guess ${node}`,
    extra: 'the target’s own token is missing, or should be',
    emission: 'the target’s own token was not come by that way',
    drawn: 'the target’s own token was drawn from nothing',
    cache: (name) => `the ${name}’s cache cannot have those lengths`,
    times: 'its times are not one for each guess and one for the target’s pass',
    race: 'it is not this run’s',
    twice: 'its token has a bar already',
  },
};

export const words = { ...below, ...inLanguage({ file }) };

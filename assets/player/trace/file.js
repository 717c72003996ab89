/**
 * file.js: turns the bytes of a trace file, as `python -m specviz run --out` writes it, into the trace that
 * the stage plays. Pure. Nobody vouches for the file, so every field is checked by the schema of a trace, see
 * specviz/trace/schema.py, and then whether all of it hangs together.
 */

import { bytes as bytesOf } from '../base/format.js';
import { answerOf } from './answer.js';
import { Unfit, read } from './check-schema.js';
import { isRaceOf, requireConsistent } from './consistency.js';
import { schema } from './schema.min.js';
import { words } from '../words/words.js';

export const SCHEMA = schema.properties.schema.const;
/** Bytes of the largest file that is opened. */
const LARGEST = 5e6;

/** Why a file of this many bytes is not opened; '' if it is. */
export function tooLarge(size) {
  return size > LARGEST ? words.file.large({ size: bytesOf(size), most: bytesOf(LARGEST) }) : '';
}

/**
 * What comes of a file: a trace, or a refusal.
 * @typedef {object} Opened
 * @property {object} [trace] a Trace of feed.js, but for its name and `repeats`
 * @property {number} [dropped] parts of the file that were left out
 * @property {string} [why] the reason for the first of them
 * @property {string} [refusal] a clause that says why it does not open
 */

/**
 * @param {Uint8Array} bytes
 * @returns {Opened}
 */
export function importTrace(bytes) {
  let [dropped, why] = [0, ''];
  const left = (reason) => {
    dropped += 1;
    why ||= reason;
  };
  try {
    const trace = traceOf(parsed(bytes), left);
    return { trace, dropped, why };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    return { refusal: error.message };
  }
}

function parsed(bytes) {
  const large = tooLarge(bytes.length);
  if (large) throw new Unfit(large);
  let [json, reason] = ['', words.file.encoding];
  try {
    const utf16 = { '255,254': 'utf-16le', '254,255': 'utf-16be' }[bytes.slice(0, 2).join()];
    json = new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes);
    reason = words.file.syntax;
    return JSON.parse(json);
  } catch {
    throw new Unfit(reason); // only decoding and parsing can throw in there
  }
}

function traceOf(given, left) {
  const known = typeof given === 'object' && given !== null ? given : {};
  const answer = answerOf(known);
  const data = answer ? { ...answer, schema: SCHEMA } : known;
  const found = Object.hasOwn(data, 'schema') ? data.schema : null;
  if (!Number.isInteger(found)) throw new Unfit(words.file.noTrace);
  if (found !== SCHEMA)
    throw new Unfit(words.file[found < SCHEMA ? 'older' : 'newer']({ found, wanted: SCHEMA }));
  const trace = read(schema, { ...data, race: null }, 'trace', left);
  requireConsistent(trace);
  return { ...trace, live: false, race: raceOf(data.race ?? null, trace, left) };
}

/** A trace's race and where it was timed, as the server says it; null, and left out, if it is another trace's. */
function raceOf(value, { info: { device, dtype, recorded, target_forward: pass }, rounds }, left) {
  if (value === null) return null;
  try {
    const race = read(schema.properties.race, value, 'trace.race', left);
    const what = words.file.wrong.race;
    if (!isRaceOf(race, rounds)) throw new Unfit(words.file.contradicts({ where: 'trace.race', what }));
    const { threads, name: forward, reason } = pass;
    return { ...race, where: { device, dtype, threads, forward, reason, recorded } };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    left(error.message);
    return null;
  }
}

/**
 * file.js: turns the bytes of a trace file, as `python -m specviz run --out` writes it, into the trace that
 * the stage plays. Pure. Nobody vouches for the file, so every field is checked against bounds, and only
 * what the stage reads is kept. Nesting needs no bound of its own, because only known fields are followed.
 */

import {
  Unfit,
  flag,
  ignored,
  label,
  list,
  nullable,
  number,
  numbers,
  object,
  oneOf,
  optional,
  text,
  unfit,
  integer,
  withFallback,
} from './readers.js';
import { bytes as bytesOf, count } from '../base/format.js';
import { sourceReader } from './read-source.js';
import { viewReader } from './read-view.js';
import { isRaceOf, roundProblem } from './consistency.js';
import { stopProblem } from './stops.js';
import { USES } from './tried.js';
import { words } from '../words/words.js';

/** The schema of specviz/trace/codec.py; assets/trace.schema.json has its fields. */
export const SCHEMA = 8;
export const LIMITS = {
  bytes: 5e6,
  rounds: 2000,
  tokens: 8192,
  gamma: 20,
  nodes: 128,
  bars: 20,
  letters: 256,
  prompt: 8000,
  stretches: 128,
  turns: 64,
  stops: 16,
  stop: 200,
  grammar: 20_000,
  laps: 20,
};

const share = number(0, 1);
const nats = number(0, 100);
/** Milliseconds. */
const time = number(0, 1e9);
const signal = number(-1e9, 1e9);
const slots = integer(0, 1e6);
const node = integer(0, LIMITS.nodes);
const letters = text(LIMITS.letters);
const name = label(LIMITS.letters);

const tuned = (value, where, left) => (typeof value === 'string' ? name : signal)(value, where, left);
/** The code of a sentence. */
const CODE = /^reasons(\.\w{1,20}){1,3}$/;
/** A sentence: a plug-in's own text, or the code of one of ours with its values. */
const sentence = (value, where, left) => {
  if (typeof value === 'string') return name(value, where, left);
  const said = numbers(tuned, 20)(value, where, left);
  if (!CODE.test(said.code)) unfit(`${where}.code`, said.code, words.file.wanted.code);
  return said;
};
const costs = object({ draft: time, rest: time, widths: list(integer(1, 1e6), 64), passes: list(time, 64) });
const trial = object({ use: oneOf(...USES), error: nullable(number(0, 1e9)), reason: optional(sentence) });
const forward = object({
  name,
  reason: sentence,
  error: ignored,
  threads: integer(1, 1e5),
  tried: optional(list(trial, USES.length + 1)),
  border: optional(integer(0, 1e9)),
});
const config = object({
  prompt: text(LIMITS.prompt),
  pair: name,
  drafter: name,
  rule: name,
  gamma: integer(0, LIMITS.gamma),
  gamma_rule: name,
  temperature: number(0, 2),
  top_k: integer(0, 1e6),
  top_p: share,
  max_new_tokens: integer(1, LIMITS.tokens),
  seed: integer(0, 2 ** 63),
  device: name,
  dtype: name,
  chat: flag,
  counts: name,
  gamma_params: numbers(tuned, 20),
  costs: withFallback(nullable(costs), null),
  params: numbers(tuned, 20),
  earlier: optional(list(text(LIMITS.prompt), LIMITS.turns)),
  min_p: optional(share),
  typical_p: optional(share),
  repetition_penalty: optional(number(0.1, 10)),
  frequency_penalty: optional(number(-2, 2)),
  presence_penalty: optional(number(-2, 2)),
  no_repeat_ngram_size: optional(integer(0, 20)),
  bad_words: optional(list(text(2 * LIMITS.stop), 64)),
  min_new_tokens: optional(integer(0, 1024)),
  grammar: optional(text(LIMITS.grammar)),
  stop_strings: optional(list(text(2 * LIMITS.stop), LIMITS.stops)),
  generation: optional(oneOf('model', 'plain')),
  rule_params: optional(numbers(tuned, 20)),
});
const traits = object({
  rolls: oneOf('dice', 'shared noise', 'threshold'),
  plain_text: flag,
  lossless: flag,
  law: oneOf('row', 'point', 'mixed'),
  shape: oneOf('chain', 'tree'),
});
const bytes = integer(1, 1e12);
const kept = object({
  name,
  slot_bytes: bytes,
  forward,
  own_tokens: optional(flag),
  state_bytes: optional(bytes),
});
/** A few numbers of a hidden state. */
const some = list(number(-1e9, 1e9), 32);
const heads = object({
  reads: oneOf('state', 'told', 'imagined', 'block'),
  layers: list(slots, 16),
  of: slots,
  width: integer(1, 1e6),
  places: node,
  pending: flag,
});
const few = integer(1, LIMITS.bars);
/** What a generation_config.json asks for, by key. */
const asked = numbers(tuned, 64);
const info = object({
  config,
  loop: optional(name),
  missing: optional(list(oneOf('draws', 'cache', 'times', 'rows'), 4)),
  rule: name,
  traits,
  controller: name,
  target: sentence,
  draft: sentence,
  target_forward: forward,
  draft_caches: list(kept, 8),
  vocab_size: integer(1, 1e7),
  context: integer(1, 1e9),
  eos: list(integer(0, 1e7), LIMITS.letters),
  target_slot_bytes: bytes,
  device: name,
  dtype: name,
  versions: ignored,
  recorded: name,
  shown: object({ tested: few, untested: few, bars: few, own: few }),
  heads: optional(heads),
  threshold: optional(object({ epsilon: share, delta: number(0, 100) })),
  ensemble: optional(object({ weight: share })),
  relaxation: optional(object({ top: integer(1, 1e7), delta: share, opens: letters, closes: letters })),
  template: optional(list(list(slots, 2), LIMITS.stretches)),
  control: optional(list(slots, LIMITS.tokens)),
  generation: optional(object({ held: asked, own: asked, left: asked })),
  stop_strings: optional(list(text(2 * LIMITS.stop), 64)),
  target_state_bytes: optional(bytes),
});
const timing = object({
  draft: list(object({ nodes: node, ms: time }), LIMITS.nodes),
  verify: time,
  accept: time,
  trim: time,
  overhead: time,
  reread: optional(time),
});
const span = object({ before: slots, written: slots, kept: slots, reread: optional(slots) });
const budget = object({
  nodes: slots,
  depth: slots,
  reason: withFallback(sentence, ''),
  signal: withFallback(nullable(signal), null),
});
const source = sourceReader({ letters, name, sentence, node, slots });
const NO_SOURCE = { who: '', rank: 0, span: null, words: '', counts: null };
const glance = object({ entropy: nats, q: nullable(share) });
const halt = object({ reason: sentence, signal });
const imagined = object({ node: integer(-1, LIMITS.nodes), likeness: number(-1, 1), own: some, true: some });

function guessReader(token, view) {
  return object({
    node,
    parent: integer(-1, LIMITS.nodes),
    depth: node,
    token,
    text: letters,
    verdict: oneOf('accepted', 'rejected', 'untested'),
    law: oneOf('row', 'point'),
    p: share,
    q: share,
    draft_u: nullable(share),
    low: share,
    high: share,
    accept_prob: nullable(share),
    u: nullable(share),
    weight: nullable(share),
    mass: nullable(share),
    p_entropy: ignored,
    q_entropy: nats,
    source: withFallback(source, NO_SOURCE),
    view,
    entropy: optional(nats),
    rank: optional(integer(0, 1e7)),
  });
}

/** A reader of the target's own token. */
function extraReader(token, view) {
  return object({
    token,
    text: letters,
    emission: oneOf('resampled', 'bonus'),
    p: share,
    u: nullable(share),
    low: share,
    high: share,
    view,
    zero_residual: flag,
    node: nullable(node),
  });
}

const moved = object({ token: integer(0, 1e7), text: letters, p: share, before: share, after: share });

function roundReader(token, view) {
  return object({
    index: slots,
    position: slots,
    budget,
    verdicts: list(guessReader(token, view), LIMITS.nodes),
    path: list(node, LIMITS.nodes),
    extra: nullable(extraReader(token, view)),
    timing,
    target_cache: span,
    draft_caches: list(span, 8),
    calls: object({ target: slots, draft: slots }),
    glances: withFallback(list(glance, 2 * LIMITS.gamma), []),
    halt: withFallback(nullable(halt), null),
    scouts: optional(list(object({ token, text: letters, depth: node }), LIMITS.nodes)),
    learning: optional(object({ updates: integer(0, 1e6), used: flag, moved: optional(moved) })),
    imagined: optional(list(imagined, LIMITS.nodes)),
    stop_string: optional(text(2 * LIMITS.stop)),
  });
}

/** The readers of what holds token ids, for a vocabulary of that size. */
function readersOf(vocabulary) {
  const token = integer(0, vocabulary - 1);
  return {
    tokens: list(token, LIMITS.tokens),
    round: roundReader(token, viewReader({ token, letters, vocabulary, most: LIMITS.bars })),
    race: object({
      rounds: list(timing, LIMITS.rounds),
      passes: list(time, LIMITS.tokens),
      tokens: list(token, LIMITS.tokens),
      texts: list(letters, LIMITS.tokens),
      laps: list(time, LIMITS.laps),
      plain_laps: list(time, LIMITS.laps),
    }),
  };
}

/** Why a file of this many bytes is not opened; '' if it is. */
export function tooLarge(size) {
  return size > LIMITS.bytes ? words.file.large({ size: bytesOf(size), most: bytesOf(LIMITS.bytes) }) : '';
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

function traceOf(data, left) {
  const schema =
    typeof data === 'object' && data !== null && Object.hasOwn(data, 'schema') ? data.schema : null;
  if (!Number.isInteger(schema)) throw new Unfit(words.file.noTrace);
  if (schema !== SCHEMA)
    throw new Unfit(words.file[schema < SCHEMA ? 'older' : 'newer']({ found: schema, wanted: SCHEMA }));
  const readInfo = object({ ...ALL, info })(data, 'trace', left).info;
  if (readInfo.traits.rolls === 'threshold' && !readInfo.threshold)
    throw new Unfit(words.file.missing({ where: 'trace.info.threshold' }));
  const { tokens, round, race } = readersOf(readInfo.vocab_size);
  const fields = {
    prompt: tokens,
    prompt_texts: list(letters, LIMITS.tokens),
    prefill: time,
    rounds: list(round, LIMITS.rounds),
    stop: oneOf('length', 'eos', 'string', 'context', 'stopped', 'deadline', 'failed'),
  };
  const read = (field, reader) => reader(data[field], `trace.${field}`, left);
  /** @type {any} */
  const trace = {
    info: readInfo,
    ...Object.fromEntries(Object.entries(fields).map(([field, reader]) => [field, read(field, reader)])),
    live: false,
  };
  requireConsistent(trace);
  return { ...trace, race: read('race', withFallback(nullable(raceReader(race, trace)), null)) };
}

/** Every field of a trace; each is read on its own below. */
const ALL = Object.fromEntries(
  ['info', 'prompt', 'prompt_texts', 'prefill', 'rounds', 'stop', 'text', 'race', 'schema'].map((field) => [
    field,
    ignored,
  ]),
);

function requireConsistent(trace) {
  const { info: about, prompt, prompt_texts: texts, rounds } = trace;
  const { contradicts, wrong } = words.file;
  if (!prompt.length || texts.length !== prompt.length) unfit('trace.prompt_texts', texts, wrong.prompt);
  const { template = [] } = about;
  const edges = [...template.flat(), prompt.length + 1];
  const apart = edges.every((edge, at) => edge > (edges[at - 1] ?? -1));
  if (!apart || template.some(({ length }) => length !== 2))
    unfit('trace.info.template', template, wrong.template);
  if (!rounds.length) throw new Unfit(wrong.rounds);
  let position = prompt.length;
  rounds.forEach((round, index) => {
    const problem = roundProblem(round, { index, position, info: about });
    if (problem) throw new Unfit(contradicts({ where: `trace.rounds[${index}]`, what: problem }));
    position += round.path.length + (round.extra ? 1 : 0);
  });
  if (position > LIMITS.tokens) throw new Unfit(wrong.tokens({ most: count(LIMITS.tokens) }));
  const ending = stopProblem(trace);
  const where = ending?.round === null ? 'trace.stop' : `trace.rounds[${ending?.round}]`;
  if (ending) throw new Unfit(contradicts({ where, what: ending.what }));
}

/** Reads a race and adds where it was timed, as the server does; unfit if it is another trace's. */
function raceReader(reader, { info: { device, dtype, recorded, target_forward: pass }, rounds }) {
  return (value, where, left) => {
    const race = reader(value, where, left);
    if (!isRaceOf(race, rounds))
      throw new Unfit(words.file.contradicts({ where, what: words.file.wrong.race }));
    return {
      ...race,
      where: { device, dtype, threads: pass.threads, forward: pass.name, reason: pass.reason, recorded },
    };
  };
}

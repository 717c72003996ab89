/**
 * answer.js: an engine's own record of one answer, as a thin trace: how many guesses each round made and how many were
 * accepted, and the words if they are there. It has no p and no q: what a trace must say of them is written as at
 * temperature 0, `missing` names it, and rules/counted.js shows none of it. Pure. The formats: specviz/loops/README.md.
 */

import { sum } from '../base/statistics.js';
import { Unfit } from './check-schema.js';
import { words } from '../words/words.js';

const texts = words.file.answer;
/** A token whose text the engine did not record. */
const BOX = '□';
/** The most guesses of a round, and rounds, that are read. */
const [WIDEST, LONGEST] = [160, 8192];

/** The fields of a trace, still to be checked like a file's; null if the data is no engine's answer. Throws Unfit. */
export function answerOf(data) {
  const found = READERS.map((read) => read(data)).find(Boolean);
  if (!found) return null;
  const { engine, model, drafted, accepted, first } = found;
  if (!isCounts(drafted, WIDEST) || !isCounts(accepted, WIDEST) || drafted.length !== accepted.length)
    throw new Unfit(texts.counts({ engine }));
  const astray = accepted.findIndex((count, at) => count > drafted[at]);
  if (astray >= 0) throw new Unfit(texts.more({ at: astray, count: accepted[astray], of: drafted[astray] }));
  const steps = drafted.map((count, at) => ({ guesses: count, accepted: accepted[at] }));
  if (first) steps.unshift({ guesses: 0, accepted: 0 });
  const whole = sum(steps.map(({ accepted: count }) => count + 1));
  const lost = whole - found.made;
  const cut = lost > 0 && lost <= accepted.at(-1) + 1 ? lost : 0; // the text may end inside the last round
  const pieces = found.pieces?.length === whole - cut ? found.pieces : null;
  const text = (at) => pieces?.[at] ?? BOX;
  const rounds = roundsOf(steps, whole, cut, text);
  const made = Array.from({ length: whole - cut }, (_, at) => text(at));
  return {
    info: {
      ...infoOf(engine, model, drafted, whole),
      loop: found.unordered ? texts.unordered({ engine }) : engine,
    },
    prompt: [whole + 1],
    prompt_texts: ['…'],
    prefill: 0,
    rounds,
    stop: 'length',
    text: made.join(''),
    race: null,
  };
}

const isCounts = (list, most) =>
  Array.isArray(list) &&
  list.length > 0 &&
  list.length <= LONGEST &&
  list.every((count) => Number.isInteger(count) && count >= 0 && count <= most);
const isText = (value) => typeof value === 'string';
const textsOf = (list, pick) =>
  Array.isArray(list) && list.every((each) => isText(pick(each))) ? list.map(pick) : null;

/**
 * { engine, model, drafted, accepted, unordered: whether nobody knows when, first: whether a plain step came before,
 * made: tokens, pieces: their texts }.
 */
const READERS = [
  /** vLLM with --per-request-spec-decode-metrics detailed. */
  ({ metrics, model, usage, choices }) => {
    const counts = metrics?.speculative_decoding;
    if (!counts) return null;
    if (!counts.per_step_accepted) throw new Unfit(texts.summary);
    const logged = choices?.[0]?.logprobs;
    const pieces = textsOf(logged?.content, (each) => each?.token) ?? textsOf(logged?.tokens, (each) => each);
    return {
      engine: 'vLLM',
      model,
      drafted: counts.per_step_drafted,
      accepted: counts.per_step_accepted,
      first: true, // the prefill writes one
      made: pieces?.length ?? usage?.completion_tokens,
      pieces,
    };
  },
  /** SGLang, which counts how often so many guesses were accepted, but not when. */
  ({ meta_info: own, model, choices }) => {
    const counts = own ?? choices?.[0]?.meta_info;
    const often = counts?.spec_correct_drafts_histogram ?? counts?.spec_accept_histogram;
    if (!often) return null;
    if (!isCounts(often, LONGEST) || sum(often) > LONGEST)
      throw new Unfit(texts.counts({ engine: 'SGLang' }));
    const accepted = often.flatMap((times, many) => Array.from({ length: times }, () => many));
    const offered = counts.spec_num_proposed_drafts ?? counts.spec_draft_token_num;
    const each = Math.max(often.length - 1, Math.round(offered / accepted.length) || 0);
    return {
      engine: 'SGLang',
      model,
      drafted: accepted.map(() => each),
      accepted,
      first: true,
      unordered: true,
    };
  },
  /** Any other: { engine, model, drafted, accepted, tokens }. */
  ({ engine, model, drafted, accepted, tokens, schema }) =>
    isText(engine) && schema === undefined && (drafted || accepted)
      ? { engine, model, drafted, accepted, pieces: textsOf(tokens, (each) => each), made: tokens?.length }
      : null,
];

/** The rounds; of the last one the text may lack some tokens, so many in all. */
function roundsOf(steps, whole, cut, text) {
  let position = 1;
  return steps.flatMap(({ guesses, accepted }, index) => {
    const lost = index === steps.length - 1 ? cut : 0;
    const kept = accepted - Math.max(0, lost - 1);
    if (lost > accepted) return [];
    const at = position - 1;
    const own = lost ? null : { token: at + kept, text: text(at + kept) };
    const verdicts = Array.from({ length: guesses }, (_, node) => {
      const verdict = node < kept ? 'accepted' : node === kept && own ? 'rejected' : 'untested';
      const guess = node < kept ? { token: at + node, text: text(at + node) } : { token: whole, text: BOX };
      return guessOf(node, guess, verdict, own, whole);
    });
    const round = {
      index,
      position,
      budget: { nodes: guesses, depth: guesses, reason: '', signal: null },
      verdicts,
      path: Array.from({ length: kept }, (_, node) => node),
      extra: own && ownOf(own, guesses > kept ? kept : null, verdicts, whole),
      timing: { draft: [{ nodes: guesses, ms: 0 }], verify: 0, accept: 0, trim: 0, overhead: 0 },
      target_cache: { before: position - 1, written: position + guesses, kept: position + kept },
      draft_caches: [],
      calls: { target: 1, draft: 0 },
      glances: [],
      halt: null,
    };
    position += kept + (own ? 1 : 0);
    return [round];
  });
}

const bar = ({ token, text }, p, q) => ({ token, text, p, q, residual: Math.max(0, p - q) });
/** The other tokens have what of p no bar has. */
function viewOf(bars, overlap, whole) {
  const p = 1 - sum(bars.map((each) => each.p));
  return { bars, rest: { count: whole + 2 - bars.length, p, q: 0, overlap: 0, residual: p }, overlap };
}

function guessOf(node, guess, verdict, own, whole) {
  const p = verdict === 'accepted' ? 1 : 0;
  const tested = verdict !== 'untested';
  return {
    node,
    parent: node - 1,
    depth: node,
    ...guess,
    verdict,
    law: 'row',
    p,
    q: 1,
    draft_u: null,
    low: 0,
    high: 1,
    accept_prob: tested ? p : null,
    u: null,
    weight: null,
    mass: null,
    p_entropy: 0,
    q_entropy: 0,
    source: { who: 'draft', rank: 0, span: null, counts: null, words: '' },
    view: viewOf([bar(guess, p, 1), ...(verdict === 'rejected' ? [bar(own, 1, 0)] : [])], p, whole),
  };
}

function ownOf(own, node, verdicts, whole) {
  const view = node === null ? viewOf([bar(own, 1, 0)], 0, whole) : verdicts[node].view;
  const emission = node === null ? 'bonus' : 'resampled';
  return { ...own, emission, p: 1, u: null, low: 0, high: 1, view, zero_residual: false, node };
}

function infoOf(engine, model, drafted, whole) {
  return {
    config: {
      prompt: '…',
      drafter: 'draft',
      gamma: Math.max(...drafted),
      temperature: 0,
      top_k: 0,
      top_p: 1,
      max_new_tokens: whole,
      seed: 0,
      rule: 'rejection',
      params: {},
      pair: engine,
      chat: false,
      gamma_rule: 'fixed',
      gamma_params: {},
      costs: null,
      device: 'auto',
      dtype: 'auto',
      counts: '',
    },
    rule: 'rejection',
    traits: { rolls: 'dice', plain_text: false, lossless: true, law: 'row', shape: 'chain' },
    controller: 'none',
    target: isText(model) ? model : engine,
    draft: '',
    target_forward: { name: engine, reason: '', error: null, threads: 1 },
    draft_caches: [],
    vocab_size: whole + 2,
    context: 1e9,
    eos: [],
    target_slot_bytes: 1,
    device: '',
    dtype: '',
    versions: {},
    recorded: '',
    shown: { tested: 5, untested: 2, bars: 12, own: 2 },
    missing: ['cache', 'draws', 'numbers', 'rows', 'times'],
  };
}

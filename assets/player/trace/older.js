/**
 * older.js: turns a trace of schema 6 into one of schema 7, as specviz/trace/older.py does. Pure.
 * Nobody vouches for the file: a missing field stays undefined, and file.js refuses it by name.
 */

export const OLDER = 6;
const COUNTED = /^(\d+) tokens? of context, seen ([\d,]+) times(?:, ([\d,]+) in this text)?$/;

/** The same run in the fields of schema 7, of whatever was parsed. */
export function upgrade(data) {
  const { info, rounds, race } = data;
  return {
    ...data,
    schema: OLDER + 1,
    info: infoOf(info),
    rounds: each(rounds, (round) => roundOf(round, info?.config?.drafter)),
    race: race && { ...race, rounds: each(race.rounds, timed) },
  };
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const each = (list, make) =>
  Array.isArray(list) ? list.map((item) => (isObject(item) ? make(item) : item)) : list;

/** There were two rules, and chains drawn from rows. */
function infoOf(info) {
  if (!isObject(info)) return info;
  const { lossless, draft_forward: forward, draft_slot_bytes: size, ...rest } = info;
  const shared = info.rule === 'coupled';
  return {
    ...rest,
    traits: {
      rolls: shared ? 'shared noise' : 'dice',
      plain_text: shared || info.config?.temperature === 0,
      lossless,
      law: 'row',
      shape: 'chain',
    },
    draft_caches: forward ? [{ name: info.config?.drafter, slot_bytes: size, forward }] : [],
  };
}

function roundOf({ draft_cache: cache, ...round }, drafter) {
  const { extra, path, verdicts } = round;
  const end = path?.at?.(-1) ?? -1;
  const refused =
    Array.isArray(verdicts) && extra?.emission === 'resampled'
      ? verdicts.findLast((verdict) => verdict?.parent === end && verdict.verdict === 'rejected')
      : null;
  return {
    ...round,
    verdicts: each(verdicts, (verdict) => verdictOf(verdict, drafter)),
    extra: isObject(extra) ? { ...extra, node: refused?.node ?? null } : extra,
    timing: isObject(round.timing) ? timed(round.timing) : round.timing,
    draft_caches: cache ? [cache] : [],
  };
}

function timed(timing) {
  return {
    ...timing,
    draft: Array.isArray(timing.draft) ? timing.draft.map((ms) => ({ nodes: 1, ms })) : timing.draft,
  };
}

/**
 * Where a guess stands on q's ruler is an estimate: behind every heavier bar, as wide as q, around the
 * number that drew it.
 */
function verdictOf({ evidence, ...verdict }, drafter) {
  const { q, token, draft_u: drawn, view } = verdict;
  const heavier = (bar) => bar?.q > q || (bar?.q === q && bar.token < token);
  let low = (Array.isArray(view?.bars) ? view.bars : []).filter(heavier).reduce((sum, bar) => sum + bar.q, 0);
  if (drawn !== null) low = Math.min(Math.max(low, drawn - q), drawn);
  low = Math.max(0, Math.min(low, 1 - q));
  const counted = COUNTED.exec(evidence);
  const [context, seen, own] = (counted ?? [])
    .slice(1)
    .map((found) => Number((found ?? '0').replaceAll(',', '')));
  return {
    ...verdict,
    law: 'row',
    low,
    high: Math.min(1, low + q),
    weight: null,
    mass: null,
    source: { who: drafter, rank: 0, span: null, counts: counted && { context, seen, own }, words: evidence },
  };
}

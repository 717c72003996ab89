/**
 * wire.js: a round's or a race's message, arrays as specviz/ui/runs/wire.py packs them, back into the
 * trace's field names. Pure. A text travels once a run, with the first mention of its token: `texts` maps
 * ids to text and grows with every message, and a message lists the new texts in the order in which its
 * tokens are first read here.
 */

const VERDICTS = { a: 'accepted', r: 'rejected', u: 'untested' };
const EMISSIONS = { r: 'resampled', b: 'bonus' };

/** The round in a message { round, texts }; `texts`, a Map, learns the new ones. */
export function unpack({ round, texts: fresh }, texts) {
  let next = 0;
  const textOf = (token) => {
    if (!texts.has(token)) {
      texts.set(token, fresh[next]);
      next += 1;
    }
    return texts.get(token);
  };
  const [
    index,
    position,
    [nodes, depth, reason, signal],
    packed,
    path,
    own,
    timing,
    target,
    draft,
    calls,
    glances,
    halt,
    scouts,
    learning,
    imagined,
  ] = round;
  const verdicts = [];
  for (const [node, each] of packed.entries())
    verdicts.push(verdictOf(each, node, verdicts.at(-1)?.source, textOf));
  return {
    index,
    position,
    budget: { nodes, depth, reason, signal },
    verdicts,
    path,
    extra: own && extraOf(own, verdicts, textOf),
    timing: timingOf(timing),
    target_cache: spanOf(target),
    draft_caches: draft.map(spanOf),
    calls: { target: calls[0], draft: calls[1] },
    glances: glancesOf(glances),
    halt: halt && { reason: halt[0], signal: halt[1] },
    ...(scouts && { scouts: pairs(scouts, (token, depth) => ({ token, text: textOf(token), depth })) }),
    ...(imagined && {
      imagined: imagined.map(([node, likeness, own, true_]) => ({ node, likeness, own, true: true_ })),
    }),
    ...(learning && { learning: { updates: learning[0], used: learning[1] === 1 } }),
  };
}

/**
 * The race in a message { race, texts, where }, with where and how it was timed. `texts` learns nothing
 * from it.
 */
export function unpackRace({ race: [rounds, passes, tokens, laps, plain], texts: fresh, where }, texts) {
  const learnt = new Map(
    [...new Set(tokens)].filter((token) => !texts.has(token)).map((token, index) => [token, fresh[index]]),
  );
  const [device, dtype, threads, forward, reason, recorded] = where;
  return {
    rounds: rounds.map(timingOf),
    passes,
    tokens,
    texts: tokens.map((token) => texts.get(token) ?? learnt.get(token)),
    laps,
    plain_laps: plain,
    where: { device, dtype, threads, forward, reason, recorded },
  };
}

function timingOf([flat, verify, accept, trim, overhead]) {
  return { draft: pairs(flat, (nodes, ms) => ({ nodes, ms })), verify, accept, trim, overhead };
}

function verdictOf(
  [
    parent,
    depth,
    token,
    letter,
    p,
    q,
    drafting,
    u,
    entropy,
    low,
    source,
    view,
    keep = null,
    point = 0,
    weight = null,
    mass = null,
    decisive = 0,
  ],
  node,
  before,
  textOf,
) {
  return {
    node,
    parent,
    depth,
    token,
    text: textOf(token),
    verdict: VERDICTS[letter],
    law: point ? 'point' : 'row',
    p,
    q,
    draft_u: drafting,
    low,
    high: Math.min(1, low + q),
    accept_prob: letter === 'u' ? null : (keep ?? Math.min(1, p / q)),
    u,
    weight,
    mass,
    q_entropy: entropy,
    source: source === 0 ? before : sourceOf(source, before, textOf),
    view: viewOf(view, textOf),
    ...(decisive && { entropy: decisive }),
  };
}

function sourceOf([who = 0, rank = 0, span = 0, counts = 0, said = '', inner = null], before, textOf) {
  return {
    who: who === 0 ? (before?.who ?? '') : who,
    rank,
    span: span === 0 ? null : span,
    counts: counts === 0 ? null : { context: counts[0], seen: counts[1], own: counts[2] },
    words: said,
    ...(inner && { inner: { who: inner[0], token: inner[1], text: textOf(inner[1]) } }),
  };
}

function extraOf([token, letter, p, u, low, high, equal, node, view], verdicts, textOf) {
  return {
    token,
    text: textOf(token),
    emission: EMISSIONS[letter],
    p,
    u,
    low,
    high,
    zero_residual: equal === 1,
    node,
    view: view === 0 ? verdicts[node].view : viewOf(view, textOf),
  };
}

function glancesOf(flat) {
  return pairs(flat, (entropy, q) => ({ entropy, q }));
}

function pairs(flat, make) {
  return Array.from({ length: flat.length / 2 }, (_, at) => make(flat[2 * at], flat[2 * at + 1]));
}

/** rough lists, as place and value, the residuals that p - q of six digits would get wrong. */
function viewOf([flat, [count, p, q, overlap, residual], whole, rough = []], textOf) {
  const bars = [];
  for (let at = 0; at < flat.length; at += 3) {
    const [token, high, low] = flat.slice(at, at + 3);
    bars.push({ token, text: textOf(token), p: high, q: low, residual: Math.max(0, high - low) });
  }
  for (let at = 0; at < rough.length; at += 2) bars[rough[at]].residual = rough[at + 1];
  return { bars, rest: { count, p, q, overlap, residual }, overlap: whole };
}

function spanOf([before, written, kept]) {
  return { before, written, kept };
}

/**
 * words-stage.js: what the lane, the ruler, the sum, the mask and the caches say. Pure: tokens come as
 * plain text.
 */

import { plural } from '../base/format.js';

export const beats = {
  guess: 'guess',
  check: 'check',
  verdict: 'verdict',
  replace: 'replace',
  bonus: 'bonus',
  rollback: 'roll back',
};

export const lane = {
  notYet: 'not yet',
  empty: (position) => `Position ${position}: not yet guessed`,
  bonusWaits: '★ bonus',
  ownOnly: 'the target’s own token',
  notReached: 'not reached',
  ended: 'the text ended',
  bonusPlace: (note) =>
    note === '★ bonus' ? 'Place of the ★ bonus if all are accepted' : `Place of the bonus token: ${note}`,
  ends: { accepted: 'guess accepted', rejected: '', untested: '', resampled: '', bonus: 'bonus' },
  guess: (position, text, state, chance, u, inner) =>
    `Position ${position}: ${text}, ${state}${chance ? `, chance to accept ${chance}` : ''}${u ? `, u ${u}` : ''}${inner ? `, ${inner}` : ''}`,
  values: (p, q) => (p === null ? ` q ${q}` : ` p ${p} q ${q}`),
  branch: (text, who, level, order, siblings, state, chance, u) =>
    `${text}${who && ` of ${who}`}, level ${level}, sibling ${order} of ${siblings}, ${state}${chance ? `, chance to accept ${chance}` : ''}${u ? `, u ${u}` : ''}`,
  part: (bytes, letter) => `${bytes}, ${letter === null ? 'part of a character' : `part of ${letter}`}`,
  own: (position, text, state) => `Position ${position}: ${text}, ${state}, the target’s own token`,
};

export const inner = {
  kept: (who) => [`${who} guessed it`, `The ${who} had guessed it for the draft model, which accepted it.`],
  refused: (who, text) => [
    `instead of “${text}” by ${who}`,
    `The ${who} had guessed “${text}”; the draft model rejected that and put this in its place.`,
  ],
};

export const others = (many) => `${many} other tokens`;

export const mask = {
  title: 'Attention mask',
  source: 'one pass, every branch apart',
  columns: ['', 'pos.', 'text', 'guesses'],
  kinds: { mask: 'Mask', table: 'Table', code: 'Code' },
  kindsLabel: 'What this pane shows',
  toggle: 'Mask or table (T)',
  label: 'Rows of the mask',
  table: 'What each guess sees in the target’s pass',
  heads: ['guess', 'position', 'slot', 'sees'],
  rows: (rows) => `One pass, ${rows} rows: each sees the text and its own branch.`,
  seen: (before) =>
    `the text${before.map((each) => `, “${each}”`).join('')}${before.length ? ',' : ''} and itself`,
  sees: (text, before, place, slot) =>
    `“${text}” sees ${mask.seen(before)}. Position ${place}, slot ${slot}.`,
};

export const trial = { leaf: ': no guesses here' };

export const figure = {
  nowThat: (texts) =>
    `, now that ${texts
      .slice(0, 2)
      .map((text) => `“${text}”`)
      .join(
        ', ',
      )}${texts.length > 2 ? ` and ${texts.length - 2} more` : ''} ${texts.length === 1 ? 'is' : 'are'} rejected`,
  outright: (text) => `: “${text}” is offered outright, q = 1`,
};

export const ruler = {
  draft: 'Random number between 0 and 1 → the draft model’s guess',
  chosen: (reason) => `Chosen, not drawn: ${reason || 'q is 1 on this token'}`,
  overlap: 'How far p and q overlap: the chance to accept a guess here',
  accept: (mark) => `Random number between 0 and 1: below ${mark} → accept`,
  always: 'p is at least q: accept, whatever number falls',
  left: 'What is left of p, stretched to fill the ruler',
  adjusted: (text) => `p′: what is left of p, stretched. “${text}” is tested against it next`,
  sibling: 'Tested only if the guess before it in the same place is rejected',
  plain: 'Target p: the next token is drawn from here',
  residual: (u, token) => `What is left of p, stretched: ${u} falls on “${token}”`,
  equal: (u, token) => `p and q are equal, so p itself: ${u} falls on “${token}”`,
  bonus: (u, token) => `Target p after the last guess: ${u} falls on “${token}”`,
  step: (u, token) => `Target p: ${u} falls on “${token}”`,
  untested: 'This probability assumed a token that was rejected',
  passed: 'Not needed: another guess was accepted in its place',
  waits: 'Used only if every guess is accepted',
  notReached: 'Not needed: a guess before it was rejected',
  ended: 'The text ended before this position',
  yes: 'accept',
  no: 'reject',
  accepts: (share) => `accept ${share}`,
  rejects: (share) => `reject ${share}`,
  threshold: (text, mark) => `Target’s p of “${text}”: above ${mark} → accept. No random number`,
  all: (u, token) => `All of target p, as the rule is lossy: ${u} falls on “${token}”`,
  call: (text, share, rare) =>
    `“${text.replace(/^·+(?=.)/u, '')}” ${share}${rare ? ` · about 1 in ${rare}, drawn wider than it is` : ''}`,
};

export const sum = {
  guess: (text) => `Draft model’s chance of “${text}”`,
  chosen: (text) => `“${text}” is chosen, not drawn`,
  steps: 'drawn in several steps, not by one number',
  weight: (text) => `Weight up to “${text}”`,
  block: (text) => `Chance to accept all up to “${text}”`,
  rescued: { text: '✓ accepted by a later number', state: 'accepted' },
  likeliest: 'Draft model’s first choice',
  noise: 'Drawn with this position’s noise g',
  number: 'Random number',
  chance: (text) => `Chance to accept “${text}”`,
  greedy: () => 'Do both first choices agree?',
  coupled: () => 'Do both pick the same token?',
  entropy: 'How unsure: entropy of p',
  threshold: 'Less sure, less is asked',
  passedBy: { text: '✕ passes, another branch wins', state: 'rejected' },
  left: 'Left of the target',
  stretch: 'Stretched to fill the ruler',
  share: (text) => `Chance of “${text}”, stretched`,
  target: (text) => `Target’s chance of “${text}”`,
  first: 'Target’s first choice',
  pick: 'Target’s pick, same noise',
  total: (tokens) => `This round: ${plural(tokens, 'token')}, 1 pass`,
  verdict: (won) => (won ? { text: '✓ accept', state: 'accepted' } : { text: '✕ reject', state: 'rejected' }),
  own: (emission) =>
    emission === 'bonus'
      ? { text: '★ bonus', state: 'bonus', late: true }
      : { text: '↻ replacement', state: 'resampled', late: true },
  adjusted: (text) => `What is left for “${text}”`,
  grows: 'Everything left grows',
  sibling: 'Tested only if the guess before it in the same place is rejected.',
  passed: 'Not needed: another guess was accepted in its place.',
  untested: 'Not needed: a guess before it was rejected.',
  notReached: 'Not reached: a guess was rejected.',
  ended: 'The text ended before this position.',
  waits: 'Used only if every guess is accepted.',
  plain: 'No guesses: the target picks this token.',
};

export const cache = {
  target: 'Target',
  draft: 'Draft model',
  cells: (model) => `Entries of the ${model.toLowerCase()} cache`,
  none: (reason) => `no cache: ${reason || 'it looks counts up'}`,
  length: (entries) => plural(entries, 'entry', 'entries'),
  trimmed: (from, to) =>
    from === to
      ? `${plural(to, 'entry', 'entries')}, all kept`
      : `${from} → ${plural(to, 'entry', 'entries')} (−${from - to})`,
  owes: (to, owed) => `${plural(to, 'entry', 'entries')}, ${owed} behind`,
  gather: (from, first, last) => `gather: ${from} → ${first === last ? first : `${first} to ${last}`}`,
  more: (size, peak, wasted) => `${size} · max ${peak} · ${wasted} discarded so far`,
  gap: (entries) => `… ${entries} …`,
  cell: {
    committed: 'kept',
    speculative: 'still a guess',
    kept: 'kept, to be copied to where the text goes on',
    'rolled-back': 'discarded',
    owed: 'behind: the draft model has not read it yet',
  },
  title: (position, token, state) => `${position}: ${token}, ${state}`,
};

export const memory = {
  says: (rows, all) => `${rows} of ${all} tokens remembered`,
  learned: {
    text: (rows) => `${rows} from the text`,
    rejected: (rows) => `${rows} from guesses not accepted`,
  },
};

export const algorithm = {
  title: 'Algorithm 1',
  titles: {
    greedy: 'At temperature 0',
    coupled: 'Shared noise',
    typical: 'Typical acceptance (lossy)',
    block: 'Block verification',
    tree: 'The walk down the tree',
    traversal: 'Traversal verification',
  },
  source: 'Leviathan et al. 2023',
  sources: {
    greedy: 'argmax on both sides',
    coupled: 'Daliri et al. 2024',
    typical: 'Cai et al. 2024',
    block: 'Sun et al. 2024',
    tree: 'Miao et al. 2023',
    traversal: 'Weng et al. 2025',
  },
  block: [
    'x_{i} ∼ q_{i}(x), one after another',
    'p_{1}(x), …, p_{γ+1}(x) from one pass',
    'ρ_{0} = 1;  ρ_{i} ← min(1, ρ_{i−1} · p_{i}/q_{i})',
    'h_{i} ← Z_{i} / (Z_{i} + 1 − ρ_{i}), Z_{i} = Σ (ρ_{i} p_{i+1} − q_{i+1})⁺;  h_{γ} ← ρ_{γ}',
    'r_{i} ∼ U(0, 1);  n ← max{i : r_{i} < h_{i}}, 0 if none',
    'p′(x) ← norm(max(0, ρ_{n} p_{n+1}(x) − q_{n+1}(x)))',
    't ∼ p′(x), from p_{γ+1} if n = γ',
  ],
  tree: [
    'x ∼ q_{v} for each node v, level by level',
    'p_{v}(x) for every node v from one masked pass',
    'v ← root;  p ← p_{v}',
    'for each child x of v, as they were drawn:',
    'r ∼ U(0, 1);  accept x if r < p(x)/q(x): v ← x, p ← p_{v}',
    'else p ← norm(max(0, p − q))',
    'no child accepted, or none there: t ∼ p',
    'gather the slots of the branch, drop the others',
  ],
  traversal: [
    'ρ_{root} ← 1;  ρ_{x} ← min(1, ρ_{v} p_{v}(x)/q_{v}(x))',
    'leaf by leaf: r ∼ U(0, 1);  accept its branch if r < ρ_{x}',
    'else take x off; R ← Σ (ρ_{v} p_{v} − q_{v})⁺, ρ_{v} ← R / (R + 1 − ρ_{v})',
    'p_{v} ← norm(max(0, ρ_{v} p_{v} − q_{v}))',
    't ∼ p_{v}, behind the branch that stands',
    'gather the slots of the branch, drop the others',
  ],
  copies: (slots, gone) => `slots ${slots.join(', ') || 'none'} stay, ${gone} go`,
  sample: '▷ Sample γ guesses x_{1}, …, x_{γ} from M_{q} autoregressively.',
  parallel: '▷ Run M_{p} in parallel.',
  count: '▷ Determine the number of accepted guesses n.',
  adjust: '▷ Adjust the distribution from M_{p} if needed.',
  last: '▷ Return one token from M_{p}, and n tokens from M_{q}.',
  none: 'γ is 0: no guesses',
  rows: (rows) => `${plural(rows, 'row')} of p from one pass`,
  all: 'no guess rejected',
  yes: 'yes',
  no: 'no',
  ended: 'the text ended among the guesses',
  greedy: ['x_{i} = argmax q_{i}', 'y_{i} = argmax p_{i}', 'accept while x_{i} = y_{i}, then add y_{n+1}'],
  coupled: [
    'g ∼ Gumbel, one for each position',
    'x_{i} = argmax(log q_{i} + g_{i}),  y_{i} = argmax(log p_{i} + g_{i})',
    'accept while x_{i} = y_{i}, then add y_{n+1}',
  ],
  typical: [
    'x ∼ q_{v} for each node v',
    'p_{v}(x) for every node v from one pass',
    'τ_{v} ← min(ε, δ · exp(−H(p_{v})))',
    'x passes if p_{v}(x) > τ_{v} and all before it pass',
    'accept the longest branch that passes, of several the likeliest',
    't ∼ p_{v}, behind that branch: not from p − q, so p is lost',
  ],
  above: (text, p, mark, passes) => [`${text}: p = ${p} ${passes ? '>' : '≤'} ${mark} = τ`],
  accepts: (many) => `n = ${many}`,
};

export const clock = {
  title: 'Clock',
  guesses: (many) => plural(many, 'guess', 'guesses'),
  pass: 'one pass',
  rest: 'the rest',
  taught: 'learn, rest',
  without: 'without',
  total: (round, ms, tokens) => `round ${round}: ${ms} ms for ${plural(tokens, 'token')}`,
};

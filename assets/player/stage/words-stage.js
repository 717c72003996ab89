/**
 * words-stage.js: what the lane, the ruler, the sum, the caches and the cards say. Pure: tokens come as plain text.
 */

const plural = (many, one, more = `${one}s`) => (many === 1 ? `1 ${one}` : `${many} ${more}`);

export const beats = { guess: 'guess', check: 'check', verdict: 'verdict', replace: 'replace', bonus: 'bonus', rollback: 'roll back' };

export const lane = {
  notYet: 'not yet',
  empty: (position) => `Position ${position}: not yet guessed`,
  bonusWaits: '★ bonus',
  ownOnly: 'the target’s own token',
  notReached: 'not reached',
  ended: 'the text ended',
  bonusPlace: (note) => (note === '★ bonus' ? 'Place of the ★ bonus if all are accepted' : `Place of the bonus token: ${note}`),
  ends: { accepted: 'guess accepted', rejected: '', untested: '', resampled: '', bonus: 'bonus' },
  guess: (position, text, state, chance, u) => `Position ${position}: ${text}, ${state}${chance ? `, chance to accept ${chance}` : ''}${u ? `, u ${u}` : ''}`,
  values: (p, q) => (p === null ? ` q ${q}` : ` p ${p} q ${q}`),
  branch: (text, who, level, order, siblings, state, chance, u) => `${text}${who && ` of ${who}`}, level ${level}, sibling ${order} of ${siblings}, ${state}${chance ? `, chance to accept ${chance}` : ''}${u ? `, u ${u}` : ''}`,
  part: (bytes, letter) => `${bytes}, ${letter === null ? 'part of a character' : `part of ${letter}`}`,
  own: (position, text, state) => `Position ${position}: ${text}, ${state}, the target’s own token`,
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
  seen: (before) => `the text${before.map((each) => `, “${each}”`).join('')}${before.length ? ',' : ''} and itself`,
  sees: (text, before, place, slot) => `“${text}” sees ${mask.seen(before)}. Position ${place}, slot ${slot}.`,
};

export const trial = { leaf: ': no guesses here' };

export const figure = {
  nowThat: (texts) => `, now that ${texts.slice(0, 2).map((text) => `“${text}”`).join(', ')}${texts.length > 2 ? ` and ${texts.length - 2} more` : ''} ${texts.length === 1 ? 'is' : 'are'} rejected`,
  outright: (text) => `: “${text}” is offered outright, q = 1`,
};

export const ruler = {
  draft: 'Random number between 0 and 1 → the draft model’s guess',
  chosen: 'Chosen, not drawn: q is 1 on this token',
  overlap: 'How far p and q overlap: the chance to accept a guess here',
  accept: (mark) => `Random number between 0 and 1: below ${mark} → accept`,
  always: 'p is at least q: accept, whatever number falls',
  left: 'What is left of p, rescaled to fill the ruler',
  adjusted: (text) => `p′: what is left of p, rescaled. “${text}” is tested against it next`,
  sibling: 'Tested only if the guess before it in the same place is rejected',
  plain: 'Target p: the next token is drawn from here',
  residual: (u, token) => `What is left of p, rescaled: ${u} falls on “${token}”`,
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
  call: (text, share, rare) => `“${text.replace(/^·+(?=.)/u, '')}” ${share}${rare ? ` · about 1 in ${rare}, drawn wider than it is` : ''}`,
};

export const sum = {
  guess: (text) => `Draft model’s chance of “${text}”`,
  chosen: (text) => `“${text}” is chosen, not drawn`,
  weight: (text) => `Weight up to “${text}”`,
  block: (text) => `Chance to keep all up to “${text}”`,
  rescued: { text: '✓ kept by a later number', state: 'accepted' },
  likeliest: 'Draft model’s first choice',
  noise: 'Drawn with this position’s noise g',
  number: 'Random number',
  chance: (text) => `Chance to keep “${text}”`,
  greedy: () => 'Do both first choices agree?',
  coupled: () => 'Do both pick the same token?',
  left: 'Left of the target',
  stretch: 'stretched to fill the ruler',
  share: (text) => `Chance of “${text}” once stretched`,
  target: (text) => `Target’s chance of “${text}”`,
  first: 'Target’s first choice',
  pick: 'Target’s pick, same noise',
  total: (tokens) => `This round: ${plural(tokens, 'token')}, 1 pass`,
  verdict: (won) => (won ? { text: '✓ accept', state: 'accepted' } : { text: '✕ reject', state: 'rejected' }),
  own: (emission) => (emission === 'bonus' ? { text: '★ bonus', state: 'bonus', late: true } : { text: '↻ replacement', state: 'resampled', late: true }),
  adjusted: (text) => `What is left for “${text}”`,
  grows: 'everything left grows',
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
  cells: (model) => `Entries of the ${model} cache`,
  none: (evidence) => `no cache: ${evidence || 'it looks counts up'}`,
  length: (entries) => plural(entries, 'entry', 'entries'),
  trimmed: (from, to) => (from === to ? `${plural(to, 'entry', 'entries')}, all kept` : `${from} → ${plural(to, 'entry', 'entries')} (−${from - to})`),
  owes: (to, owed) => `${plural(to, 'entry', 'entries')}, ${owed} behind`,
  gather: (from, first, last) => `gather: ${from} → ${first === last ? first : `${first} to ${last}`}`,
  more: (size, peak, wasted) => `${size} · max ${peak} · ${wasted} discarded so far`,
  gap: (entries) => `… ${entries} …`,
  cell: { committed: 'kept', speculative: 'still a guess', kept: 'kept, to be copied to where the text goes on', 'rolled-back': 'discarded', owed: 'behind: the draft model has not read it yet' },
  title: (position, token, state) => `${position}: ${token}, ${state}`,
};

export const algorithm = {
  title: 'Algorithm 1',
  titles: { greedy: 'At temperature 0', coupled: 'Shared noise', block: 'Block verification', tree: 'The walk down the tree', traversal: 'Traversal verification' },
  source: 'Leviathan et al. 2023',
  sources: { greedy: 'argmax on both sides', coupled: 'Daliri et al. 2024', block: 'Sun et al. 2024', tree: 'Miao et al. 2023', traversal: 'Weng et al. 2025' },
  block: [
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
  coupled: ['g ∼ Gumbel, one for each position', 'x_{i} = argmax(log q_{i} + g_{i}),  y_{i} = argmax(log p_{i} + g_{i})', 'accept while x_{i} = y_{i}, then add y_{n+1}'],
  accepts: (many) => `n = ${many}`,
};

export const clock = {
  title: 'Clock',
  guesses: (many) => plural(many, 'guess', 'guesses'),
  pass: 'one pass',
  rest: 'the rest',
  without: 'without',
  total: (round, ms, tokens) => `round ${round}: ${ms} ms for ${plural(tokens, 'token')}`,
};

export const why = {
  title: (token, word) => (token === null ? 'Nothing here yet' : `Why ${word}: ${token}`),
  prompt: 'Part of the prompt: nobody guessed it.',
  empty: 'No guess here yet.',
  chosen: (evidence) => `A guess that was chosen, not drawn${evidence ? `: ${evidence}` : ''}. The target has not judged it yet.`,
  weighed: { accepted: 'The guesses of a block are weighed together; its number fell below the chance that all up to here stand.', rescued: 'Its own number was too high, but a later guess passed, and with it all before it.', rejected: 'The guesses of a block are weighed together; no number from here on fell below its mark.', branch: 'The tree is weighed as a whole; a guess further down this branch passed, and with it all before it.', leaf: 'The first branch whose number fell below its weight: all guesses on it are accepted.', fell: 'The number was not below the weight of its branch, so it is taken off the tree; the branches left are weighed anew.' },
  tried: {
    accepted: (before, sure) => (sure ? `What the ${plural(before, 'refused sibling')} left of p is at least q here, so it is always accepted.` : `Tested against what the ${plural(before, 'refused sibling')} left of p; its random number was below p′/q.`),
    rejected: (before) => `Tested against what the ${plural(before, 'refused sibling')} left of p; the random number was too high. This does not mean “wrong”.`,
  },
  sibling: (token) => `Never tested: “${token}” was accepted in its place.`,
  draft: (evidence) => `A guess, drawn from the draft model’s own distribution q${evidence ? ` (${evidence})` : ''}. The target has not judged it yet.`,
  wanted: (q, p) => `The draft model said q = ${q}, the target says p = ${p}. The target wants it at least as much, so it is always accepted.`,
  eager: (percent, u) => `The draft model picks it more often than the target would. Such a guess is accepted ${percent} times in 100, and the random number ${u} was one of them.`,
  rejected: (token, percent) => `The random number was too high. This does not mean “wrong”: ${percent} % of such guesses must be rejected, because the draft model picks “${token}” more often than the target would.`,
  untested: (before) => `It was guessed after “${before}”, which is gone. This probability assumed a token that was rejected.`,
  afterEnd: 'The text ended before it, so nobody tested it.',
  resampled: (token, mass, u, share) => `Picked only among tokens the draft model under-predicted (${mass} of p). The random number ${u} fell on “${token}”, which is ${share} of them.`,
  equal: 'p and q were equal to the last digit, so nothing was left over and the token was drawn from p.',
  bonus: (kept, whole = true) => (kept ? `${!whole ? 'A whole branch was' : kept === 1 ? 'The guess was' : `All ${kept} guesses were`} accepted, and the same pass had already scored the next position. It costs nothing extra.` : 'Nothing was guessed, so this is one step of plain decoding.'),
  ownWaits: 'The position after the last guess. It is used only if every guess is accepted.',
  lines: {
    draft: (q, u) => `q = ${q}, drawn at u = ${u}`,
    chosen: 'q = 1: chosen, not drawn',
    block: (keep, u, below) => `h = ${keep}; u = ${u} ${below ? '<' : '≥'} ${keep}`,
    untested: (p, q) => `p = ${p}, q = ${q}, never compared`,
    weight: (weight) => `ρ = ${weight}; no number of its own`,
    tested: (p, q, keep, u, kept, name = 'p') => `min(1, ${name}/q) = min(1, ${p}/${q}) = ${keep}; u = ${u} ${kept ? '<' : '≥'} ${keep}`,
    residual: (over, mass, share, u) => `max(0, p−q) / (1−β) = ${over}/${mass} = ${share}; u = ${u}`,
    bonus: (p, u) => `p = ${p}; u = ${u}`,
  },
  sources: {
    block: 'n = max{i : uᵢ < hᵢ} · Sun et al. 2024, arXiv:2403.10444',
    draft: 'x ∼ q(x) · Leviathan et al. 2023, Algorithm 1',
    tested: 'accept with probability min(1, p(x)/q(x)) · Leviathan et al. 2023, section 2.3',
    sibling: 'p′ = norm(max(0, p − q)) after each refusal · Miao et al. 2023, arXiv:2305.09781',
    traversal: 'accept a leaf’s branch with probability ρ · Weng et al. 2025, arXiv:2505.12398',
    untested: 'everything after the first rejection is dropped · Leviathan et al. 2023, Algorithm 1',
    residual: 'p′ = norm(max(0, p − q)) · Leviathan et al. 2023, section 2.3',
    bonus: 't ∼ p(γ+1) · Leviathan et al. 2023, Algorithm 1',
  },
};

/** Why-cards where no random number is drawn. */
export const noDice = {
  greedy: {
    lines: { guess: 'argmax q', test: (same) => `argmax p ${same ? '=' : '≠'} argmax q`, own: 'argmax p' },
    why: {
      draft: 'Temperature 0: the draft model takes its first choice. The target has not judged it yet.',
      accepted: 'Temperature 0: the draft model’s first choice is the target’s first choice, so it is accepted.',
      rejected: 'Temperature 0: the target’s first choice is another token, so this one is rejected.',
      resampled: 'Temperature 0: the target’s own first choice takes the place of the rejected guess.',
      bonus: 'Temperature 0: every guess was the target’s first choice, and the same pass gives its next one.',
    },
    source: 'temperature 0 puts all probability on one token · Leviathan et al. 2023, section 2.2',
  },
  coupled: {
    lines: {
      guess: 'argmax(log q + g)',
      test: (same, keep) => `argmax(log p + g) ${same ? '=' : '≠'} argmax(log q + g); such a guess is accepted with chance ${keep}`,
      own: 'argmax(log p + g)',
    },
    why: {
      draft: 'The draft model’s pick under this position’s noise. The target, under the same noise, has not judged it yet.',
      accepted: 'With this position’s noise the target picks the same token, so it is accepted.',
      rejected: 'With this position’s noise the target picks another token, so this one is rejected.',
      resampled: 'The target’s pick under this position’s noise. Plain decoding with this seed writes it too.',
      bonus: 'Every guess matched, and the target’s next pick, under the next position’s noise, is there already.',
    },
    source: 'Gumbel coupling · Daliri, Musco and Suresh 2024, arXiv:2408.07978',
  },
};

/**
 * words.js: every sentence the player shows, in one table. Pure: text in, text out.
 * Token arguments arrive already made visible by format.js.
 */

export const STATES = {
  prompt: 'prompt', draft: 'draft', accepted: 'accepted', rejected: 'rejected',
  resampled: 'resampled', bonus: 'bonus', untested: 'never tested',
};

export const KINDS = {
  draft: 'draft', verify: 'verify', dart: 'dart', verdict: 'verdict', residual: 'resample', bonus: 'bonus', trim: 'trim',
};

const STOPS = {
  length: 'the length asked for is reached',
  eos: 'the text ended itself',
  context: 'the context is full',
  stopped: 'the run was stopped',
};

const plural = (many, one) => (many === 1 ? `1 ${one}` : `${many} ${one}s`);
const guesses = (many, which = '') => (many === 1 ? `1 ${which}guess` : `${many} ${which}guesses`);

export const words = {
  region: 'Speculative decoding replay',
  output: 'Output so far',
  slots: 'Slots of this round',
  figure: 'p against q',
  caches: 'KV caches',
  toolbar: 'Playback',
  empty: 'No recorded run here yet. Press Run to make one.',
  loading: 'opening the recording',
  lost: 'This run is no longer kept on the server. Press Run for a new one.',
  toSettings: 'Settings',

  recorded: (when) => `recorded ${when.slice(0, 10)} · press Run for a live one`,
  asked: 'waiting for a turn',
  live: 'live',
  done: 'live run, finished',
  ahead: (rounds) => `${plural(rounds, 'round')} ahead`,
  refused: (reason) => `Not run: ${reason}.`,
  run: ({ drafter, target, temperature, seed }) =>
    `${drafter} → ${target} · ${temperature === 0 ? 'greedy' : `T ${temperature}`} · seed ${seed}`,
  round: (round, rounds, gamma) => `Round ${round} of ${rounds} · γ ${gamma}`,
  rate: (rate, kept, tested) => `α̂ ${rate} (${kept} of ${tested} tested)`,
  at: (round, rounds, kind, slot, slots) =>
    `Round ${round} of ${rounds}, ${kind}${slot === null ? '' : ` ${slot} of ${slots}`}`,

  label: (token, state) => `${token}, ${state}`,
  slotEmpty: (slot) => `Slot ${slot}, empty`,
  slot: (slot, label, accept, u) =>
    `Slot ${slot}: ${label}${accept ? `, accept probability ${accept}` : ''}${u ? `, u ${u}` : ''}`,
  ownSlot: 'Slot for the bonus token',
  ownWaits: '★ free if all are kept',
  ownLost: 'not reached',
  waits: 'to come',
  below: (u, accept) => `u ${u} < ${accept}`,
  above: (u, accept) => `u ${u} ≥ ${accept}`,
  kept: (accept) => `kept if u < ${accept}`,
  greedyTest: (same) => (same ? 'argmax equal' : 'argmax differs'),

  mass: (overlap, residual) => `overlap β ${overlap} · 1−β ${residual}`,
  columns: ['token', '', 'p', 'q', 'residual'],
  others: (many) => `+${many} others`,
  legend: { overlap: 'min(p, q)', p: 'p − q', q: 'q − p' },
  noFigure: 'Nothing to compare here until the target has answered.',

  equation: {
    draft: (q, u) => [`q(x) = ${q}, drawn at u = ${u}`, ''],
    accept: (p, q, accept) => [`min(1, p/q) = min(1, ${p}/${q}) = `, accept],
    thrown: (u) => ['u = ', u],
    dart: (u, kept, accept) => [`u = ${u} ${kept ? '<' : '≥'} ${accept} → `, kept ? 'accept' : 'reject'],
    residual: (over, mass, share) => [`max(0, p−q) / (1−β) = ${over}/${mass} = `, share],
    bonus: (p) => ['drawn from p itself: p(x) = ', p],
    greedy: (same) => ['greedy, no dice: argmax p = argmax q? ', same ? 'yes' : 'no'],
    untested: ['p here belongs to a text that no longer exists', ''],
  },
  ruler: {
    draft: (u, token) => `Draw from q: u ${u} lands on ${token}`,
    accept: (accept) => `The dart is thrown at 0 to 1; below ${accept} it is kept`,
    residual: (mass, u, token) => `Draw from the residual, stretched by 1/${mass}: u ${u} lands on ${token}`,
    equal: (u, token) => `p and q are equal, so draw from p: u ${u} lands on ${token}`,
    bonus: (u, token) => `Draw from p: u ${u} lands on ${token}`,
    waits: 'The second dart is thrown here after a rejection, or when all are kept',
    keep: 'keep',
    refuse: 'refuse',
  },
  cache: {
    target: 'target',
    draft: 'drafter',
    none: 'no cache: it looks counts up',
    length: (slots) => `${slots} slots`,
    trimmed: (from, to) => (from === to ? `${to}, all kept` : `${from} → ${to} (−${from - to})`),
    owes: (to, owed) => `${to}, owes ${owed}`,
    gap: (slots) => `… ${slots} …`,
  },

  caption: {
    draft: (token, q, evidence) => `The drafter guesses “${token}” with q ${q}${evidence ? ` (${evidence})` : ''}.`,
    verify: (gamma) => gamma === 0
      ? 'Nothing was guessed: the target reads one token and gives one row of p.'
      : `One target pass reads ${guesses(gamma)} at once: ${plural(gamma + 1, 'row')} of p.`,
    dart: (token, u, accept) => `Is “${token}” kept? The dart lands at ${u}; it must be below ${accept}.`,
    greedy: (token) => `Is “${token}” what the target would pick too?`,
    accepted: (token) => `“${token}” stays.`,
    rejected: (token, later) =>
      `“${token}” is refused${later ? `; ${guesses(later, 'later ')} ${later === 1 ? 'goes' : 'go'} with it` : ''}. `
      + 'Next, the target draws from what q left over.',
    residual: (token) => `The target puts “${token}” there instead, from where p exceeds q.`,
    bonus: (token) => `Everything was kept, and the same pass gives “${token}” for free.`,
    trim: (from, to, added) => from === to
      ? `The target's cache keeps all ${to} slots. ${plural(added, 'token')} for one target pass.`
      : `The target's cache falls back from ${from} to ${to} slots. ${plural(added, 'token')} for one target pass.`,
    stop: (stop) => `The run ends here: ${STOPS[stop]}.`,
  },

  buttons: {
    roundBack: 'Previous round', back: 'Previous phase', play: 'Play', pause: 'Pause',
    forward: 'Next phase', roundForward: 'Next round', scrub: 'Timeline', pace: 'Pace',
  },
  paces: [['0.5', 'slow'], ['1', 'teach'], ['2.5', 'normal'], ['8', 'fast']],
};

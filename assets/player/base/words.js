/**
 * words.js: every sentence the player shows, in one table. Pure: text in, text out.
 * Token arguments arrive already made visible by format.js.
 */

import { clean } from './format.js';

export const STATES = {
  prompt: 'prompt', draft: 'draft', accepted: 'accepted', rejected: 'rejected',
  resampled: 'resampled', bonus: 'bonus', untested: 'never tested',
};

export const KINDS = {
  rest: 'before the first round', draft: 'guess', verify: 'check', dart: 'random number', verdict: 'verdict', adjust: 'what is left of p', residual: 'what is left of p', replace: 'replacement',
  bonus: 'bonus', gather: 'gather', trim: 'roll back',
};

const STOPS = {
  length: 'the length asked for is reached',
  eos: 'the text ended itself',
  context: 'the context is full',
  stopped: 'the run was stopped; what was recorded is kept',
  deadline: 'the run took as long as a run may; what was recorded is kept',
  failed: 'the run broke off; what was recorded is kept',
};
const ENDS = { length: 'length reached', eos: 'end of text', context: 'context full', stopped: 'stopped', deadline: 'out of time', failed: 'broke off' };

const plural = (many, one) => (many === 1 ? `1 ${one}` : `${many} ${one}s`);
const wait = (seconds) => (seconds < 90 ? `about ${Math.max(1, Math.round(seconds))} s` : `about ${Math.round(seconds / 60)} min`);
const guesses = (many, which = '') => (many === 1 ? `1 ${which}guess` : `${many} ${which}guesses`);

export const words = {
  region: 'Speculative decoding replay',
  about: 'A small drafter guesses ahead, the target checks in one pass; the text has exactly the target’s distribution.',
  output: 'Output so far',
  slots: 'Slots of this round',
  figure: 'p against q',
  caches: 'KV caches',
  lanes: 'The whole run',
  toolbar: 'Playback',
  empty: 'No recorded run here yet. Press Run to make one.',
  loading: 'opening the recording',
  lost: 'This run is no longer kept on the server. Press Run for a new one.',
  retry: 'Try again',
  gone: (round) => `The server does not answer. What you see is complete up to round ${round}.`,
  mend: (value) => `Use ${value} and run`,
  dismiss: 'Close this message',
  goneEmpty: 'The server does not answer.',
  share: {
    label: 'Keep this run',
    download: ['Download trace', 'JSON: every number of this run'],
    open: ['Open a trace', 'A file that was saved before'],
    none: 'There is no run on stage.',
    waiting: 'Getting the trace …',
    failed: 'The server no longer keeps this run, or does not answer.',
    done: (name) => `Saved as ${name}`,
  },

  recorded: () => 'Recorded example',
  who: { draft: 'Draft model', target: 'Target' },
  changed: 'Settings changed; Run uses them',
  asked: 'Waiting for a turn',
  place: (place, size, seconds) =>
    `Waiting: ${place} of ${size} in the queue${seconds ? `, ${wait(seconds)}` : ''}`,
  meanwhile: 'Play this one meanwhile',
  repeated: (when) => `recorded here at ${when.slice(11, 16)} UTC: the same settings make the same run`,
  nothing: 'Ended before its first round',
  live: 'Live',
  cut: 'cut off: the connection to the server broke; what came before is kept',
  done: (stop) => `Live run, ${{ stopped: 'stopped', deadline: 'out of time', failed: 'broke off' }[stop] ?? 'finished'}`,
  ahead: (rounds) => `${plural(rounds, 'round')} ahead`,
  refused: (reason) => `Not run: ${reason}.`,
  failed: (reason) => `The run broke off: ${reason}. What was recorded before is kept.`,
  run: ({ drafter, pair, rule, target, temperature, seed, gamma, gamma_rule: by }) =>
    `${drafter} → ${target} · γ ${by === 'fixed' ? gamma : by} · ${temperature === 0 ? 'greedy' : `T ${temperature}`} · seed ${seed}${rule === 'rejection' ? '' : ` · ${rule}`}${pair === 'embedded' ? '' : ` · pair ${clean(pair)}`}`,
  round: (round, rounds, gamma) => `Round ${round} of ${rounds} · γ ${gamma}`,
  rate: (percent, kept, tested) => `accepted so far ${percent} % (${kept} of ${tested})`,
  noRate: 'nothing tested yet',
  earlier: (many) => `… ${many} earlier tokens …`,
  end: (stop, made) => `■ ${ENDS[stop]}, ${plural(made, 'token')}`,
  at: {
    rest: (rounds) => `The whole run, ${plural(rounds, 'round')}`,
    beat: (round, rounds, kind, slot, slots) => `Round ${round} of ${rounds}, ${kind}${slot === null ? '' : ` ${slot} of ${slots}`}`,
  },
  bytes: (letter, many, state) => `${letter}, ${plural(many, 'token')}, ${state}`,

  label: (token, state) => `${token}, ${state}`,
  slotEmpty: (slot) => `Slot ${slot}, empty`,
  slot: (slot, label, accept, u) =>
    `Slot ${slot}: ${label}${accept ? `, accept probability ${accept}` : ''}${u ? `, u ${u}` : ''}`,
  ownSlot: 'Slot for the bonus token',
  ownWaits: '★ free if all are kept',
  ownOnly: 'γ is 0: the target writes this token alone',
  ownLost: 'not reached',
  ownEnded: 'the text ended before',
  waits: 'to come',
  below: (u, accept) => `u ${u} < ${accept}`,
  above: (u, accept) => `u ${u} ≥ ${accept}`,
  kept: (accept) => `kept if u < ${accept}`,

  overlap: (overlap) => `overlap β ${overlap}`,
  left: (residual) => `1−β ${residual}`,
  columns: { token: 'token', overlay: 'p against q', p: 'p', q: 'q', residual: 'max(0, p−q)', stretched: (mass) => `(p−q)⁺ / ${mass}` },
  others: (many) => `+${many} rest`,
  legend: { overlap: 'min(p, q)', p: 'p − q', q: 'q − p' },
  noFigure: 'Nothing to compare here until the target has answered.',
  noFigureLost: 'This row of p was not used: the round ended before it.',
  views: { side: 'Side by side', lens: '×10', lensTitle: 'Ten times wider, for the small ones; what is wider than the box is cut' },
  vocabulary: {
    open: 'Show the whole vocabulary',
    title: (token) => `The whole vocabulary where “${token}” was guessed`,
    own: 'The whole vocabulary after the last guess',
    close: 'Close',
    find: 'Tokens that contain',
    waiting: 'computing the full laws again…',
    broke: 'The server gave no answer. Close this and open it again.',
    raw: 'Raw',
    decided: 'As decided: after temperature, top-k and top-p, scaled to sum to 1.',
    rawNote: 'Raw: before temperature, top-k and top-p. The rule never sees these.',
    shown: (rows, count) => `${rows} of ${count} shown`,
    table: 'Tokens, largest of p and q first',
    columns: { token: 'token', id: 'id', p: 'p', q: 'q', keep: 'min(1, p/q)' },
    ranks: 'Every token by rank',
    rank: 'rank',
    probability: 'probability',
    rankLabel: (size, p, q) => [['p', p], ['q', q]].filter(([, ends]) => ends)
      .map(([name, [first, last]]) => `${name} falls from ${first} at rank 1 to ${last} at rank ${size}`).join('; '),
    scatter: 'p against q, the tokens of the table',
    scatterLabel: (many, more, less) => `Of ${many} tokens, p is the larger in ${more}, q in ${less}`,
    diagonal: 'p = q',
    point: (token, p, q) => `${token}: p ${p}, q ${q}`,
    noScatter: 'Nothing was guessed after the last guess, so there is no q to compare with.',
  },

  equation: {
    draft: (q, u) => [`q(x) = ${q}, drawn at u = ${u}`, ''],
    accept: (p, q, accept) => [`min(1, p/q) = min(1, ${p}/${q}) = `, accept],
    thrown: (u) => ['u = ', u],
    dart: (u, kept, accept) => [`u = ${u} ${kept ? '<' : '≥'} ${accept} → `, kept ? 'accept' : 'reject'],
    residual: (over, mass, share) => [`max(0, p−q) / (1−β) = ${over}/${mass} = `, share],
    bonus: (p) => ['drawn from p itself: p(x) = ', p],
    untested: 'p here belongs to a text that no longer exists',
    empty: 'not drafted yet',
    ownWaits: 'row γ+1 of p: used only if every guess is kept',
    ownOnly: 'γ is 0: this token is drawn from p itself',
    notReached: 'a guess was refused before this row, so it is not used',
    ended: 'the text ended before this: nothing here is used',
  },
  ruler: {
    draft: (u, token) => `Draw from q: u ${u} lands on ${token}`,
    accept: (accept) => `The dart is thrown at 0 to 1; below ${accept} it is kept`,
    residual: (mass, u, token) => `Draw from the residual, stretched by 1/${mass}: u ${u} lands on ${token}`,
    equal: (u, token) => `p and q are equal, so draw from p: u ${u} lands on ${token}`,
    bonus: (u, token) => `Draw from p: u ${u} lands on ${token}`,
    waits: 'The second dart is thrown here after a rejection, or when all are kept',
    ended: 'The text ended itself, so there is nothing to draw',
    keep: 'keep',
    refuse: 'refuse',
  },
  cache: {
    target: 'target',
    draft: 'drafter',
    cells: (model) => `Cells of the ${model} cache`,
    none: (evidence) => `no cache: ${evidence || 'it looks counts up'}`,
    length: (slots) => plural(slots, 'slot'),
    trimmed: (from, to) => (from === to ? `${to}, all kept` : `${from} → ${to} (−${from - to})`),
    owes: (to, owed) => `${to}, owes ${owed}`,
    more: (size, peak, wasted) => `${size} · peak ${peak} · ${wasted} rolled back so far`,
    gap: (slots) => `… ${slots} …`,
    cell: { committed: 'committed', speculative: 'speculative', 'rolled-back': 'rolled back', owed: 'owed: the drafter has not read it yet' },
    title: (position, token, state) => `${position}: ${token}, ${state}`,
  },
  lane: {
    cache: 'KV',
    gamma: 'γ',
    time: 'time',
    aboutCache: 'Cache length of target and drafter over the rounds. Click to jump to a round.',
    aboutGamma: 'Guesses per round as a line, kept guesses and the target’s own token as bars; dotted the mean entropy of q. Click to jump to a round.',
    aboutTime: (total) => `Measured time, ${total} ms in all: drafting, verifying, the rest. Click to jump to a round.`,
    cacheAt: ({ written, kept }, draft) => `${written} → ${kept}${draft ? ` · ${draft.written} → ${draft.kept}` : ''}`,
    gammaAt: (gamma, kept) => `${gamma} guessed, ${kept} kept`,
    timeAt: (spent) => `${spent} ms`,
  },
  algorithm: {
    title: 'Algorithm 1, live',
    hint: 'Point at a line, or focus it, for this round’s numbers.',
    sample: '▷ Sample γ guesses x_{1}, …, x_{γ} from M_{q} autoregressively.',
    parallel: '▷ Run M_{p} in parallel.',
    count: '▷ Determine the number of accepted guesses n.',
    adjust: '▷ Adjust the distribution from M_{p} if needed.',
    last: '▷ Return one token from M_{p}, and n tokens from M_{q}.',
    none: 'γ is 0: no guesses',
    rows: (rows) => `${plural(rows, 'row')} of p from one pass`,
    all: 'no r refused',
    yes: 'yes',
    no: 'no',
    ended: 'the text ended among the guesses',
  },

  caption: {
    draft: (token, q, evidence) => `The drafter guesses “${token}” with q ${q}${evidence ? ` (${evidence})` : ''}.`,
    verify: (gamma) => gamma === 0
      ? 'Nothing was guessed: the target reads one token and gives one row of p.'
      : `One target pass reads ${guesses(gamma)} at once: ${plural(gamma + 1, 'row')} of p.`,
    dart: (token, u, accept) => `Is “${token}” kept? The dart lands at ${u}; it must be below ${accept}.`,
    accepted: (token) => `“${token}” stays.`,
    ended: (token, later) => `“${token}” stays and ends the text: ${guesses(later, 'later ')} ${later === 1 ? 'is' : 'are'} never tested.`,
    rejected: (token, later, certain) =>
      `“${token}” is refused${later ? `; ${guesses(later, 'later ')} ${later === 1 ? 'goes' : 'go'} with it` : ''}. `
      + (certain ? certain.next : 'Next, the target draws from what q left over.'),
    residual: (token) => `The target puts “${token}” there instead, from where p exceeds q.`,
    bonus: (token) => `Everything was kept, and the same pass gives “${token}” for free.`,
    plain: (token) => `Nothing was guessed: “${token}” is drawn from p, one step of plain decoding.`,
    trim: (from, to, added) => from === to
      ? `The target's cache keeps all ${to} slots. ${plural(added, 'token')} for one target pass.`
      : `The target's cache falls back from ${from} to ${to} slots. ${plural(added, 'token')} for one target pass.`,
    stop: (stop) => `The run ends here: ${STOPS[stop]}.`,
    noneKept: (tested) => `None of ${guesses(tested, 'tested ')} was kept: every pass gave one token, as plain decoding would, and drafting came on top.`,
  },

  why: {
    title: (token, word) => (token === null ? 'Nothing here yet' : `Why ${word}: ${token}`),
    show: 'Show in figure',
    copy: 'Copy',
    copied: 'Copied',
    close: 'Close',
    prompt: 'Part of the prompt: nobody guessed it.',
    empty: 'Nothing was drafted here yet.',
    draft: (evidence) => `A guess, drawn from the drafter’s own law q${evidence ? ` (${evidence})` : ''}. The target has not judged it yet.`,
    wanted: (q, p) => `The drafter said q = ${q}, the target says p = ${p}. The target wanted it at least as much, so it is always kept.`,
    eager: (percent, u) => `The drafter was over-eager. Such a guess is kept ${percent} times in 100, and the dart ${u} was one of them.`,
    rejected: (token, percent) => `The dart missed. This does not mean “wrong”: ${percent} % of such guesses must go, to pay back the drafter’s over-use of ${token}.`,
    untested: (before) => `It was drafted after ${before}, which is gone, so its p was computed for a text that does not exist.`,
    afterEnd: 'The text ended before it, so nobody tested it.',
    resampled: (token, mass, u, share) => `Drawn only from where the target exceeds the drafter (mass ${mass}). The dart ${u} fell on ${token}, which is ${share} of that mass.`,
    equal: 'p and q were equal to the last digit, so nothing was left over and the token was drawn from p.',
    bonus: (kept) => (kept ? `All ${guesses(kept)} were kept, and the same pass had already computed the row after them. It costs nothing.` : 'Nothing was guessed, so this is one step of plain decoding.'),
    ownWaits: 'The row after the last guess. It pays out only if every guess is kept.',
    lines: {
      draft: (q, u) => `q = ${q}, drawn at u = ${u}`,
      untested: (p, q) => `p = ${p}, q = ${q}, never compared`,
      tested: (p, q, keep, u, kept) => `min(1, p/q) = min(1, ${p}/${q}) = ${keep}; u = ${u} ${kept ? '<' : '≥'} ${keep}`,
      residual: (over, mass, share, u) => `max(0, p−q) / (1−β) = ${over}/${mass} = ${share}; u = ${u}`,
      bonus: (p, u) => `p = ${p}; u = ${u}`,
    },
    sources: {
      draft: 'x ∼ q(x) · Leviathan et al. 2023, Algorithm 1',
      tested: 'accept with probability min(1, p(x)/q(x)) · Leviathan et al. 2023, section 2.3',
      untested: 'everything after the first rejection is dropped · Leviathan et al. 2023, Algorithm 1',
      residual: 'p′ = norm(max(0, p − q)) · Leviathan et al. 2023, section 2.3',
      bonus: 't ∼ p(γ+1) · Leviathan et al. 2023, Algorithm 1',
    },
  },
  tabs: { label: 'What the page shows', round: 'Round', race: 'Race', losslessness: 'Is it exact?', alpha: 'Acceptance', compare: 'Compare', why: 'When is it faster?' },
  lab: { broke: 'Not measured: the engine broke off; the server’s log says why.' },
  chart: { keeps: 'Keep this chart', keep: (kind) => `Save as ${kind.toUpperCase()}` },
  topics: {
    dropped: ['Why are the guesses after a rejected one dropped?', 'They were made for a text that contains the rejected token. That text no longer exists, so their probabilities mean nothing.'],
    residual: ['Why not simply draw the replacement from p?', 'The accepted guesses already cover the part where p and q overlap. The replacement must come from the rest, p − q, or some tokens would come up too often.'],
    rows: ['What is free about the bonus token?', 'One pass over the last token and γ guesses yields γ + 1 distributions, one after each token. When every guess is accepted, the last one is there already.'],
    pass: ['Is it really one pass?', 'Yes. The guesses are fed together, as a prompt would be, each seeing only what stands before it. It costs little more than one token because reading the weights is most of the work, but not nothing.'],
    slower: ['When is it slower?', 'When guesses are rejected often, when the draft model is not much faster than the target, or when a pass over several tokens costs much more than a pass over one.'],
    temperature: ['Why p and q after temperature?', 'The text must follow the distribution people asked for. So temperature, top-k and top-p are applied to both models first, and the test compares the results.'],
    better: ['Is an accepted token better than a rejected one?', 'No. The test accepts or rejects so that what remains is distributed exactly as the target alone would write. A higher acceptance is faster, not better.'],
    owes: ['Why is the draft model one entry behind?', 'When all guesses are accepted, the draft model has not read its own last guess, since nobody asked it what comes after. It reads that one first in the next round.'],
    letters: ['Which letter is which?', 'p is the target, q the draft model, as in Leviathan et al. 2023. Chen et al. 2023 swap the letters.'],
    ties: ['What if u is exactly p/q?', 'It is rejected here: a guess is accepted when u·q < p. The paper accepts it; the case has probability zero.'],
  },

  help: {
    title: 'Keys and colours',
    close: 'Close',
    note: 'Keys work while the stage has the focus, and everywhere in Present.',
    letters: 'Single-key shortcuts',
    states: 'Each state has its own colour, border, glyph and word.',
    questions: 'Questions people ask',
    keys: [
      ['Space', 'play or pause'], ['← →', 'one step; inside the lane, the next guess'], ['Shift ← →', 'one round'], ['Home End', 'first step, last step'],
      [', .', 'slower, faster'], ['Enter', 'why this token'], ['G', 'Show me: the first minute'], ['[ ]', 'γ down, γ up, and run'], ['D', 'next draft model, and run'],
      ['R', 'run again'], ['N', 'new seed, and run'], ['T', 'overlaid or side by side'], ['A K M', 'Code, Cache, Clock'], ['F', 'Present'], ['L', 'keep this run'],
      ['1 to 6', 'the tabs, from the left'], ['C', 'settings'], ['PageUp PageDown', 'one step, in Present'], ['B .', 'blank the screen, in Present'], ['?', 'this help'], ['Esc', 'close, leave'],
    ],
  },

  buttons: {
    roundBack: 'Previous round', back: 'Previous step', play: 'Play', pause: 'Pause',
    forward: 'Next step', roundForward: 'Next round', scrub: 'Position', pace: 'Pace',
    algorithm: 'Algorithm 1', notes: 'Notes', leave: 'Leave Present',
  },
  paces: {
    auto: 'slow at first', reading: 'reading pace', quick: 'quick',
    real20: 'recorded speed, 20× slower', real5: 'recorded speed, 5× slower', real1: 'recorded speed',
  },
};

/**
 * words.js: the sentences that more than one room shows; each room adds its own and hands all of them up.
 * Pure. Tokens arrive as format.js shows them.
 */

import { clean, plural, show } from './format.js';
import { inLanguage } from './language.js';
import { words as read } from '../words/words.js';

/** What became of a token, and the beats of a round. */
export const { STATES, KINDS } = inLanguage({
  STATES: {
    prompt: 'prompt',
    draft: 'guess',
    accepted: 'accepted',
    rejected: 'rejected',
    resampled: 'replacement',
    bonus: 'bonus',
    untested: 'never tested',
  },
  KINDS: {
    rest: 'before the first round',
    draft: 'guess',
    verify: 'check',
    dart: 'random number',
    verdict: 'verdict',
    adjust: 'what is left of p',
    residual: 'what is left of p',
    replace: 'replacement',
    bonus: 'bonus',
    gather: 'gather',
    trim: 'roll back',
  },
});

const ENDS = {
  length: 'length reached',
  eos: 'end of text',
  context: 'context full',
  stopped: 'stopped',
  deadline: 'out of time',
  failed: 'broke off',
};

const wait = (seconds) =>
  seconds < 90 ? `about ${Math.max(1, Math.round(seconds))} s` : `about ${Math.round(seconds / 60)} min`;

export const words = {
  ...read,
  ...inLanguage({
    /** One after another, those that say something. */
    sentences: (said) => said.filter(Boolean).join(' '),
    region: 'Speculative decoding replay',
    toolbar: 'Playback',
    empty: 'No recorded run here yet. Press Run to make one.',
    loading: 'Opening the recording …',
    lost: 'This run is no longer kept on the server. Press Run for a new one.',
    retry: 'Try again',
    blank: 'Any key returns',
    changed: 'Settings changed; Run uses them',
    bar: { share: 'Share', help: 'Help', dark: 'Dark', present: 'Present' },
    gone: (round) => `The server does not answer. What you see is complete up to round ${round}.`,
    mend: (value) => `Run with ${value}`,
    dismiss: 'Close this message',
    goneEmpty: 'The server does not answer.',
    share: {
      label: 'Keep this run',
      link: ['Copy link', 'To this run and this place in it'],
      embed: ['Copy embed code', 'A frame for another page; the server allows it with --embed'],
      cite: ['Copy citation', 'The run in one line, with its link'],
      copied: 'It is on the clipboard.',
      byHand: 'Copy this:',
      lesson: ['For a class', 'QR code, worksheet, second screen'],
      page: ['Download page', 'One HTML file that plays this run offline'],
      png: ['Download picture', 'PNG of what is on stage'],
      svg: ['Download drawing', 'SVG of what is on stage'],
      csv: ['Download table', 'CSV: a row for each token'],
      download: ['Download trace', 'JSON: every number of this run'],
      open: ['Open a trace', 'A file that was saved before'],
      none: 'There is no run on stage.',
      waiting: 'Getting the trace …',
      failed: 'The server no longer keeps this run, or does not answer.',
      done: (name) => `Saved as ${name}`,
    },

    recorded: () => 'Recorded example',
    saved: (when) => `Run of ${when.slice(0, 10)}`,
    who: { draft: 'Draft model', target: 'Target', none: (method) => `none (${method})` },
    asked: 'Waiting for a turn',
    place: (place, size, seconds) =>
      `Waiting: ${place} of ${size} in the queue${seconds ? `, ${wait(seconds)}` : ''}`,
    meanwhile: 'Play this one meanwhile',
    repeated: (when) => `recorded here at ${when.slice(11, 16)} UTC: the same settings make the same run`,
    nothing: 'Ended before its first round',
    live: 'Live',
    cut: 'cut off: the connection to the server broke; what came before is kept',
    done: (stop) =>
      `Live run, ${{ stopped: 'stopped', deadline: 'out of time', failed: 'broke off' }[stop] ?? 'finished'}`,
    ahead: (rounds) => `${plural(rounds, 'round')} ahead`,
    failed: (reason) => `The run broke off: ${reason}. What was recorded before is kept.`,
    run: ({ drafter, pair, rule, target, temperature, seed, gamma, gamma_rule: by, lossless = true }) =>
      `${drafter} → ${target} · ${by === 'none' ? 'no γ' : `γ ${by === 'fixed' ? gamma : by}`} · ${temperature === 0 ? 'greedy' : `T ${temperature}`} · seed ${seed}${rule === 'rejection' ? '' : ` · ${rule}${lossless ? '' : ' (lossy)'}`}${pair === 'embedded' ? '' : ` · pair ${clean(pair)}`}`,
    rate: (percent, kept, tested) => `accepted so far ${percent} % (${kept} of ${tested})`,
    noRate: 'nothing tested yet',
    earlier: (many) => `… ${many} earlier tokens …`,
    end: (stop, made) => `■ ${ENDS[stop]}, ${plural(made, 'token')}`,
    at: {
      rest: (rounds) => `The whole run, ${plural(rounds, 'round')}`,
      beat: (round, rounds, kind, slot, slots) =>
        `Round ${round} of ${rounds}, ${kind}${slot === null ? '' : ` ${slot} of ${slots}`}`,
    },
    bytes: (letter, many, state) => `${letter}, ${plural(many, 'token')}, ${state}`,

    label: (token, state) => `${token}, ${state}`,
    vocabulary: {
      open: 'Show the whole vocabulary',
      title: (token) => `The whole vocabulary where “${token}” was guessed`,
      own: 'The whole vocabulary after the last guess',
      close: 'Close',
      find: 'Tokens that contain',
      waiting: 'computing the full distributions again …',
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
      rankLabel: (size, p, q) =>
        [
          ['p', p],
          ['q', q],
        ]
          .filter(([, ends]) => ends)
          .map(([name, [first, last]]) => `${name} falls from ${first} at rank 1 to ${last} at rank ${size}`)
          .join('; '),
      scatter: 'p vs. q, the tokens of the table',
      scatterLabel: (many, more, less) => `Of ${many} tokens, p is the larger in ${more}, q in ${less}`,
      diagonal: 'p = q',
      point: (token, p, q) => `${token}: p ${p}, q ${q}`,
      noScatter: 'Nothing was guessed after the last guess, so there is no q to compare with.',
    },

    lane: {
      cache: 'KV',
      gamma: 'γ',
      time: 'time',
      aboutCache: 'Cache length of the target and the draft model over the rounds. Click to jump to a round.',
      aboutGamma:
        'Guesses per round as a line, accepted guesses and the target’s own token as bars; dotted: the mean entropy of q. Click to jump to a round.',
      aboutTime: (total) =>
        `Measured time, ${total} ms in all: guessing, the target’s passes, the rest. Click to jump to a round.`,
      cacheAt: ({ written, kept }, draft) =>
        `${written} → ${kept}${draft ? ` · ${draft.written} → ${draft.kept}` : ''}`,
      gammaAt: (gamma, kept) => `${gamma} guessed, ${kept} accepted`,
      timeAt: (spent) => `${spent} ms`,
    },
    why: {
      title: (token, word) => (token === null ? 'Nothing here yet' : `Why ${word}: ${token}`),
      show: 'Show in figure',
      copy: 'Copy',
      copied: 'Copied',
      close: 'Close',
    },
    tabs: {
      label: 'What the page shows',
      round: 'Round',
      race: 'Race',
      losslessness: 'Is it exact?',
      alpha: 'Acceptance',
      compare: 'Compare',
      methods: 'Methods',
      why: 'When is it faster?',
    },
    /** steps: what a check takes, in plain ones; beside: the waterfall of Race is in sight. */
    cached: (steps, beside) =>
      `Guesses gain less where weights stay in the processor’s cache: plain steps are fast, and a check costs ${steps} of them; a large model’s come from memory, where it costs little over one.${beside ? '' : ' Race shows where the speed-up goes.'}`,
    lab: { broke: 'Not measured: the engine broke off; see the server’s log.' },
    chart: { keeps: 'Keep this chart', keep: (kind) => `Save as ${kind.toUpperCase()}` },
    topics: {
      dropped: [
        'Why are the guesses after a rejected one dropped?',
        'They were made for a text that contains the rejected token. That text no longer exists, so their probabilities mean nothing.',
      ],
      residual: [
        'Why not simply draw the replacement from p?',
        'The accepted guesses already cover the part where p and q overlap. The replacement must come from the rest, p − q, or some tokens would come up too often.',
      ],
      rows: [
        'What is free about the bonus token?',
        'One pass over the last token and γ guesses yields γ + 1 distributions, one after each token. When every guess is accepted, the last one is there already.',
      ],
      pass: [
        'Is it really one pass?',
        'Yes. The guesses are fed together, as a prompt would be, each seeing only what stands before it. It costs little more than one token because reading the weights is most of the work, but not nothing.',
      ],
      slower: [
        'When is it slower?',
        'When guesses are rejected often, when the draft model is not much faster than the target, or when a pass over several tokens costs much more than a pass over one.',
      ],
      temperature: [
        'Why p and q after temperature?',
        'The text must follow the distribution people asked for. So temperature, top-k and top-p are applied to both models first, and the test compares the results.',
      ],
      better: [
        'Is an accepted token better than a rejected one?',
        'No. The test accepts or rejects so that what remains is distributed exactly as the target alone would write. A higher acceptance is faster, not better.',
      ],
      owes: [
        'Why is the draft model one entry behind?',
        'When all guesses are accepted, the draft model has not read its own last guess, since nobody asked it what comes after. It reads that one first in the next round.',
      ],
      letters: [
        'Which letter is which?',
        'p is the target, q the draft model, as in Leviathan et al. 2023. Chen et al. 2023 swap the letters.',
      ],
      ties: [
        'What if u is exactly p/q?',
        'It is rejected here: a guess is accepted when u·q < p. The paper accepts it; the case has probability zero.',
      ],
    },

    help: {
      title: 'Keys and colours',
      close: 'Close',
      note: 'Keys work while the stage has the focus, and everywhere in Present.',
      letters: 'Single-key shortcuts',
      states: 'Each state has its own colour, border, glyph and word.',
      questions: 'Questions people ask',
      keys: [
        ['Space', 'play or pause'],
        ['← →', 'one step; inside the lane, the next guess'],
        ['Shift ← →', 'one round'],
        ['Home End', 'first step, last step'],
        [', .', 'slower, faster'],
        ['Enter', 'why this token'],
        ['G', 'Show me: the first minute'],
        ['Q', 'predict, then reveal'],
        ['[ ]', 'γ down, γ up, and run'],
        ['D', 'next draft model, and run'],
        ['R', 'run again'],
        ['N', 'new seed, and run'],
        ['T', 'overlaid or side by side; the mask as a table'],
        ['A K M', 'Code, Cache, Clock'],
        ['F', 'Present'],
        ['L', 'keep this run'],
        ['1 to 7', 'the tabs, from the left'],
        ['C', 'settings'],
        ['PageUp PageDown', 'one step, in Present'],
        ['B .', 'blank the screen, in Present'],
        ['?', 'this help'],
        ['Esc', 'close, leave'],
      ],
    },

    buttons: {
      roundBack: 'Previous round',
      back: 'Previous step',
      play: 'Play',
      pause: 'Pause',
      forward: 'Next step',
      roundForward: 'Next round',
      scrub: 'Position',
      pace: 'Pace',
      algorithm: 'Algorithm 1',
      notes: 'Notes',
      leave: 'Leave Present',
    },
    paces: {
      auto: 'slow at first',
      reading: 'reading pace',
      quick: 'quick',
      real20: 'recorded speed, 20× slower',
      real5: 'recorded speed, 5× slower',
      real1: 'recorded speed',
    },
    /** A sentence from the server, or from a trace. */
    served: (text) => text,
    /** A token in a sentence or a formula. */
    quoted: (text) => `“${text}”`,
    spoken: { lineBreak: 'line break', space: 'space', nothing: 'empty token' },
  }),
};

/** Token text for a screen reader: no outer spaces, never empty. */
export function speak(text) {
  const trimmed = text.trim();
  if (trimmed) return show(trimmed).replaceAll('·', ' ');
  if (text.includes('\n')) return words.spoken.lineBreak;
  return text ? words.spoken.space : words.spoken.nothing;
}

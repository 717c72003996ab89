/**
 * algorithm.js: Algorithm 1 of the paper in its own notation, line by line, and the same lines in this
 * round's numbers. Pure. A line is a list of pieces, text or { sub: text }; token text only ever is a piece
 * of its own.
 * Source: Leviathan, Kalman, Matias 2023, arXiv:2211.17192, Algorithm 1 "SpeculativeDecodingStep".
 */

import { apart, count, number, show } from '../../base/format.js';
import { elders, keepChance, viewAt } from './bars.js';
import { ORDER, isSettled, isThrown } from '../../trace/moment.js';
import { thresholdOf } from '../../trace/threshold.js';
import { isChain, levelsOf, testedOf } from '../../trace/timeline.js';
import { words } from '../words.js';

/**
 * The algorithm at a moment: { title, source, lines: [{ indent, note, plain: pieces, live: pieces, lit }]
 * }. live says the same in numbers as far as the round has come, and repeats plain where there are none
 * yet; note marks the paper's comments. Where no random number is drawn it is another algorithm, of three
 * lines.
 */
export function algorithm(round, moment, config) {
  const { noDice } = moment;
  const { titles, sources, title, source } = words.algorithm;
  const weighed = round.verdicts.some(({ weight }) => weight !== null);
  if (!isChain(round) && !noDice)
    return {
      title: titles[weighed ? 'traversal' : 'tree'],
      source: sources[weighed ? 'traversal' : 'tree'],
      lines: weighed ? traversing(round, moment) : walking(round, moment),
    };
  if (weighed) return { title: titles.block, source: sources.block, lines: weighing(round, moment) };
  if (noDice === 'typical')
    return { title: titles.typical, source: sources.typical, lines: passing(round, moment) };
  return noDice
    ? { title: titles[noDice], source: sources[noDice], lines: matching(round, moment) }
    : { title, source, lines: sampling(round, moment, config) };
}

/** Accept while both sides pick the same token. */
function matching({ verdicts, path, extra }, moment) {
  const { noDice, kind, slot } = moment;
  const [first, second, third] = words.algorithm[noDice].map(math);
  const lit = (on) => on.includes(kind);
  const line = (plain, live, on) => ({ plain, live: live ?? plain, lit: lit(on), indent: 0, note: false });
  const at = kind === 'dart' || kind === 'verdict' || kind === 'draft' ? slot : null;
  const x = at === null ? null : ['x', { sub: String(at + 1) }, ' = ', show(verdicts[at].text)];
  const decided = isSettled(moment);
  const end = decided
    ? [words.algorithm.accepts({ many: path.length }), ...(extra ? [': + ', show(extra.text)] : [])]
    : null;
  return noDice === 'greedy'
    ? [
        line(first, x, ['draft']),
        line(second, null, ['verify', 'dart']),
        line(third, end, ['verdict', 'replace', 'bonus', 'gather', 'trim', 'rest']),
      ]
    : [
        line(first, null, []),
        line(second, x, ['draft', 'verify', 'dart']),
        line(third, end, ['verdict', 'replace', 'bonus', 'gather', 'trim', 'rest']),
      ];
}

/** Each p against a threshold of its own; the longest branch that passes is accepted. arXiv:2401.10774. */
function passing({ verdicts, path, extra }, moment) {
  const { kind, slot } = moment;
  const { epsilon, delta } = moment.threshold;
  const notation = [...words.algorithm.typical];
  notation[2] += `,  ε = ${epsilon}, δ = ${delta}`;
  const line = lines(moment, notation);
  const now = kind === 'dart' || kind === 'verdict' ? verdicts[slot] : null;
  const needed = now && thresholdOf(now, moment.threshold);
  const settled = isSettled(moment);
  return [
    line(0, null, ['draft']),
    line(1, moment.order >= ORDER.verify ? [words.algorithm.rows({ rows: verdicts.length + 1 })] : null, [
      'verify',
    ]),
    line(
      2,
      now
        ? [`τ ← min(${epsilon}, ${delta} · exp(−`, number(now.entropy ?? 0), ')) = ', number(needed)]
        : null,
      ['dart'],
    ),
    line(3, now ? aboveLine(now, needed) : null, ['dart', 'verdict']),
    line(4, settled ? [words.algorithm.accepts({ many: path.length })] : null, ['gather', 'trim', 'rest']),
    line(5, settled && extra ? ['t = ', show(extra.text)] : null, ['replace', 'bonus']),
  ];
}

/** The guesses of a block are weighed together. arXiv:2403.10444. */
function weighing({ path, verdicts, extra }, moment) {
  const { kind, slot } = moment;
  const line = lines(moment, words.algorithm.block);
  const settled = isSettled(moment);
  const [n, place] = [path.length, slot + 1];
  const drawn = kind === 'draft' ? ['x', { sub: String(place) }, ' = ', show(verdicts[slot].text)] : null;
  const now = kind === 'dart' || kind === 'verdict' ? verdicts[slot] : null;
  const of = (letter) => [letter, { sub: String(place) }, ' = '];
  return [
    line(0, drawn, ['draft']),
    line(1, moment.order >= ORDER.verify ? [words.algorithm.rows({ rows: verdicts.length + 1 })] : null, [
      'verify',
    ]),
    line(2, now && [...of('ρ'), number(now.weight)], ['dart']),
    line(3, now && [...of('h'), number(now.accept_prob)], ['dart']),
    line(
      4,
      settled
        ? [`n = ${count(n)}`]
        : now && [
            ...of('r'),
            apart(now.u, now.accept_prob).join(now.u < now.accept_prob ? ' < ' : ' ≥ '),
            ' = h',
            { sub: String(place) },
          ],
      ['verdict'],
    ),
    line(
      5,
      settled && extra?.emission === 'resampled'
        ? [
            'p′(x) ← max(0, ',
            number(n ? verdicts[path.at(-1)].weight : 1),
            ' p',
            { sub: String(n + 1) },
            '(x) − q',
            { sub: String(n + 1) },
            '(x)) / …',
          ]
        : null,
      ['residual'],
    ),
    line(6, settled && extra ? ['t = ', show(extra.text)] : null, [
      'replace',
      'bonus',
      'gather',
      'trim',
      'rest',
    ]),
  ];
}

/** A line in notation, and in numbers where they are known; it is lit at these beats. */
function lines({ kind }, notation) {
  return (at, live, on, indent = 0) => {
    const plain = math(notation[at]);
    return { plain, live: live ?? plain, lit: on.includes(kind), indent, note: false };
  };
}

/** Siblings are tried as they were drawn, each against what the ones before it left. arXiv:2305.09781. */
function walking(round, moment) {
  const { kind, slot } = moment;
  const { verdicts, path, extra } = round;
  const line = lines(moment, words.algorithm.tree);
  const now = verdicts[kind === 'adjust' ? elders(round, slot).at(-1) : slot];
  const test =
    kind === 'dart' || kind === 'verdict'
      ? [
          show(now.text),
          `: r = ${apart(now.u, keepChance(now)).join(now.u < keepChance(now) ? ' < ' : ' ≥ ')}`,
        ]
      : null;
  const left =
    kind === 'adjust' || kind === 'residual'
      ? ['p ← (p − q)⁺ / ', number(viewAt(round, now.node).left)]
      : null;
  const settled = isSettled(moment);
  const gone = verdicts.length - path.length;
  return [
    line(0, null, ['draft']),
    line(1, moment.order >= ORDER.verify ? [words.algorithm.rows({ rows: verdicts.length + 1 })] : null, [
      'verify',
    ]),
    line(2, null, []),
    line(3, null, ['dart']),
    line(4, test, ['dart', 'verdict'], 1),
    line(5, left, ['adjust', 'residual'], 1),
    line(6, settled && extra ? ['t = ', show(extra.text)] : null, ['replace', 'bonus']),
    line(
      7,
      settled
        ? [
            words.algorithm.copies({
              slots: path.map((node) => round.position + node).join(words.grammar.comma),
              gone,
            }),
          ]
        : null,
      ['gather', 'trim', 'rest'],
    ),
  ];
}

/** A guess's p above or below the threshold, so printed that they differ. */
function aboveLine({ text, p }, needed) {
  const [shown, mark] = apart(p, needed);
  return [words.algorithm.above({ text: show(text), p: shown, mark, passes: p > needed })];
}

/** A drawn tree is weighed as a whole, leaf by leaf. arXiv:2505.12398. */
function traversing({ verdicts, path, extra }, moment) {
  const { kind, slot } = moment;
  const line = lines(moment, words.algorithm.traversal);
  const now = verdicts[slot];
  const settled = isSettled(moment);
  return [
    line(0, null, ['draft', 'verify']),
    line(
      1,
      kind === 'dart' || kind === 'verdict'
        ? [
            show(now.text),
            `: r = ${apart(now.u, keepChance(now)).join(now.u < keepChance(now) ? ' < ' : ' ≥ ')}`,
          ]
        : null,
      ['dart', 'verdict'],
    ),
    line(2, null, ['verdict'], 1),
    line(3, null, ['residual'], 1),
    line(4, settled && extra ? ['t = ', show(extra.text)] : null, ['replace', 'bonus']),
    line(5, settled ? [words.algorithm.accepts({ many: path.length })] : null, ['gather', 'trim', 'rest']),
  ];
}

function sampling(round, moment, config) {
  const { kind, slot, order } = moment;
  const { verdicts, path, extra } = round;
  const gamma = Math.max(0, ...verdicts.map(({ depth }) => depth + 1));
  const settled = isSettled(moment);
  const drafted = kind === 'draft' ? levelsOf(round)[verdicts[slot].depth].at(-1) + 1 : verdicts.length;
  const thrown = testedOf(round)
    .filter((at) => isThrown(round, moment, at))
    .map((at) => verdicts[at]);
  const refused = extra?.emission === 'resampled';
  const list = (pieces) => pieces.flatMap((piece, index) => (index ? [', ', ...piece] : piece));
  const x = (at) => ['x', { sub: String(at + 1) }];
  const guess = verdicts[drafted - 1];
  const line = (plain, live, lit, indent = 0) => ({ plain, live: live ?? plain, lit, indent, note: false });
  const note = (text) => ({ plain: math(text), live: math(text), lit: false, indent: 0, note: true });
  const judge = verdicts[extra?.node];
  const n = path.length;
  const stopped = order >= ORDER.residual || (kind === 'verdict' && slot === extra?.node);
  const mass = extra && 1 - extra.view.overlap;
  return [
    note(words.algorithm.sample),
    line(
      math('for i = 1 to γ do'),
      gamma ? [`for i = 1 to ${gamma}${kind === 'draft' ? `: i = ${drafted}` : ''}`] : [words.algorithm.none],
      kind === 'draft',
    ),
    line(
      math('q_{i}(x) ← M_{q}(prefix + [x_{1}, …, x_{i−1}])'),
      guess && [
        'q',
        { sub: String(drafted) },
        '(x) ← ',
        config.drafter,
        '(…',
        ...(guess.parent >= 0 ? [show(verdicts[guess.parent].text)] : []),
        ')',
      ],
      kind === 'draft',
      1,
    ),
    line(
      math('x_{i} ∼ q_{i}(x)'),
      guess && [
        ...x(drafted - 1),
        ' = ',
        show(guess.text),
        ', q',
        { sub: String(drafted) },
        ` = ${number(guess.q)}`,
      ],
      kind === 'draft',
      1,
    ),
    note(words.algorithm.parallel),
    line(
      math('p_{1}(x), …, p_{γ+1}(x) ← M_{p}(prefix), …, M_{p}(prefix + [x_{1}, …, x_{γ}])'),
      order >= ORDER.verify ? [words.algorithm.rows({ rows: verdicts.length + 1 })] : null,
      kind === 'verify',
    ),
    note(words.algorithm.count),
    line(
      math('r_{1} ∼ U(0, 1), …, r_{γ} ∼ U(0, 1)'),
      thrown.length
        ? list(thrown.map(({ u }, at) => ['r', { sub: String(at + 1) }, ` = ${number(u)}`]))
        : null,
      kind === 'dart',
    ),
    line(
      math('n ← min({i − 1 | 1 ≤ i ≤ γ, r_{i} > p_{i}(x)/q_{i}(x)} ∪ {γ})'),
      stopped ? counted(judge, n) : null,
      kind === 'verdict',
    ),
    note(words.algorithm.adjust),
    line(
      math('p′(x) ← p_{n+1}(x)'),
      settled && extra ? ['p′(x) ← p', { sub: String(n + 1) }, '(x)'] : null,
      kind === 'residual' || kind === 'bonus',
    ),
    line(
      math('if n < γ then'),
      settled
        ? [
            extra
              ? `if ${n} < ${gamma}: ${n < gamma ? words.algorithm.yes : words.algorithm.no}`
              : words.algorithm.ended,
          ]
        : null,
      kind === 'residual' || kind === 'bonus',
    ),
    line(
      math('p′(x) ← norm(max(0, p_{n+1}(x) − q_{n+1}(x)))'),
      order >= ORDER.residual && refused && !extra.zero_residual
        ? [
            'p′(x) ← max(0, p',
            { sub: String(n + 1) },
            '(x) − q',
            { sub: String(n + 1) },
            `(x)) / ${number(mass)}`,
          ]
        : null,
      kind === 'residual',
      1,
    ),
    note(words.algorithm.last),
    line(
      math('t ∼ p′(x)'),
      settled && extra ? [`t = `, show(extra.text)] : null,
      kind === 'replace' || kind === 'bonus',
    ),
    line(
      math('return prefix + [x_{1}, …, x_{n}, t]'),
      settled
        ? [
            'prefix + [',
            ...list([
              ...path.map((node) => [show(verdicts[node].text)]),
              ...(extra ? [[show(extra.text)]] : []),
            ]),
            ']',
          ]
        : null,
      kind === 'trim',
    ),
  ];
}

/** The line of n: the position of the first rejection, or that all were accepted. */
function counted(judge, n) {
  if (!judge) return [`n = ${count(n)}: `, words.algorithm.all];
  const place = { sub: String(n + 1) };
  const [u, keep] = apart(judge.u, keepChance(judge));
  return [`n = ${n}: r`, place, ` = ${u} ≥ ${keep} = p/q`];
}

/** Notation as pieces: _{...} is a subscript. Takes only the paper's own lines. */
function math(source) {
  return source
    .split(/_\{([^}]*)\}/)
    .map((piece, index) => (index % 2 ? { sub: piece } : piece))
    .filter((piece) => piece !== '');
}

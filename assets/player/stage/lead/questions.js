/**
 * questions.js: what a person is asked to predict of the run on stage, and what turned out to be so. Pure:
 * every answer is a field of the trace or arithmetic on it. A question is put over a beat at which nothing
 * gives its answer away.
 */

import { factor, inSentence, number } from '../../base/format.js';
import { sum } from '../../base/statistics.js';
import { speedup } from '../../base/theory.js';
import { raceOf, costsOf } from '../../trace/race.js';
import { spent } from '../../trace/story.js';
import { ruleOf } from '../../rules/rules.js';
import { keepChance, viewAt } from '../../trace/chance.js';
import { isChain, levelsOf, offeredOf, testedOf } from '../../trace/timeline.js';
import { beatOf } from './guide-stops.js';
import { headline, spoken } from '../round/say.js';
import { words } from '../words.js';

/** The five answers to how often a guess is accepted, as chances. */
export const SAID = [0, 0.25, 0.5, 0.75, 1];
/** Guesses that a set asks about, after which it tells the score. */
export const ENOUGH = 5;
/** Questions of a set at most. */
const MOST = 9;
const GAMMAS = [0, 1, 2, 4, 8];
const says = words.quiz;

/**
 * A set of questions, from the round `from` on and at the end from the first: [{ kind, ask: { at, node },
 * tell: a beat, moves, says: pieces, under, options: texts, right: the option that is so, chance, happened,
 * after: what is said then }]. kind: `dart`, `count`, `pay`, `cannot` or `gamma`; chance and happened are
 * the first's alone. Empty where the run has no guesses.
 */
export function setOf(story, from = 0) {
  const { rounds } = story.trace;
  const questions = [];
  const has = (kind) => questions.some((question) => question.kind === kind);
  for (let step = 0; step < rounds.length; step += 1) {
    const round = rounds[(from + step) % rounds.length];
    const darts = dartsOf(story, round);
    const roundQuestion = roundQuestionOf(story, round);
    const first = darts.length > 0 && (!questions.length || (roundQuestion && has(roundQuestion.kind)));
    if (roundQuestion && !first)
      questions.push(roundQuestion); // and nothing more: its answer gives away those of the round's guesses
    else questions.push(...darts, ...(has('cannot') ? [] : cannotOf(story, round)));
    if (questions.filter(({ kind }) => kind === 'dart').length >= ENOUGH || questions.length >= MOST) break;
  }
  return [...trimmed(questions), ...(questions.length ? gammaOf(story) : [])];
}

/** The set without the guesses that are too many. */
function trimmed(questions) {
  let darts = 0;
  return questions.filter(({ kind }) => kind !== 'dart' || (darts += 1) <= ENOUGH);
}

/** How often each tested guess of a round is accepted; where no number decides, whether it is. */
function dartsOf(story, round) {
  const { trace } = story;
  const { drafter } = trace.info.config;
  const single = ({ weight }) => weight === null;
  return testedOf(round)
    .filter((slot) => single(round.verdicts[slot]))
    .map((slot) => {
      const verdict = round.verdicts[slot];
      const rolled = ruleOf(trace.info, verdict).by === 'number';
      const happened = verdict.verdict === 'accepted';
      const chance = rolled ? keepChance(verdict) : Number(happened);
      const tell = beatOf(story, round.index, rolled ? 'dart' : 'verdict', slot);
      const text = inSentence(verdict.text);
      const nearest = SAID.reduce(
        (best, each, at) => (Math.abs(each - chance) < Math.abs(SAID[best] - chance) ? at : best),
        0,
      );
      return {
        kind: 'dart',
        ask: { at: guessed(story, round), node: slot },
        tell,
        moves: true,
        options: says.often,
        right: nearest,
        chance,
        happened,
        u: rolled ? verdict.u : null,
        says: says[rolled ? 'dart' : 'same']({ text }),
        under: says[verdict.law === 'point' ? 'chosen' : 'drawn']({ q: number(verdict.q), drafter }),
        after: [
          rolled ? says.kept({ text, chance: number(chance), happened }) : says.whether({ text, happened }),
          spoken(headline(story, beatOf(story, round.index, 'dart', slot))),
        ],
      };
    });
}

/** How many guesses of a round are accepted; of a tree, whether it pays. */
function roundQuestionOf(story, round) {
  const { verdicts, path } = round;
  if (!verdicts.length) return null;
  const common = {
    ask: { at: guessed(story, round), node: null },
    tell: story.rounds[round.index + 1].beat - 1,
    moves: false,
  };
  if (!isChain(round)) return payOf(story, round, common);
  const bins = binsOf(offeredOf(round));
  return {
    ...common,
    kind: 'count',
    says: says.count({ many: verdicts.length }),
    under: says.countUnder,
    options: bins.map(([low, high]) => binOf(low, high, verdicts.length)),
    right: bins.findIndex(([low, high]) => path.length >= low && path.length <= high),
    after: [
      path.length === verdicts.length ? says.stoodAll : says.stood({ many: path.length }),
      says.stoodUnder({ tokens: path.length + (round.extra ? 1 : 0) }),
    ],
  };
}

/** Up to five ranges of how many of that many guesses are accepted; the first is none, the last all. */
function binsOf(many) {
  if (many <= 4) return Array.from({ length: many + 1 }, (_, value) => [value, value]);
  const inner = many - 1;
  const cuts = [0, Math.ceil(inner / 3), Math.ceil((2 * inner) / 3), inner];
  return [[0, 0], ...[0, 1, 2].map((at) => [cuts[at] + 1, cuts[at + 1]]), [many, many]];
}

/**
 * True if a tree gave more tokens than plain decoding would have in its time; null where plain decoding was
 * not timed.
 */
function payOf({ trace }, round, common) {
  const race = raceOf(trace);
  if (!race) return null;
  const made = round.path.length + (round.extra ? 1 : 0);
  const passes = spent(race.rounds[round.index]) / (sum(race.passes) / race.passes.length);
  const pays = made > passes;
  return {
    ...common,
    kind: 'pay',
    says: says.pay({ many: round.verdicts.length }),
    under: says.payUnder,
    options: says.yesNo,
    right: pays ? 0 : 1,
    after: [says.paid({ pays }), says.paidUnder({ tokens: made, passes: factor(passes) })],
  };
}

/** Which of four tokens cannot take the place of a rejected guess: one that p has no more of than q. */
function cannotOf(story, round) {
  const { extra, verdicts } = round;
  if (extra?.emission !== 'resampled' || extra.zero_residual) return [];
  const refused = verdicts[extra.node];
  const rule = ruleOf(story.trace.info, refused);
  if (rule.by !== 'number' || rule.weighs) return [];
  const { bars } = viewAt(round, extra.node);
  const left = bars
    .filter(({ residual }) => residual > 0)
    .sort((one, other) => other.residual - one.residual)
    .slice(0, 3);
  const gone = bars
    .filter(({ residual }) => residual === 0)
    .sort(
      (one, other) =>
        Number(one.token === refused.token) - Number(other.token === refused.token) || other.p - one.p,
    )[0];
  if (left.length < 2 || !gone) return [];
  const options = [...left, gone].sort((one, other) => one.token - other.token);
  return [
    {
      kind: 'cannot',
      ask: { at: beatOf(story, round.index, 'verdict', extra.node), node: null },
      tell: beatOf(story, round.index, 'residual', extra.node),
      moves: true,
      says: says.cannot({ text: inSentence(refused.text) }),
      under: says.cannotUnder,
      options: options.map(({ text }) => words.quoted({ token: inSentence(text) })),
      right: options.indexOf(gone),
      after: [
        says.gone({ text: inSentence(gone.text) }),
        says.goneUnder({ p: number(gone.p), q: number(gone.q) }),
      ],
    },
  ];
}

/**
 * Which γ would be fastest, by the run's own costs and share of accepted guesses; nothing where these are
 * not known.
 */
function gammaOf({ trace }) {
  if (!raceOf(trace) || !trace.rounds.every(isChain)) return [];
  const { alpha, c, v, overhead, gamma } = costsOf(trace);
  if (alpha === null || !gamma) return [];
  const cost = (width) => 1 + ((v - 1) * (width - 1)) / gamma;
  const fast = GAMMAS.map((each) => (each ? speedup(alpha, each, c, cost(each + 1), overhead) : 1));
  const right = fast.indexOf(Math.max(...fast));
  return [
    {
      kind: 'gamma',
      ask: { at: 0, node: null },
      tell: 0,
      moves: false,
      says: says.gamma,
      under: says.gammaUnder,
      options: GAMMAS.map((each) => `γ ${each}`),
      right,
      after: [
        says.best({ gamma: GAMMAS[right], times: factor(fast[right]) }),
        says.bestUnder({ alpha: number(alpha), c: number(c) }),
      ],
    },
  ];
}

/** The beat at which all guesses of a round are there and the target has not answered. */
function guessed(story, round) {
  return beatOf(story, round.index, 'draft', levelsOf(round).at(-1)[0]);
}

/** A range of counts as an answer. */
function binOf(low, high, all) {
  const says = words.quiz;
  if (high === 0) return says.none;
  if (low === all) return says.all({ many: all });
  return low === high ? String(low) : says.between({ low, high });
}

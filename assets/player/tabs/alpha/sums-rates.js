/**
 * sums-rates.js: how often guesses were accepted, counted three ways, by position and by round, and the
 * measured tokens per pass against what one constant alpha predicts. Pure. specviz/trace/metrics.py counts
 * the same.
 */

import { decidingOf, offeredOf, placesOf } from '../../trace/timeline.js';
import { Z95, deviation, mean, mode, share, sum } from '../../base/statistics.js';
import { expectedTokens } from '../../base/theory.js';

/**
 * What some rounds come to: { rounds, drafted, tested, accepted, emitted, rates, overlap, gamma, perPass,
 * slots, kept }. rates: { tested, drafted, emitted }, each a share { part, whole, value, low, high } of
 * accepted guesses, alpha-hat being the first; overlap: mean sum of min(p, q) of the guesses that decided;
 * gamma: { usual, mean, low, high }; perPass: { mean, reach }, tokens a target pass and 1.96 standard
 * errors; slots: a share of the tested for each place in the draft, with its overlap; kept: rounds by how
 * many guesses they kept. What was not counted is null.
 */
export function ratesOf(rounds) {
  const drafted = rounds.flatMap((round) => round.verdicts).length;
  const [tested, deciding] = [rounds.flatMap(placesOf), rounds.flatMap(decidingOf)];
  const accepted = tested.filter(isKept).length;
  const tokens = rounds.map(({ path, extra }) => path.length + (extra ? 1 : 0));
  const emitted = sum(tokens);
  const gammas = rounds.map(offeredOf);
  const deepest = Math.max(0, ...gammas);
  return {
    rounds: rounds.length,
    drafted,
    tested: tested.length,
    accepted,
    emitted,
    rates: Object.fromEntries(
      Object.entries({ tested: tested.length, drafted, emitted }).map(([name, total]) => [
        name,
        share(accepted, total),
      ]),
    ),
    overlap: overlapOf(deciding),
    gamma: {
      usual: mode(gammas),
      mean: sum(gammas) / rounds.length,
      low: Math.min(...gammas),
      high: deepest,
    },
    perPass: { mean: emitted / rounds.length, reach: (Z95 * deviation(tokens)) / Math.sqrt(rounds.length) },
    slots: Array.from({ length: deepest }, (_, slot) => {
      const there = tested.filter(({ depth }) => depth === slot);
      return {
        ...share(there.filter(isKept).length, there.length),
        overlap: overlapOf(deciding.filter(({ depth }) => depth === slot)),
      };
    }),
    kept: Array.from(
      { length: deepest + 1 },
      (_, many) => rounds.filter(({ path }) => path.length === many).length,
    ),
  };
}

/**
 * The number of rounds that would accept 0, 1, ... guesses if alpha were constant, at the gammas of these
 * rounds.
 */
export function predictedKept(rounds, alpha) {
  const deepest = Math.max(0, ...rounds.map(offeredOf));
  return Array.from({ length: deepest + 1 }, (_, many) =>
    sum(
      rounds.map(offeredOf).map((gamma) => {
        if (many > gamma) return 0;
        return alpha ** many * (many < gamma ? 1 - alpha : 1);
      }),
    ),
  );
}

/**
 * Tokens per pass taken apart: measured = expected + byGamma + ended + rest. expected is E at alpha-hat and
 * the usual gamma; byGamma is due to rounds with another gamma; ended to a text that ended among its
 * guesses, without a token of the target's own; rest to taking alpha as constant. null if nothing was
 * tested.
 */
export function gapOf(rounds, { rates, gamma: { usual }, perPass: { mean } }) {
  const alpha = rates.tested.value;
  if (alpha === null) return null;
  const expected = expectedTokens(alpha, usual);
  const byGamma =
    sum(rounds.map((round) => expectedTokens(alpha, offeredOf(round)))) / rounds.length - expected;
  const ended = -rounds.filter(({ extra }) => !extra).length / rounds.length;
  const others = rounds.filter((round) => offeredOf(round) !== usual).length;
  return {
    alpha,
    gamma: usual,
    measured: mean,
    expected,
    byGamma,
    ended,
    rest: mean - expected - byGamma - ended,
    others,
  };
}

/**
 * Rounds of which half keep every guess with one alpha, half with another: { mean: of the two, tokens: a
 * round gives, predicted: E at the mean, counted: what accepted / tested comes to, atCounted: E there }.
 */
export function mixture(easy, hard, gamma) {
  const both = [easy, hard];
  const mean = (easy + hard) / 2;
  const tokens = sum(both.map((alpha) => expectedTokens(alpha, gamma))) / 2;
  const tested = sum(both.map((alpha) => expectedTokens(alpha, gamma - 1))) / 2;
  const counted = (tokens - 1) / tested;
  return {
    mean,
    tokens,
    predicted: expectedTokens(mean, gamma),
    counted,
    atCounted: expectedTokens(counted, gamma),
  };
}

function isKept({ verdict }) {
  return verdict === 'accepted';
}

function overlapOf(verdicts) {
  return mean(verdicts.map(({ view }) => view.overlap));
}

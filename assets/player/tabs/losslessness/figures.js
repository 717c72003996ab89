/**
 * figures.js: what specviz/proof/sampled.py and equality.py found, as sentences and as shares of a chart's
 * width. Pure. Token text arrives raw and leaves with invisible characters spelt out.
 */

import { count, inSentence as spoken, number, percent, show } from '../../base/format.js';
import { said, saidAll } from '../../words/words.js';
import { words } from '../words.js';

/** Below this a p-value is not written out, and the law is called different; findings.LEVEL. */
const LEVEL = 0.001;
/** Stands for the end of the text among sampled tokens; findings.ENDED. */
const ENDED = -1;
/** Sizes offered per factor of ten. */
const PER_DECADE = 10;

/** Numbers of samples to choose from, evenly spaced in their logarithm, of two digits each. */
export function sizes(fewest, most) {
  const steps = Math.round(PER_DECADE * Math.log10(most / fewest));
  return Array.from({ length: steps + 1 }, (_, step) =>
    Number((fewest * 10 ** (step / PER_DECADE)).toPrecision(2)),
  );
}

/** The place of the first size that is no smaller than n. */
export function placeOf(list, n) {
  const index = list.findIndex((size) => size >= n);
  return index < 0 ? list.length - 1 : index;
}

/**
 * Rows of the chart: { token, label, p, share, low, high, at: { p, share, low, high }, outside }, `at` of
 * its width.
 */
export function chart({ cells }) {
  const widest = Math.max(
    ...cells.map(([, , p, share, , high]) => Math.max(p, share, high)),
    Number.MIN_VALUE,
  );
  return cells.map(([token, text, p, share, low, high]) => ({
    token,
    label: token === null ? words.finding.others : token === ENDED ? words.finding.ended : show(text),
    p,
    share,
    low,
    high,
    at: { p: p / widest, share: share / widest, low: low / widest, high: high / widest },
    outside: share < low || share > high,
  }));
}

/** What the sample says, in one sentence. */
export function verdict(finding) {
  const p = pValue(finding.p_value);
  return finding.different
    ? words.finding.different({ p, reason: reason(finding) })
    : words.finding.same({ n: count(finding.n), p });
}

/** The answer: [yes or no, sentence, tone]. */
export function answerOf({ n, law, impossible, different }) {
  const texts = words.finding;
  const said = { n: count(n), law };
  if (!different) return [texts.yes, texts.answer(said), 'same'];
  const more = impossible
    ? texts.impossibleAnswer({ ...said, many: count(impossible) })
    : texts.answerOther(said);
  return [texts.no, more, 'different'];
}

/** What is sampled, of which the verdict speaks. */
export function about({ law, position, given }) {
  return words.finding.about({ law, position: count(position), given: given && show(given) });
}

/**
 * Why the sabotage, or a lossy rule, biases the text, and where it shows if not here; else empty. bug: {
 * name, law, n, harmless } or null; rule: the run's.
 */
export function biased({ different }, bug, lossy = false, rule = '') {
  if (!bug) return lossy ? said(words.finding.lossy[different ? 'shows' : 'hides'], { rule }) : '';
  const reason = words.finding.whys[bug.name];
  return different || bug.harmless
    ? reason
    : `${words.finding.hides({ law: bug.law, n: count(bug.n) })} ${reason}`;
}

/** The small print: [[term, value], ...]. config: the run's; bug: the planted one's title or ''. */
export function numbers(finding, { drafter, rule, temperature }, bug) {
  const { distance, chi2, rounds, seed, drafter: drafts, rule: rules } = words.finding.numbers;
  const line = ([term, value], values) => [term, value(values)];
  return [
    line(distance, {
      tvd: number(finding.tvd),
      median: number(finding.tvd_median),
      high: number(finding.tvd_high),
      rare: !finding.different && finding.tvd > finding.tvd_high ? 'yes' : '',
      exact: finding.distance === undefined ? '' : number(finding.distance),
    }),
    line(chi2, {
      chi2: large(finding.chi2),
      bins: count(finding.bins),
      p: pValue(finding.p_value).replace('= ', ''),
    }),
    line(rounds, {
      rounds: count(finding.rounds),
      rule,
      accepted: percent(finding.accepted),
      overlap: percent(finding.overlap),
    }),
    line(seed, { seed: String(finding.seed) }),
    line(drafts, { drafter, temperature: String(temperature) }),
    line(rules, { rule, bug }),
  ];
}

/**
 * A run against plain decoding: { sentence, shown, rows: { speculative, plain }, mark, logits }. rows hold
 * visible token texts, mark is the place of the first difference among them, -1 if there is none; logits
 * are [heads, lines] or null.
 */
export function equality({ start, tokens, speculative, plain, differs, logits, error, rounding, gap, tie }) {
  const texts = words.finding.equality;
  const rows = { speculative: speculative.map(show), plain: plain.map(show) };
  const mark = differs === null ? -1 : differs - start;
  const numbers = {
    at: count((differs ?? 0) + 1),
    gap: number(gap),
    error: number(error),
    rounding: number(rounding),
  };
  return {
    sentence: mark < 0 ? texts.equal({ tokens: count(tokens) }) : texts[tie ? 'tie' : 'bug'](numbers),
    shown: texts.shown({ from: count(start + 1), to: count(start + plain.length), tokens: count(tokens) }),
    rows,
    mark,
    logits:
      mark < 0
        ? null
        : [
            saidAll(texts.columns, {
              speculative: words.quoted({ token: rows.speculative[mark] }),
              plain: words.quoted({ token: rows.plain[mark] }),
            }),
            logits.map(([one, other], pass) => [
              texts.passes[pass],
              one.toFixed(4),
              other.toFixed(4),
              number(Math.abs(one - other)),
            ]),
          ],
  };
}

/**
 * From the lines of a model's check: how many came out the same, in large, all of that in a sentence, and what the
 * whole came to.
 * @param {{ what: object, verdict: string, detail: object }[]} lines
 * @returns {{ large: string, sentence: string, kind: string }}
 */
export function modelSummary(lines) {
  const texts = words.finding.model;
  const many = (verdict) => lines.filter((line) => line.verdict === verdict).length;
  const counts = Object.entries(texts.counts)
    .filter(([verdict]) => many(verdict))
    .map(([verdict, text]) => text({ many: count(many(verdict)) }));
  return {
    large: `${count(many('same'))} / ${count(lines.length)}`,
    sentence: texts.summary({ all: count(lines.length), counts }),
    kind: many('other') ? 'different' : 'same',
  };
}

function pValue(value) {
  return value < LEVEL ? '< 0.001' : `= ${number(value, 2)}`;
}

/** Three digits, but no fewer than a whole number has. */
function large(value) {
  return value >= 1000 ? count(Math.round(value)) : number(value);
}

/** The number that turned the verdict: the least likely share, unless what came up cannot come up at all. */
function reason({ impossible, n, law, chi2, bins, cells }) {
  if (impossible) return words.finding.impossible({ many: count(impossible), n: count(n), law });
  const surprise = ([, , p, share]) => Math.abs(share - p) / Math.sqrt(Math.max(p * (1 - p), 1 / n ** 2));
  const [token, text, p, share] = cells.reduce((most, cell) =>
    surprise(cell) > surprise(most) ? cell : most,
  );
  const name = token === null ? words.finding.others : words.quoted({ token: spoken(text) });
  return words.finding.worst({
    chi2: large(chi2),
    bins: count(bins),
    token: name,
    share: number(share),
    p: number(p),
  });
}

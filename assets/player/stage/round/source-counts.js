/**
 * source-counts.js: where a guess comes from that was counted: a table of word pairs, and one of phrases.
 * Pure. Every number is one of the tables that the guess's record shows, or a sum of them.
 */

import { count, inSentence, number, show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { said } from '../../words/words.js';
import { words } from '../words.js';

const texts = words.source;
/** How many followers stand in the sentence, and in a row of the phrases. */
const SAID = 2;
const BESIDE = 3;
/** Tokens of the longest context. */
const LONGEST = 4;

/** The tokens right before a guess, of the text and of its branch, the last ones last. */
export function tokensBefore({ text }, round, node, many) {
  const branch = branchOf(round, node)
    .slice(0, -1)
    .map((each) => show(round.verdicts[each].text));
  const committed = text.slice(Math.max(0, round.position - many), round.position).map((each) => each.text);
  return [...committed, ...branch].slice(-many);
}

/**
 * After the last token: { kind: 'pairs', context, seen, rows: [{ text, times, share, guess }], others, k };
 * shares are of the largest row.
 */
export function pairsOf(story, round, _, node) {
  const { source, token } = round.verdicts[node];
  const [context] = tokensBefore(story, round, node, 1);
  const [table] = source.tables ?? [];
  if (!table)
    return {
      line: texts.pairs.older({ context: inSentence(context), seen: count(source.counts?.seen ?? 0) }),
      picture: null,
    };
  const largest = Math.max(1, ...table.followers.map(({ seen }) => seen));
  const others = table.seen - table.followers.reduce((sum, { seen }) => sum + seen, 0);
  return {
    line: texts.pairs[table.context ? 'line' : 'nothing']({
      context: inSentence(context),
      seen: count(table.seen),
      items: table.followers.slice(0, SAID).map(timesOf),
    }),
    picture: {
      kind: 'pairs',
      title: said(texts.pairs[table.context ? 'title' : 'alone'], {
        context: inSentence(context),
        seen: count(table.seen),
      }),
      rows: table.followers.map((each) => ({
        text: show(each.text),
        times: count(each.seen),
        share: each.seen / largest,
        guess: each.token === token,
      })),
      others: others > 0 ? texts.pairs.others({ times: count(others) }) : '',
    },
  };
}

function timesOf({ text, seen, own }) {
  return texts.times({ text: inSentence(text), times: count(seen + own) });
}

/**
 * The contexts from the longest down: { kind: 'phrases', title, rows: [{ context: [text], known, says, share,
 * percent, followers: [{ text, times, guess }], main }] }.
 */
export function phrasesOf(story, round, _, node) {
  const { source, token } = round.verdicts[node];
  const before = tokensBefore(story, round, node, LONGEST);
  const tables = source.tables ?? [];
  const longest = tables.find(({ followers }) => followers.some(followed)) ?? tables[0];
  const { context: length = 0, seen = 0, own = 0 } = longest ?? source.counts ?? {};
  const line = texts.phrases.line({
    context: before
      .slice(-length || before.length)
      .map((each) => each.replace(/^·/u, ' '))
      .join('')
      .trim(),
    known: length,
    seen: count(seen),
    own: count(own),
  });
  if (!longest) return { line, picture: null };
  const main = Math.max(...tables.map(({ share }) => share));
  return {
    line,
    picture: {
      kind: 'phrases',
      title: texts.phrases.title,
      rows: Array.from({ length: before.length }, (_, at) => before.length - at).map((many) =>
        rowOf(
          before.slice(-many),
          tables.find(({ context }) => context === many),
          { token, main },
        ),
      ),
      rest: texts.phrases.rest({ share: percentOf(1 - tables.reduce((sum, { share }) => sum + share, 0)) }),
    },
  };
}

function rowOf(context, table, { token, main }) {
  if (!table)
    return { context, known: false, says: texts.phrases.unknown, share: 0, percent: '', followers: [] };
  return {
    context,
    known: true,
    says: texts.phrases[table.followers.some(followed) ? 'seen' : 'apart']({
      seen: count(table.seen),
      own: count(table.own),
    }),
    share: table.share,
    percent: percentOf(table.share),
    main: table.share === main,
    followers: chosenOf(table.followers).map((each) => ({
      text: show(each.text),
      times: count(each.seen + each.own),
      guess: each.token === token,
    })),
  };
}

const followed = ({ seen, own }) => seen + own > 0;

/** The first few, which did follow. */
function chosenOf(followers) {
  return followers.filter(followed).slice(0, BESIDE);
}

function percentOf(share) {
  const hundred = 100 * Math.max(0, share);
  return `${hundred >= 10 || hundred === 0 ? Math.round(hundred) : number(hundred, 2)} %`;
}

/**
 * table.js: guesses from a table: word pairs, phrases, what the target ranked highest, what updates moved, and
 * how many tokens a grammar allows. Pure. Every number is one that the guess's record shows, or a sum of them.
 */

import { count, inSentence, number, plainName, show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { said } from '../../words/words.js';
import { words } from '../words.js';
import { isForced } from '../round/grammar.js';
import { told, tokensBefore } from './parts.js';

const texts = words.source;
/** So many followers stand in the sentence, and in a row of the phrases. */
const SAID = 2;
const BESIDE = 3;
/** Tokens of the longest context. */
const LONGEST = 4;
/** So many tokens on the way to a guess, updates and places are shown. */
const BRANCH = 3;
const UPDATES = 4;
const PLACES = 8;

/** What followed the last token, and how often. */
export function pairsOf(story, round, moment, node) {
  const { source, token } = round.verdicts[node];
  const [table] = source.tables ?? [];
  if (!table) return told(story, round, moment, node);
  const context = inSentence(tokensBefore(story, round, node, 1)[0]);
  const largest = Math.max(1, ...table.followers.map(({ seen }) => seen));
  const others = table.seen - table.followers.reduce((sum, { seen }) => sum + seen, 0);
  const values = { context, seen: count(table.seen) };
  return {
    line: texts.pairs[table.context ? 'line' : 'nothing']({
      ...values,
      items: table.followers.slice(0, SAID).map(timesOf),
    }),
    picture: {
      kind: 'table',
      title: said(texts.pairs[table.context ? 'title' : 'alone'], values),
      columns: 1,
      rows: table.followers.map((each) => ({
        name: show(each.text),
        guess: each.token === token,
        lands: 'frame',
        cells: [{ share: each.seen / largest, value: count(each.seen) }],
      })),
      key: others > 0 ? [texts.pairs.others({ times: count(others) })] : [],
    },
  };
}

function timesOf({ text, seen, own }) {
  return texts.times({ text: inSentence(text), times: count(seen + own) });
}

/** The contexts, the longest first: what followed each, and how much of q it supplies. */
export function phrasesOf(story, round, _, node) {
  const { source, token } = round.verdicts[node];
  const before = tokensBefore(story, round, node, LONGEST);
  const tables = source.tables ?? [];
  const longest = tables.find(({ followers }) => followers.some(followed)) ?? tables[0];
  const { context: length = 0, seen = 0, own = 0 } = longest ?? source.counts ?? {};
  const line = texts.phrases.line({
    context: joined(before.slice(-length || before.length)).trim(),
    known: length,
    seen: count(seen),
    own: count(own),
  });
  if (!longest) return { line, picture: null };
  const main = Math.max(...tables.map(({ share }) => share));
  return {
    line,
    picture: {
      kind: 'table',
      title: texts.phrases.title,
      columns: BESIDE + 1,
      rows: Array.from({ length: before.length }, (_, at) => before.length - at).map((many) => {
        const table = tables.find(({ context }) => context === many);
        return { name: before.slice(-many).join(''), ...contextOf(table, { token, main }) };
      }),
      key: [texts.phrases.rest({ share: percentOf(1 - tables.reduce((sum, { share }) => sum + share, 0)) })],
    },
  };
}

const joined = (pieces) => pieces.map((each) => each.replace(/^·/u, ' ')).join('');
const followed = ({ seen, own }) => seen + own > 0;

/** What a table holds of its context: the first that followed, and its share of q. */
function contextOf(table, { token, main }) {
  if (!table) return { note: texts.phrases.unknown, look: 'unknown', cells: [] };
  const after = table.followers.filter(followed);
  return {
    note: texts.phrases[after.length ? 'seen' : 'apart']({ seen: count(table.seen), own: count(table.own) }),
    now: table.share === main,
    cells: [
      ...after
        .slice(0, BESIDE)
        .map((each, at) => ({
          text: show(each.text),
          value: count(each.seen + each.own),
          guess: each.token === token,
          lands: 'frame',
          at,
        })),
      { share: table.share, value: percentOf(table.share), at: BESIDE },
    ],
  };
}

function percentOf(share) {
  const hundred = 100 * Math.max(0, share);
  return `${hundred >= 10 || hundred === 0 ? Math.round(hundred) : number(hundred, 2)} %`;
}

/** The eight tokens that the target ranked highest after each token on the way to the guess. */
export function recyclingOf(story, round, _, node) {
  const rows = branchOf(round, node).map((each) => eightOf(story, round, each));
  const { after, when, rank } = rows.at(-1);
  const line = texts.eight.line({ after, when, rank, text: inSentence(round.verdicts[node].text) });
  if (rows.some(({ cells }) => !cells.length)) return { line, picture: null };
  const shown = rows.slice(-BRANCH).map((row) => ({ name: row.after, note: row.when, cells: row.cells }));
  const columns = Math.max(...shown.map(({ cells }) => cells.length));
  return { line, picture: { kind: 'table', title: texts.eight.title, columns, rows: shown } };
}

function eightOf(story, round, node) {
  const { source, token, parent } = round.verdicts[node];
  const first = round.verdicts.find((each) => each.parent === parent); // it has the table for its siblings
  const [table] = first.source.tables ?? [];
  const { code = '', rounds = 0 } = source.words ?? {};
  const kind = ['rounds', 'rejected'].find((each) => code === `reasons.recycled.${each}`) ?? 'prompt';
  return {
    after: inSentence(tokensBefore(story, round, node, 1)[0]),
    when: said(texts.eight.when[kind], { rounds }),
    rank: source.rank + 1,
    cells: (table?.followers ?? []).map((each) => ({
      text: show(each.text),
      look: 'box',
      guess: each.token === token,
    })),
  };
}

/** What the last updates did to q of a token that the target gave, on the way to p. */
export function learnedOf({ trace }, round, moment) {
  const { learning } = round;
  const all = trace.rounds.slice(0, moment.round + 1).map((each) => each.learning?.moved);
  const moves = all.filter((moved, at) => moved && !same(moved, all[at - 1])).slice(-UPDATES);
  const { updates = 0, used = true, moved } = learning ?? {};
  const kind = !updates ? 'none' : used ? 'used' : 'unused';
  const [before, after, p] = [moved?.before, moved?.after, moved?.p].map((value) => number(value ?? 0, 2));
  const values = { updates, text: inSentence(moved?.text ?? ''), p, before, after, known: Boolean(moved) };
  const line = said(texts.learned.line[kind], values);
  if (!moved) return { line, picture: null };
  const largest = Math.max(...moves.flatMap((each) => [each.p, each.before, each.after])) || 1;
  return {
    line,
    picture: {
      kind: 'table',
      title: texts.learned.title,
      columns: 3,
      rows: moves.map((each) => ({
        name: show(each.text),
        now: each === moved,
        cells: [each.before, each.after, each.p].map((value, at) => ({
          share: value / largest,
          value: number(value, 2),
          look: ['before', '', 'target'][at],
        })),
      })),
      key: [texts.learned.note],
    },
  };
}

/** Whether two rounds tell of one update. */
function same(one, other) {
  return other && one.token === other.token && one.before === other.before && one.after === other.after;
}

/** The tokens allowed at each place up to the newest guess, of which that with one alone is forced. */
export function forcedOf({ trace }, { verdicts }, { slot }, node) {
  const { vocab_size: vocabulary } = trace.info;
  const { text, source, view } = verdicts[node];
  const values = { text: inSentence(text), who: plainName(source.who), of: count(vocabulary) };
  const kind = isForced(verdicts[node]) ? 'forced' : view.allowed ? 'some' : 'any';
  const allowedAt = (verdict) => verdict.view.allowed || vocabulary;
  const first = Math.max(0, slot + 1 - PLACES);
  return {
    line: texts.held.line[kind]({ ...values, shown: count(view.allowed ?? 0) }),
    picture: {
      kind: 'table',
      title: texts.held.title({ of: count(vocabulary) }),
      columns: 1,
      rows: verdicts
        .slice(first, slot + 1)
        .map((verdict, at) => ({
          name: show(verdict.text),
          guess: true,
          lands: first + at === slot && verdict.law === 'row' ? 'whole' : '',
          now: first + at === node,
          look: isForced(verdict) ? 'forced' : '',
          cells: [
            { share: Math.log(allowedAt(verdict)) / Math.log(vocabulary), value: count(allowedAt(verdict)) },
          ],
        })),
      key: [texts.held.key],
    },
  };
}

/**
 * source-copies.js: where a guess comes from that was copied: from earlier in this text, from a library, or
 * from what the target once ranked highest. Pure. Everything is read from the guess's record.
 */

import { count, inSentence, show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { said, tell } from '../../words/words.js';
import { words } from '../words.js';
import { tokensBefore } from './source-counts.js';

const texts = words.source;
/** How many tokens are shown before a match, and of a match. */
const LEAD = 4;
const MATCH = 8;
/** How many places are drawn one by one. */
const PLACES = 12;

/** A number among the values of a recorded sentence, which a file may hold as anything. */
function valueOf(sentence, name) {
  const value = Number(sentence?.[name]);
  return Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0;
}

/** Tokens as a piece of a sentence. */
function quoted(pieces) {
  return pieces.join('').replaceAll('·', ' ').trim();
}

/** The end of this text, over the earlier place where the same tokens stood. */
export function lookupOf(story, round, _, node) {
  if (!round.verdicts[node].source.span)
    return { line: tell(round.verdicts[node].source.words), picture: null };
  const made = earlierOf(story, round, node);
  const { length } = made;
  return {
    line: texts.lookup.line({ length, match: quoted(made.match), place: count(made.place + 1) }),
    picture: {
      kind: 'copies',
      title: texts.lookup.title({ place: count(made.place + 1) }),
      from: texts.inText,
      ...made.rows,
    },
  };
}

/** The same, with how often this token followed at all the places that match. */
export function suffixOf(story, round, _, node) {
  const { words: sentence, span } = round.verdicts[node].source;
  if (!span) return { line: tell(sentence), picture: null };
  const [many, of] = [valueOf(sentence, 'many'), valueOf(sentence, 'of')];
  const text = inSentence(round.verdicts[node].text);
  const made = earlierOf(story, round, node);
  return {
    line: texts.suffix.line({ length: made.length, match: quoted(made.match), text, many, of }),
    picture: {
      kind: 'copies',
      title: texts.suffix.title({ place: count(span[0] + 1) }),
      from: texts.inText,
      ...made.rows,
      tally: tallyOf(many, of, texts.suffix.tally({ many, of, text })),
    },
  };
}

/** { length, match, place, rows }: where the match stood before, token under token. */
function earlierOf(story, round, node) {
  const { source, depth } = round.verdicts[node];
  const length = valueOf(source.words, 'length');
  const [place] = source.span;
  const first = place - depth;
  const shown = Math.min(length, MATCH);
  const at = (from, to) => story.text.slice(Math.max(0, from), Math.max(0, to)).map(({ text }) => text);
  const match = at(first - shown, first);
  const lead = at(first - shown - LEAD, first - shown);
  return {
    length,
    match: at(first - length, first),
    place: first - length,
    rows: rowsOf(story, round, node, { lead, match, copied: at(first, place + 1), length }),
  };
}

/** The two rows of the picture, with as many columns: there, and here. */
function rowsOf(story, round, node, { lead, match, copied, length }) {
  const cells = (pieces, look) => pieces.map((text) => ({ text, look }));
  const branch = branchOf(round, node).map((each) => show(round.verdicts[each].text));
  const before = story.text
    .slice(Math.max(0, round.position - match.length - lead.length), round.position - match.length)
    .map(({ text }) => text);
  const pad = (pieces) => [...Array.from({ length: lead.length - pieces.length }, () => ''), ...pieces];
  return {
    more: length > match.length ? texts.more({ many: length - match.length }) : '',
    there: [...cells(lead, 'lead'), ...cells(match, 'match'), ...cells(copied, 'copied')],
    here: [...cells(pad(before), 'lead'), ...cells(match, 'match'), ...cells(branch, 'guess')],
  };
}

/** Places, one mark each, of which the first ones continue with the guess. */
function tallyOf(many, of, says) {
  return { marks: Array.from({ length: Math.min(of, PLACES) }, (_, at) => at < many), says };
}

/** The end of this text, over the page of a library where it was found. */
export function retrievalOf(story, round, _, node) {
  const { text, source } = round.verdicts[node];
  const { passage, words: sentence } = source;
  const [seen, places] = [valueOf(sentence, 'seen'), valueOf(sentence, 'places')];
  const work = typeof sentence?.work === 'string' ? sentence.work : '';
  const values = { seen, places, work, text: inSentence(text) };
  if (!passage) return { line: texts.works.older(values), picture: null };
  const pieces = passage.texts.map(show);
  const first = pieces.length - passage.copied;
  const shown = Math.min(passage.matched, MATCH, first);
  const match = pieces.slice(first - shown, first);
  return {
    line: texts.works.line({
      ...values,
      length: passage.matched,
      match: quoted(pieces.slice(Math.max(0, first - passage.matched), first)),
    }),
    picture: {
      kind: 'copies',
      title: texts.works.title({ work }),
      from: texts.works.name,
      ...rowsOf(story, round, node, {
        lead: pieces.slice(Math.max(0, first - shown - LEAD), first - shown),
        match,
        copied: pieces.slice(first),
        length: passage.matched,
      }),
      tally: tallyOf(seen, places, texts.works.tally(values)),
    },
  };
}

/** The eight tokens that the target ranked highest after each token on the way to the guess. */
export function recyclingOf(story, round, _, node) {
  const branch = branchOf(round, node);
  const rows = branch.map((each) => eightOf(story, round, each));
  const { after, when, rank } = rows.at(-1);
  const line = texts.eight.line({ after, when, rank, text: inSentence(round.verdicts[node].text) });
  if (rows.some(({ cells }) => !cells.length)) return { line, picture: null };
  return { line, picture: { kind: 'eight', title: texts.eight.title, rows: rows.slice(-3) } };
}

function eightOf(story, round, node) {
  const { source, token, parent } = round.verdicts[node];
  const first = round.verdicts.find((each) => each.parent === parent); // it has the table for its siblings
  const [table] = first.source.tables ?? [];
  const { code = '', rounds = 0 } = source.words ?? {};
  const kind =
    ['prompt', 'rounds', 'rejected'].find((each) => code === `reasons.recycled.${each}`) ?? 'prompt';
  return {
    after: inSentence(tokensBefore(story, round, node, 1)[0]),
    when: said(texts.eight.when[kind], { rounds }),
    rank: source.rank + 1,
    cells: (table?.followers ?? []).map((each) => ({ text: show(each.text), guess: each.token === token })),
  };
}

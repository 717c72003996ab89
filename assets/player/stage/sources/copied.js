/**
 * copied.js: guesses that were copied, from earlier in this text or from a library: what stood there over the end of
 * this text, token under token. Pure. Everything is read from the guess's record.
 */

import { count, inSentence, show } from '../../base/format.js';
import { branchOf } from '../../trace/moment.js';
import { words } from '../words.js';
import { told } from './parts.js';

const texts = words.source;
/** So many tokens are shown before a match, and of a match. */
const LEAD = 4;
const MATCH = 8;

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
export function lookupOf(story, round, moment, node) {
  if (!round.verdicts[node].source.span) return told(story, round, moment, node);
  const { length, match, place, rows } = earlierOf(story, round, node);
  return {
    line: texts.lookup.line({ length, match: quoted(match), place: count(place + 1) }),
    picture: pictureOf(texts.lookup.title({ place: count(place + 1) }), rows),
  };
}

/** The same, with how often this token followed at all the places that match. */
export function suffixOf(story, round, moment, node) {
  const { words: sentence, span } = round.verdicts[node].source;
  if (!span) return told(story, round, moment, node);
  const [many, of] = [valueOf(sentence, 'many'), valueOf(sentence, 'of')];
  const text = inSentence(round.verdicts[node].text);
  const { length, match, rows } = earlierOf(story, round, node);
  return {
    line: texts.suffix.line({ length, match: quoted(match), text, many, of }),
    picture: pictureOf(texts.suffix.title({ place: count(span[0] + 1) }), rows),
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
  const there = {
    from: texts.inText,
    lead: at(first - shown - LEAD, first - shown),
    match: at(first - shown, first),
    copied: at(first, place + 1),
    length,
  };
  const rows = rowsOf(story, round, node, there);
  return { length, match: at(first - length, first), place: first - length, rows };
}

/** The end of this text, over the page of a library where it was found. */
export function retrievalOf(story, round, moment, node) {
  const { text, source } = round.verdicts[node];
  const { passage, words: sentence } = source;
  if (!passage) return told(story, round, moment, node);
  const [seen, places] = [valueOf(sentence, 'seen'), valueOf(sentence, 'places')];
  const work = typeof sentence?.work === 'string' ? sentence.work : '';
  const pieces = passage.texts.map(show);
  const first = pieces.length - passage.copied;
  const shown = Math.min(passage.matched, MATCH, first);
  const match = quoted(pieces.slice(Math.max(0, first - passage.matched), first));
  const there = {
    from: texts.works.name,
    lead: pieces.slice(Math.max(0, first - shown - LEAD), first - shown),
    match: pieces.slice(first - shown, first),
    copied: pieces.slice(first),
    length: passage.matched,
  };
  return {
    line: texts.works.line({ seen, places, work, text: inSentence(text), length: passage.matched, match }),
    picture: pictureOf(texts.works.title({ work }), rowsOf(story, round, node, there)),
  };
}

/** The two rows of the picture, with as many columns, there and here, and what of the match is not in it. */
function rowsOf(story, round, node, { from, lead, match, copied, length }) {
  const cells = (pieces, look) => pieces.map((text) => ({ text, look }));
  const start = round.position - match.length;
  const before = story.text.slice(Math.max(0, start - lead.length), start).map(({ text }) => text);
  const pad = Array.from({ length: lead.length - before.length }, () => '');
  const branch = branchOf(round, node).map((each) => ({
    text: show(round.verdicts[each].text),
    guess: true,
  }));
  const here = [...cells([...pad, ...before], 'lead'), ...cells(match, 'match'), ...branch];
  const rows = [
    { name: from, cells: [...cells(lead, 'lead'), ...cells(match, 'match'), ...cells(copied, 'copied')] },
    { name: texts.here, cells: here },
  ];
  return { rows, key: length > match.length ? [texts.more({ many: length - match.length })] : [] };
}

function pictureOf(title, { rows, key }) {
  return { kind: 'copied', title, columns: Math.max(...rows.map(({ cells }) => cells.length)), rows, key };
}

/**
 * read-source.js: reads where a guess came from, field by field, of a file that nobody vouches for. Pure.
 */

import { ignored, integer, list, nullable, number, object, optional } from './readers.js';

/** The most tokens of a context, followers of one, tokens of a passage, and weights. */
const [CONTEXT, FOLLOWERS, PASSAGE, WEIGHTS] = [16, 20, 128, 32];
const share = number(0, 1);
const times = integer(0, 1e12);
const token = integer(0, 1e7);

/** A reader of a source, from the readers of what it holds. */
export function sourceReader({ letters, name, sentence, node, slots }) {
  const follower = object({ token, text: letters, seen: times, own: times });
  const table = object({
    context: integer(0, CONTEXT),
    seen: times,
    own: times,
    share,
    followers: list(follower, FOLLOWERS),
  });
  const passage = object({
    tokens: ignored,
    texts: list(letters, PASSAGE),
    matched: integer(0, PASSAGE),
    copied: integer(1, PASSAGE),
  });
  const rounding = object({
    width: integer(1, 1e7),
    largest: number(0, 1e9),
    full: list(number(-1e9, 1e9), WEIGHTS),
    rounded: list(integer(-127, 127), WEIGHTS),
  });
  return object({
    who: name,
    rank: node,
    span: nullable(list(slots, 2)),
    counts: nullable(object({ context: slots, seen: times, own: times })),
    words: sentence,
    inner: optional(object({ who: name, token, text: letters })),
    tables: optional(list(table, CONTEXT)),
    passage: optional(passage),
    rounding: optional(rounding),
  });
}

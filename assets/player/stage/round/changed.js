/**
 * changed.js: what penalties and bans made of p at a place, and for which tokens of the text. Pure.
 */

import { inSentence, number } from '../../base/format.js';
import { isChain } from '../../trace/timeline.js';
import { words } from '../words.js';

/** Those that count a token; those that its whole sequence must match; the others bar a token whatever is there. */
const CAUSES = {
  repetition: 'seen',
  frequency: 'seen',
  presence: 'seen',
  no_repeat: 'again',
  banned: 'completes',
  bias: 'completes',
};
const SCORED = ['bias', 'repetition', 'frequency', 'presence'];
/** What another token must have lost to be worth a sentence. */
const SEEN = 0.01;

/** The names of what changed the bars of a view: one, or all of them together. */
export function namedIn({ changed = [] }) {
  const found = [...new Set(changed.map(({ by }) => by))];
  return [words.processors[found.length === 1 ? found[0] : 'several']];
}

/**
 * What p of a token was before penalties and bans and why it changed. Where they left its score alone: the same of
 * the token that lost most to a guess of this draft; '' if none did.
 */
export function changedSaid({ prompt }, round, { token: own, view }) {
  const { bars, before = [], changed = [] } = view;
  const by = (token) => changed.filter((each) => each.token === token);
  const guessed = ({ token }) =>
    by(token).some(({ places }) => places.some((place) => place >= round.position));
  const lost = bars.map((bar, at) => ({ ...bar, was: before[at], less: before[at] - bar.p }));
  const own_ = lost.find(({ token }) => token === own);
  if (own_?.less && by(own).length) return said(prompt, round, own_, by(own), true);
  const [most] = lost
    .filter((bar) => bar.less > SEEN && guessed(bar))
    .sort((one, other) => other.less - one.less);
  return most ? said(prompt, round, most, by(most.token), false) : '';
}

/** changes: of that token; own: it is what the card is about. */
function said(prompt, round, { text, was }, changes, own) {
  const ban = changes.find(({ by }) => !SCORED.includes(by)); // whatever else changed it, it is 0
  const counted = changes.filter(({ by }) => CAUSES[by] === 'seen');
  const named = ban ? [ban] : counted.length ? counted : changes;
  const places = [...new Set(named.flatMap((each) => each.places))].sort((one, other) => one - other);
  const guesses = places.filter((place) => place >= round.position);
  const cause = places.length ? CAUSES[named[0].by] : null;
  const where = places.at(-1) < prompt.length ? 'prompt' : 'text';
  return words.why.changed({
    was: number(was),
    own,
    by: named.map(({ by }) => words.processors[by]),
    cause,
    token: inSentence(text),
    where: guesses.length ? 'guess' : cause === 'seen' ? where : null,
    guesses: guesses.map((place) => String(place - round.position + 1)),
    many: guesses.length,
    forks: !isChain(round),
  });
}

/**
 * sums-lanes.js: lanes beside each other: what each cost, and how their texts must compare. Pure.
 * A lane: { letter, title, tokens, refused }; a decoded lane also has what fixes its tokens (its rule in
 * timeline.js), whether it is lossy, and its counts.
 */

import { count } from '../../base/format.js';
import { ruleOf } from '../../rules/rules.js';
import { token } from '../../trace/story.js';
import { words } from '../words.js';

/** The letter of lane 0, 1, ... */
export const letter = (index) => String.fromCharCode(65 + index);

/**
 * What the server reports of a lane, to be drawn; config: of the run on stage. tokens: as the text shows them,
 * each with whether a target pass begins there. fixed: what fixes them whoever guesses: `greedy`, `coupled`,
 * or null. counts: { tested, accepted, passes, rolled_back }.
 */
export function decoded({ written, traits, counts }, config) {
  return {
    tokens: written.map(({ token: id, text, state, round }, index) => ({
      ...token(text, id, state, null),
      starts: round !== written[index - 1]?.round,
    })),
    fixed: traits.plain_text ? ruleOf({ config, traits, ensemble: null }).name : null,
    lossy: !traits.lossless,
    counts,
  };
}

/** What every lane wrote at a position: [[letter, token or null], ...]. */
export function across(lanes, position) {
  return lanes
    .filter(({ tokens }) => tokens)
    .map(({ letter: name, tokens }) => [name, tokens[position] ?? null]);
}

/**
 * What may be said of the texts of decoded lanes: [{ kind, sentence, at }], kind being `equal`, `different` or
 * `same` (the distribution), and at the position from which lanes differ that must not, else null.
 */
export function judgements(lanes) {
  const texts = words.compare.texts;
  if (lanes.length < 2) {
    const sentence = lanes.length ? texts.alone({ lane: lanes[0].letter }) : texts.none;
    return [{ kind: 'none', sentence, at: null }];
  }
  const by = lanes.find(({ fixed }) => fixed)?.fixed;
  const [held, free] = [
    lanes.filter(({ fixed }) => fixed),
    lanes.filter(({ fixed, lossy }) => !fixed && !lossy),
  ];
  const lossy = lanes.filter((lane) => lane.lossy && !lane.fixed);
  const namesOf = (group) => group.map(({ letter: name }) => name);
  return [
    ...(held.length > 1 ? [sameText(held, by)] : []),
    ...(free.length > 1 ? [{ kind: 'same', sentence: texts.law({ lanes: namesOf(free) }), at: null }] : []),
    ...(lossy.length
      ? [{ kind: 'none', sentence: texts.lossy({ lanes: namesOf(lossy), many: lossy.length }), at: null }]
      : []),
  ];
}

function sameText(group, by) {
  const texts = words.compare.texts;
  const [first, ...others] = group;
  const differing = others
    .map((other) => ({ other, at: firstDifference(first.tokens, other.tokens) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  if (!differing.length) {
    const all = { lanes: group.map(({ letter: name }) => name), many: count(first.tokens.length) };
    return { kind: 'equal', sentence: texts[by](all), at: null };
  }
  const [{ other, at }] = differing;
  const [here, there] = [first, other].map(({ tokens }) => tokens[at]?.text ?? words.compare.ended);
  const found = { one: first.letter, other: other.letter, position: count(at + 1), here, there };
  return { kind: 'different', sentence: texts.differ({ ...found, why: texts.must[by] }), at };
}

/** The first position where two texts differ, -1 if there is none. */
function firstDifference(one, other) {
  return Array.from({ length: Math.max(one.length, other.length) }).findIndex(
    (_, index) => one[index]?.id !== other[index]?.id,
  );
}

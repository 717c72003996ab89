/**
 * lanes.js: cache length, draft length and measured time over the whole run, as paths in the units of the
 * data. Pure. Paths depend on the rounds there are; where the playhead stands is a number beside them.
 */

import { number } from '../../base/format.js';
import { gammaLane } from './gammas.js';
import { drafting, spent } from '../../trace/story.js';
import { levelTime, levelsOf, offeredOf } from '../../trace/timeline.js';
import { words } from '../words.js';

/**
 * The lanes of a story: [{ name, about, width, height, paths: [{ kind, d }] }]. x is rounds in the first
 * two and milliseconds in the third; y grows upwards from 0 to height.
 */
export function lanes({ trace: { rounds }, rounds: places, ghost }) {
  return [cacheLane(rounds), gammaLane(rounds, ghost), timeLane(rounds, places)];
}

/** Where the playhead is in each lane, and what it reads there: [{ x, text }]. */
export function playhead({ trace: { rounds }, rounds: places, beats }, at) {
  const { round: index, kind, slot } = kindAt(beats, at);
  const round = rounds[index];
  const verify = places[index].beat + offeredOf(round);
  const share = beats[at].kind === 'rest' ? 1 : (at - verify) / (places[index + 1].beat - 1 - verify);
  const {
    target_cache: target,
    draft_caches: [draft = null],
  } = round;
  const x = index + 0.5;
  return [
    { x, text: words.lane.cacheAt(target, draft) },
    { x, text: words.lane.gammaAt(round.verdicts.length, round.path.length) },
    {
      x: places[index].clock + elapsed(round, kind, slot, share),
      text: words.lane.timeAt(number(spent(round.timing))),
    },
  ];
}

/** At rest the playhead stands at the end of the run. */
function kindAt(beats, at) {
  return beats[at].kind === 'rest' ? beats.at(-1) : beats[at];
}

/** The round under a place in a lane, x in the lane's own unit. */
export function roundAt({ trace: { rounds }, rounds: places }, lane, x) {
  const found = lane === 2 ? places.findLastIndex(({ clock }) => clock <= x) : Math.floor(x);
  return Math.max(0, Math.min(rounds.length - 1, found));
}

function cacheLane(rounds) {
  const height = Math.max(
    1,
    ...rounds.map(({ target_cache: span, draft_caches: drafts }) =>
      Math.max(span.written, ...drafts.map(({ written }) => written)),
    ),
  );
  const line = (span) =>
    rounds
      .map((round, index) => {
        const { before, written, kept } = span(round);
        return `${index ? 'L' : 'M'}${index} ${before}L${index + 0.5} ${written}L${index + 1} ${kept}`;
      })
      .join('');
  const paths = [{ kind: 'target', d: line(({ target_cache: span }) => span) }];
  if (rounds.length && rounds.every(({ draft_caches: drafts }) => drafts.length))
    paths.push({ kind: 'draft', d: line(({ draft_caches: [span] }) => span) });
  return { name: words.lane.cache, about: words.lane.aboutCache, width: rounds.length, height, paths };
}

function timeLane(rounds, places) {
  const paths = { drafting: '', verify: '', other: '' };
  const bar = (from, to) => `M${from.toFixed(3)} 0H${to.toFixed(3)}V1H${from.toFixed(3)}Z`;
  rounds.forEach(({ timing }, index) => {
    let from = places[index].clock;
    for (const { ms } of timing.draft) {
      paths.drafting += bar(from, from + ms);
      from += ms;
    }
    paths.verify += bar(from, from + timing.verify);
    paths.other += bar(from + timing.verify, places[index + 1].clock);
  });
  const width = places.at(-1).clock;
  return {
    name: words.lane.time,
    about: words.lane.aboutTime(number(width)),
    width,
    height: 1,
    paths: Object.entries(paths).map(([kind, d]) => ({ kind, d })),
  };
}

/** Milliseconds into the round at a beat; judging and trimming share what is left evenly. */
function elapsed(round, kind, slot, share) {
  const { timing } = round;
  const drafted =
    kind === 'draft'
      ? levelsOf(round)
          .slice(0, round.verdicts[slot].depth + 1)
          .reduce((sum, _, depth) => sum + levelTime(round, depth), 0)
      : drafting(timing.draft);
  if (kind === 'draft') return drafted;
  const judged = drafted + timing.verify;
  return kind === 'verify' ? judged : judged + share * (timing.accept + timing.trim + timing.overhead);
}

/**
 * playback.js: plays a measured race. Two lanes type on one clock, and the result is said when both have
 * finished.
 */

import { el, set, write } from '../../base/dom.js';
import { cachedLine } from '../../trace/cached.js';
import { costsOf, resultOf } from '../../trace/race.js';
import { reasonLine } from '../../trace/reason.js';
import { createClock } from './clock.js';
import { createRaceBar } from './draw-bar.js';
import { createCost } from './draw-cost.js';
import { createResult, createText, createTracks } from './draw.js';
import { createWaterfall } from './draw-waterfall.js';
import { answerLine, headline } from './figures.js';
import { createFold } from '../head.js';
import { countUntil, momentsOf, neighbour, raceLanes } from './sums-lanes.js';
import { waterfall as stepsDown } from './sums-waterfall.js';
import { words } from '../words.js';

const FRAMES = {
  now: () => performance.now(),
  next: (react) => requestAnimationFrame(react),
  cancel: (frame) => cancelAnimationFrame(frame),
};

/**
 * root says in its attributes where the clock is; still() is whether nothing may move. { node, fall: the bar
 * that says where the speed-up goes, want, draw(story), begin(), pause(), forget(), leave(), focus() }: want is
 * the race's keys, draw takes a run with its race, begin plays it from its start, once.
 */
export function createPlayback(root, still) {
  const clock = createClock(FRAMES, place);
  const toggle = () => (clock.playing() ? clock.pause() : clock.play());
  const views = createViews(seek);
  const bar = createRaceBar({ toggle, seek, slow: clock.slow });
  const verdict = createVerdict();
  const parts = [views.tracks, verdict, bar].map(({ node }) => node);
  let [race, begun] = [null, false]; // lanes and moments of the race; whether it was played from its start

  /** Shows where the clock is; where nothing may move, only tokens that are there. */
  function place() {
    if (!race) return;
    const { lanes, moments, total } = race;
    const now = clock.at();
    const at = still() && clock.playing() ? (moments[countUntil(moments, now) - 1] ?? 0) : now;
    const made = (name) => countUntil(lanes[name].arrivals, at);
    views.place(at);
    verdict.say(race, at >= total);
    bar.show(at, total, clock.playing(), { speculative: made('speculative'), plain: made('plain') });
    set(root, { 'data-at': at, 'data-playing': String(clock.playing()) });
  }

  /** A slider hands back fewer digits than it was given: its end is the race's. */
  function seek(at) {
    const end = race?.total ?? 0;
    clock.seek(at >= end * (1 - 1e-9) ? end : at);
  }

  function step(moments, direction) {
    clock.pause();
    seek(neighbour(moments, clock.at(), direction));
  }

  return {
    node: el('div', { 'data-sv': 'race-shown', hidden: true }, ...parts),
    fall: views.fall.node,
    want: {
      toggle,
      seek,
      faster: bar.faster,
      step: (direction) => step(race.moments, direction),
      round: (direction) => step(race.lanes.speculative.steps, direction),
    },
    draw(story) {
      [race, begun] = [views.draw(story), false];
      clock.open(race.total);
    },
    begin() {
      if (!begun && !still()) clock.play();
      begun = true;
    },
    pause: clock.pause,
    forget() {
      clock.pause();
      [race, begun] = [null, false];
    },
    leave: () => clock.playing() && clock.pause(),
    focus: bar.focus,
  };
}

/** Everything that shows one race: { draw(story): what was drawn, place(at), and the parts }. */
function createViews(seek) {
  const lines = { plain: createText('plain'), speculative: createText('speculative') };
  const [result, tracks, cost, waterfall] = [
    createResult(),
    createTracks(seek, lines),
    createCost(),
    createWaterfall(),
  ];
  const fall = createFold('fall', words.race.fall.title);
  fall.body.append(waterfall.node, result.node, cost.node);
  return {
    tracks,
    fall,
    draw(story) {
      const { info, race } = story.trace;
      const lanes = raceLanes(story);
      const costs = costsOf(story.trace);
      const measured = resultOf(story.trace);
      result.draw(measured);
      tracks.draw(lanes, info.config.drafter);
      cost.draw(race, costs);
      waterfall.draw(stepsDown(story.trace), race, Boolean(costs.siblings));
      fall.answer(answerLine(costs, measured));
      Object.entries(lines).forEach(([name, line]) => line.draw(lanes.lanes[name]));
      const pass = { forward: race.where.forward, pair: info.config.pair, check: costs.v };
      const cached = cachedLine(pass, true);
      const summary = headline(measured);
      const reason = reasonLine(costs, summary.verdict);
      return { ...lanes, moments: momentsOf(lanes), summary, reason, measured, cached };
    },
    place(at) {
      tracks.place(at);
      Object.values(lines).forEach((line) => line.place(at));
    },
  };
}

/** The answer, once both lanes are in. */
function createVerdict() {
  const { running } = words.race;
  const [answer, why, more] = [
    el('strong', { 'data-sv': 'race-answer' }),
    ...['race-why', 'race-cached'].map((name) => el('span', { 'data-sv': name })),
  ];
  return {
    node: el('p', { 'data-sv': 'race-verdict', role: 'status' }, answer, ' ', why, ' ', more),
    say({ summary, reason, cached }, over) {
      write(answer, over ? summary.says : running);
      write(why, over ? words.race.because({ range: summary.range, reason }) : '');
      write(more, over ? cached : '');
      set(answer, { 'data-over': over, 'data-slower': summary.verdict === 'slower' });
    },
  };
}

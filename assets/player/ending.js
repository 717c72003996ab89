/**
 * ending.js: what the page does at a run's result: it has the run timed where nobody did, and leads on.
 */

import { save, toClipboard } from './base/dom.js';
import { fileName } from './page/share.js';
import { createTiming } from './page/timing.js';
import { chooseMethod, isNext, settingOf } from './page/widgets.js';
import { estimate, raceOf, unraceable } from './trace/race.js';
import { follow, placeOf } from './url-state.js';
import { cardOf, roundOf } from './studio.js';
import { words } from './stage/words.js';

/** Seconds that timing may take without being asked for. */
const UNASKED = 20;
/** Milliseconds between two looks at how far it is. */
const TICK = 1000;
/** Tokens by which an answer goes on. */
const MORE = 64;

/** Gives the player what times its runs, and what the result's buttons do. */
export function addEnding(player) {
  const { port, stage } = player;
  player.timing = createTiming({
    ask: port.race,
    leave: port.leave,
    timed: (run, n) => player.feed({ run, n, j: null }),
    changed: () => drawTiming(player),
  });
  player.mindEnding = (scene) => mind(player, scene);
  stage.acts({
    measure: () => player.timing.begin(player.state.story.trace.run),
    gamma: ({ target }) => tryGamma(player.state.story.trace, Number(target.dataset.gamma)),
    more: () => goOn(player),
    race: () => player.tabs.show('race'),
    drafter: () => beside(player),
    link: () => copyLink(player),
    card: () => saveCard(player),
  });
}

/** Has another drafter continue the prompt too, lane by lane in Methods. */
function beside({ tabs, labs }) {
  tabs.show('methods');
  labs.beside();
}

/** True if an answer of the chosen chat model broke off where the length ended, and can be longer. */
function goesOn({ stop, info: { config } }) {
  const { high } = settingOf('max_new_tokens');
  return stop === 'length' && isNext(config) && config.max_new_tokens + MORE <= high;
}

/** Runs the same again for a longer text, and plays it from where this one ended. */
function goOn(player) {
  const { rounds, info } = player.state.story.trace;
  const config = { ...info.config, max_new_tokens: info.config.max_new_tokens + MORE };
  const at = { round: rounds.length - 1, kind: 'trim', slot: null };
  follow(player, { config, at, plays: true, said: [] });
}

/** Runs the same again with another draft length. */
function tryGamma({ info }, gamma) {
  chooseMethod(info.config.drafter, info.rule, gamma);
}

/** Puts a link to the result on the clipboard; says so, or the link itself. */
export async function copyLink(player) {
  const address = await player.arrival.link(placeOf(player), player.state.story.trace);
  player.stage.told((await toClipboard(address)) ? words.share.copied : address);
}

/** Saves the result as a card, and a round that moves. */
export async function saveCard({ state: { story }, stage }) {
  const name = (kind) => fileName(story.trace.info.config, kind);
  stage.told(words.result.drawing);
  save(name('png'), await cardOf(story));
  const round = await roundOf(story);
  if (round) save(name('webp'), round);
  stage.told(words.result[round ? 'saved' : 'noRound']({ card: name('png'), round: name('webp') }));
}

/** A beat is on stage: at the result the run is timed, and nowhere else, since there nothing moves. */
function mind(player, { kind }) {
  const { state, status, timing, port } = player;
  const { trace } = state.story;
  if (kind !== 'result') {
    timing.cancel();
    return;
  }
  const { busy, refusal } = timing.of(trace.run);
  const due =
    trace.live && !status.expects() && !raceOf(trace) && !unraceable(trace) && estimate(trace) <= UNASKED;
  if (due && !busy && !refusal && !port.shared) timing.begin(trace.run);
  else drawTiming(player);
}

/** What is beside the result's clocks: a button, a bar, or why it cannot be. */
function drawTiming(player) {
  const { state, timing, stage } = player;
  clearTimeout(player.ticks);
  if (!state.story || state.story.beats[state.at].kind !== 'result') return;
  const { trace } = state.story;
  const raced = raceOf(trace) !== null;
  const { since, refusal, ...asked } = timing.of(trace.run);
  const busy = asked.busy && !raced;
  const seconds = estimate(trace);
  const hindrance = unraceable(trace);
  stage.timing({
    share: busy ? Math.min(0.97, (performance.now() - since) / (1000 * seconds)) : null,
    says: busy
      ? words.result.measuring({ seconds })
      : raced
        ? ''
        : refusal || (hindrance ? words.race.unraceable[hindrance] : ''),
    more: goesOn(trace) ? words.result.more({ more: MORE }) : '',
    measure: hindrance || busy || raced ? '' : words.result.measure({ seconds }),
  });
  if (busy) player.ticks = setTimeout(() => drawTiming(player), TICK);
}

/**
 * classroom.js: what a class needs: a dialog with link and code, and a second screen that shows
 * what the first does.
 */

import { createLesson } from './page/lesson.js';
import { encode } from './page/link.js';
import { createScreens } from './page/screens.js';
import { words } from './stage/words.js';
import { bring } from './onboarding.js';
import { beatAt, goTo, placeOf } from './url-state.js';
import { move, pick } from './render.js';

/** Gives the player what a class needs. */
export function addLesson(player, second) {
  const { root, state, arrival } = player;
  player.lesson = createLesson(root, {
    link: (more) => arrival.link({ ...placeOf(player), ...more, brief: true }, state.story.trace),
    present: () => player.presenter.enter(),
    second,
  });
}

/** Lets a second tab show what this one does. */
export function addScreens(player) {
  const { state, port, arrival } = player;
  const run = () => state.story.trace.run;
  const isRecorded = () => port.shipped.includes(run());
  player.screens = createScreens({
    place: () =>
      encode({
        ...placeOf(player),
        step: undefined,
        quiz: undefined,
        recorded: isRecorded() ? run() : undefined,
      }),
    run: () => ({ name: run(), ...(isRecorded() ? {} : { json: () => port.save(run()) }) }),
    asks: () => player.quiz.asks(),
    async go(fragment, asks) {
      await followTo(player, arrival.read(fragment));
      player.quiz.follow(asks);
    },
    show: (json) => port.show(new TextEncoder().encode(json), words.lesson.first),
  });
  return () =>
    player.screens.open(
      (follow) =>
        `${location.href.split(/[?#]/)[0]}#${encode({ follow, recorded: isRecorded() ? run() : undefined })}`,
    );
}

/** Goes where the first screen is; one step on moves there. */
async function followTo(player, target) {
  if (!target) return;
  const { state } = player;
  const { at, node = null, recorded, ...place } = target;
  if (recorded && recorded !== state.story?.trace.run) await bring(player, recorded);
  goTo(player, { view: [], ...place, follow: undefined });
  const beat = at ? beatAt(state.story, at) : 0;
  if (beat >= 0 && (beat !== state.at || state.picked !== node)) move(player, beat, beat === state.at + 1);
  if (node !== null && player.stage.slot(node)) pick(player, node, false);
}
